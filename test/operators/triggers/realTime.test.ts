import { animationFrameScheduler, queueScheduler, Subject, type SchedulerLike, type Subscription } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it, test } from 'vitest';
import { count, preceding, range, realTime, RollingWindowError, rollingWindowOf, type Progress } from '../../../operators/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { SleepyScheduler } from '../../support/sleepyScheduler.ts';
import { at, countHits, row, type Hit } from '../support.ts';

/** A scheduler that notes how long it was asked to wait. */
const noting = (scheduler: SchedulerLike, waits: number[]): SchedulerLike => ({
  now: () => scheduler.now(),
  schedule: <T>(work: (state?: T) => void, delay = 0, state?: T): Subscription => {
    waits.push(delay);
    return scheduler.schedule<T>(work, delay, state);
  },
});

describe('realTime wakes itself', () => {
  it('exactly at a boundary 30 days away, by waits that a timer can hold, and not in between', () => {
    const month = 30 * 86_400_000;
    const virtual = manualScheduler();
    const waits: number[] = [];
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    const progress = { next: ({ timestamp }: Progress) => reports.push(timestamp) };
    const reports: number[] = [];
    const lastMonth = rollingWindowOf<Hit>()({
      partitionBy: 'k',
      orderBy: 't',
      measures: [count().over(preceding(range(month))).as('n')],
      scheduler: noting(virtual, waits),
      progress,
    });
    events$.pipe(lastMonth).subscribe((given) => rows.push(given));
    events$.next(at(0));
    virtual.moveTo(2 * month);

    expect(rows).toEqual([row(0, 1), row(month, 0)]);
    expect(waits).toEqual([2 ** 31 - 1, month - (2 ** 31 - 1)]);
    expect(reports).toEqual([0, month]);
  });

  it('once after a long gap, not for each boundary that passed', () => {
    const virtual = manualScheduler();
    let asleep = 0;
    const sleeper: SchedulerLike = { now: () => virtual.now() + asleep, schedule: virtual.schedule.bind(virtual) };
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ scheduler: sleeper })).subscribe((given) => rows.push(given));
    for (const t of [0, 1, 2]) {
      virtual.moveTo(t);
      events$.next(at(t));
    }
    asleep = 1000;
    virtual.moveTo(50);

    expect(rows).toEqual([row(0, 1), row(1, 2), row(2, 3), row(1008, 0)]);
  });

  it('on timers that fire early: waits on, at least a millisecond', () => {
    const virtual = manualScheduler();
    const waits: number[] = [];
    const truncating: SchedulerLike = {
      now: () => virtual.now(),
      schedule: <T>(work: (state?: T) => void, delay = 0, state?: T) => virtual.schedule<T>(work, Math.max(delay - 0.7, 0), state),
    };
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ scheduler: noting(truncating, waits) })).subscribe((given) => rows.push(given));
    events$.next(at(0));
    virtual.moveTo(20);

    expect(rows).toHaveLength(2);
    expect(waits[0]).toBe(8);
    expect(waits.slice(1).every((wait) => wait === 1)).toBe(true);
    expect(waits.length).toBeLessThan(5);
  });

  it('at the next whole millisecond where a boundary lies a hair past one', () => {
    const virtual = manualScheduler(1_700_000_000_000);
    const waits: number[] = [];
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ scheduler: noting(virtual, waits), closed: 'both' })).subscribe((given) => rows.push(given));
    events$.next(at(1_700_000_000_000));
    virtual.advanceBy(20);

    expect(rows).toEqual([row(1_700_000_000_000, 1), row(1_700_000_000_009, 0)]);
    expect(waits).toEqual([9]);
  });

  it('with one timer, which moves to an earlier boundary and stays for a later one', () => {
    const virtual = manualScheduler();
    const waits: number[] = [];
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ scheduler: noting(virtual, waits) })).subscribe((given) => rows.push(given));
    events$.next(at(6)); // held
    virtual.moveTo(1);
    events$.next(at(-4)); // leaves at 4
    virtual.moveTo(2);
    events$.next(at(2)); // leaves at 10
    expect(virtual.timers).toBe(1);
    expect(waits).toEqual([6, 3]);
    virtual.moveTo(30);

    expect(rows).toEqual([row(1, 1), row(2, 2), row(4, 1), row(6, 2), row(10, 1), row(14, 0)]);
  });
});

