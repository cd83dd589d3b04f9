import { EMPTY, type SchedulerLike } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { alarmOn } from '../../operators/alarm.ts';
import { manualScheduler } from '../../operators/testing/index.ts';

const alarmAt = (start: number) => {
  const scheduler = manualScheduler(start);
  const rings: number[] = [];
  const alarm = alarmOn(scheduler, () => rings.push(scheduler.now()));
  return { scheduler, rings, alarm };
};

describe('an alarm', () => {
  it('rings at its time, and at once where that has passed', () => {
    const { scheduler, rings, alarm } = alarmAt(100);
    alarm.set(110);
    scheduler.moveTo(200);
    alarm.set(150);
    scheduler.moveTo(300);

    expect(rings).toEqual([110, 200]);
    expect(scheduler.timers).toBe(0);
  });

  it('moves forward, stays where it is put off, and can be taken back', () => {
    const { scheduler, rings, alarm } = alarmAt(0);
    alarm.set(20);
    alarm.set(10);
    alarm.set(30);
    expect(scheduler.timers).toBe(1);
    scheduler.moveTo(15);
    expect(rings).toEqual([10]);
    alarm.set(30);
    alarm.set(undefined);
    expect(scheduler.timers).toBe(0);
    scheduler.moveTo(100);

    expect(rings).toEqual([10]);
  });

  it('waits at least a millisecond for what it rang for too early, and exactly for what is new', () => {
    const scheduler = manualScheduler();
    const rings: number[] = [];
    const early = { now: () => scheduler.now(), schedule: (work: () => void, delay: number) => scheduler.schedule(work, Math.max(0, delay - 0.5)) } as SchedulerLike;
    const alarm = alarmOn(early, () => {
      rings.push(scheduler.now());
      if (scheduler.now() < 10) alarm.set(10);
      else if (scheduler.now() < 10.7) alarm.set(10.7);
    });
    alarm.set(10);
    scheduler.moveTo(100);

    expect(rings).toEqual([9.5, 10, 10.2, 10.7]);
  });

  it('is not late where the clock was set ahead of a timer that still waits, and leaves one alone that is only late', () => {
    const scheduler = manualScheduler();
    let ahead = 0;
    const rings: number[] = [];
    const waits: number[] = [];
    const jumping = {
      now: () => scheduler.now() + ahead,
      schedule: (work: () => void, delay: number) => {
        waits.push(delay);
        return scheduler.schedule(work, delay);
      },
    } as SchedulerLike;
    const alarm = alarmOn(jumping, () => rings.push(scheduler.now()));
    alarm.set(3_600_000);
    ahead = 1e9;
    alarm.set(1e9 + 8);
    alarm.set(1e9 + 8);
    scheduler.moveTo(20);
    expect([rings, waits]).toEqual([[8], [3_600_000, 8]]);

    alarm.set(1e9 + 30);
    ahead += 100;
    for (let i = 0; i < 3; i++) alarm.set(1e9 + 30);
    scheduler.moveTo(21);
    expect([rings, waits]).toEqual([[8, 20], [3_600_000, 8, 10, 0]]);
  });

  it('rings again after a scheduler that did not wait', () => {
    const scheduler = manualScheduler(10);
    const rings: string[] = [];
    const hasty = { now: () => scheduler.now(), schedule: (work: () => void, delay: number) => (delay > 0 ? scheduler.schedule(work, delay) : (work(), EMPTY.subscribe())) } as SchedulerLike;
    const alarm = alarmOn(hasty, () => rings.push('ring'));
    alarm.set(5);
    expect(rings).toHaveLength(1);
    alarm.set(15);
    scheduler.moveTo(20);
    expect(rings).toHaveLength(2);
  });

  it('does not wait for what no clock will show', () => {
    const { scheduler, alarm } = alarmAt(0);
    alarm.set(1.7e18); // nanoseconds, taken for milliseconds
    expect(scheduler.timers).toBe(0);
  });
});
