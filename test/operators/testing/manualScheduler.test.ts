import { interval, map, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { manualScheduler } from '../../../operators/testing/index.ts';

describe('manualScheduler', () => {
  it('fires timers in order, each at its own time, and stops where it is told', () => {
    const scheduler = manualScheduler(100);
    const seen: unknown[] = [];
    scheduler.schedule(() => seen.push(['late', scheduler.now()]), 20);
    scheduler.schedule(() => seen.push(['early', scheduler.now()]), 10);
    scheduler.schedule(() => seen.push(['after', scheduler.now()]), 31);
    expect(scheduler.timers).toBe(3);
    scheduler.advanceBy(30);

    expect(seen).toEqual([['early', 110], ['late', 120]]);
    expect([scheduler.now(), scheduler.timers]).toEqual([130, 1]);
  });

  it('serves operators, and forgets what was unsubscribed', () => {
    const scheduler = manualScheduler();
    const seen: unknown[] = [];
    interval(10, scheduler).pipe(take(2), map((n) => [n, scheduler.now()])).subscribe((given) => seen.push(given));
    interval(10, scheduler).subscribe(() => seen.push('never')).unsubscribe();
    scheduler.moveTo(1000);

    expect(seen).toEqual([[0, 10], [1, 20]]);
    expect(scheduler.timers).toBe(0);
  });

  it('moves back without firing', () => {
    const scheduler = manualScheduler(100);
    const seen: unknown[] = [];
    scheduler.schedule(() => seen.push(scheduler.now()), 10);
    scheduler.moveTo(50);
    expect([scheduler.now(), seen]).toEqual([50, []]);
    scheduler.moveTo(110);
    expect(seen).toEqual([110]);
  });
});