describe('realTime sleeps', () => {
  it('without a timer while nothing is due: before the first event, between keys, and for a lifetime that nothing leaves', () => {
    const virtual = manualScheduler();
    const waits: number[] = [];
    const events$ = new Subject<Hit>();
    const forEver = rollingWindowOf<Hit>()({ partitionBy: 'k', orderBy: 't', measures: [count().as('n')], scheduler: noting(virtual, waits) });
    const rows: unknown[] = [];
    events$.pipe(countHits({ scheduler: noting(virtual, waits) })).subscribe();
    events$.pipe(forEver).subscribe((given) => rows.push(given));
    virtual.moveTo(1000);
    expect(waits).toEqual([]);
    events$.next(at(1000));
    expect(waits).toEqual([8]); // of the window; the lifetime waits for nothing
    virtual.moveTo(1e9);
    expect([waits, virtual.timers, rows]).toEqual([[8], 0, [row(1000, 1)]]);
  });

  it('so that virtual time ends by itself, though the source never does', () => {
    const rows: unknown[] = [];
    const scheduler = new TestScheduler((actual, expected) => {
      expect(actual).toEqual(expected);
    });
    scheduler.run(({ hot, flush }) => {
      hot<Hit>('a-b', { a: at(0), b: at(5) }).pipe(countHits()).subscribe((given) => rows.push(given));
      flush(); // would not return
      expect(scheduler.actions).toEqual([]);
    });
    expect(rows).toEqual([row(0, 1), row(5, 2), row(8, 1), row(13, 0)]);
  });

  it('on, with few looks at the clock, where that was set back, and wakes when it has come round again', () => {
    const virtual = manualScheduler(5000);
    const waits: number[] = [];
    let back = 0;
    const scheduler = noting({ now: () => virtual.now() - back, schedule: virtual.schedule.bind(virtual) }, waits);
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ scheduler })).subscribe((given) => rows.push(given));
    events$.next(at(5000));
    back = 3000;
    virtual.moveTo(5000 + 3000 + 7);
    expect(rows).toEqual([row(5000, 1)]);
    virtual.moveTo(5000 + 3000 + 8);
    expect(rows).toEqual([row(5000, 1), row(5008, 0)]);
    expect(waits).toEqual([8, 3000]);
  });
});

describe('realTime({ coalesce })', () => {
  const frames = (run: Parameters<TestScheduler['run']>[0]) =>
    new TestScheduler((actual, expected) => {
      expect(actual).toEqual(expected);
    }).run(run);
  const eachFrame = { trigger: realTime({ coalesce: animationFrameScheduler }) };

  it('gathers changes to the next frame: at most one row per key and frame', () => {
    frames(({ animate, hot, expectObservable, expectSubscriptions }) => {
      animate(                 '---x---x---x---x---x---x');
      //              t(ms):    0123456789012345678901234
      const events$ = hot<Hit>('ab-------c---------------|', { a: at(0), b: at(1), c: at(9) });
      const rows =             '---p-------q-------r-----|'; // a left at 8, b at 9, c at 17: nothing between 8 and its frame

      expectObservable(events$.pipe(countHits(eachFrame))).toBe(rows, { p: row(3, 2), q: row(11, 1), r: row(19, 0) });
      expectSubscriptions(events$.subscriptions).toBe('^------------------------!');
    });
  });

  it('asks for frames only while something is due', () => {
    const virtual = manualScheduler();
    const turns: number[] = [];
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    const coalesce = noting(virtual, turns);
    const timers: number[] = [];
    const subscription = events$.pipe(countHits({ trigger: realTime({ coalesce }), scheduler: noting(virtual, timers) })).subscribe((given) => rows.push(given));
    expect(turns).toHaveLength(0);
    events$.next(at(0));
    events$.next(at(0));
    expect(turns).toHaveLength(1);
    expect(timers).toHaveLength(0);
    virtual.moveTo(7);
    expect([turns.length, timers.length]).toEqual([1, 1]);
    virtual.moveTo(20);
    expect([turns.length, timers.length, virtual.timers]).toEqual([2, 1, 0]);
    expect(rows).toEqual([row(0, 2), row(8, 0)]);

    events$.next(at(20));
    expect(virtual.timers).toBe(1);
    subscription.unsubscribe();
    expect(virtual.timers).toBe(0);
  });

  it('evaluates once after a long gap, not for each frame that did not come', () => {
    const timers = new SleepyScheduler(0), frames = new SleepyScheduler(0);
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ trigger: realTime({ coalesce: frames }), scheduler: timers })).subscribe((given) => rows.push(given));
    for (const t of [0, 1, 2]) {
      timers.sleepUntil(t);
      events$.next(at(t));
    }
    frames.wakeAt(2);
    expect([rows, timers.pending, frames.pending]).toEqual([[row(2, 3)], 1, 0]);
    timers.wakeAt(60_000);
    expect([timers.pending, frames.pending]).toEqual([0, 1]);
    frames.wakeAt(60_000);
    expect([rows, timers.pending, frames.pending]).toEqual([[row(2, 3), row(60_000, 0)], 0, 0]);
  });

  it('does the last evaluation when the source completes, without waiting for a frame', () => {
    frames(({ animate, hot, expectObservable }) => {
      animate(                 '------x------');
      const events$ = hot<Hit>('-a-|         ', { a: at(1) });
      const rows =             '---(p|)      ';

      expectObservable(events$.pipe(countHits(eachFrame))).toBe(rows, { p: row(3, 1) });
    });
  });

  it('takes a scheduler that does not wait', () => {
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ trigger: realTime({ coalesce: queueScheduler }), scheduler: manualScheduler() })).subscribe((given) => rows.push(given));
    events$.next(at(0));
    events$.next(at(0));

    expect(rows).toEqual([row(0, 1), row(0, 2)]);
  });

  it("gives rows of every key, which `emit: 'every'` does not with each event", () => {
    const virtual = manualScheduler();
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ emit: 'every', trigger: realTime({ coalesce: virtual }), scheduler: virtual })).subscribe((given) => rows.push(given));
    events$.next(at(0, 'a'));
    virtual.moveTo(1);
    events$.next(at(1, 'b'));
    virtual.moveTo(2);

    expect(rows).toEqual([row(0, 1, 'a'), row(1, 1, 'a'), row(1, 1, 'b')]);
  });
});

describe('realTime({ batch })', () => {
  it('sums progress over that much time, and the rest at the end', () => {
    const virtual = manualScheduler();
    const events$ = new Subject<Hit>();
    const reports: unknown[] = [];
    const progress = { next: ({ timestamp, batchId, numInputRows, numOutputRows, numRemoved }: Progress) => reports.push({ timestamp, batchId, numInputRows, numOutputRows, numRemoved }) };
    events$.pipe(countHits({ scheduler: virtual, trigger: realTime({ batch: 10 }), progress })).subscribe();
    for (const t of [0, 1, 12, 13]) {
      virtual.moveTo(t);
      events$.next(at(t));
    }
    events$.complete();

    expect(reports).toEqual([
      { timestamp: 12, batchId: 5, numInputRows: 3, numOutputRows: 5, numRemoved: 1 },
      { timestamp: 13, batchId: 7, numInputRows: 1, numOutputRows: 1, numRemoved: 0 },
    ]);
  });
});

test.each([0, -1, NaN, '0 seconds' as const])('a batch of %s is no length of time', (batch) => {
  expect(() => realTime({ batch })).toThrow(RollingWindowError);
});
