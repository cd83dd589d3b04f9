import { asyncScheduler, interval, map, Subject, take, timer } from 'rxjs';
import { describe, expect, it, test } from 'vitest';
import { fastForward, RollingWindowError } from '../../../operators/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { marbles } from '../../support/marbles.ts';
import { at, countHits, row, type Hit } from '../support.ts';

describe('fastForward', () => {
  it('replays a stream at a multiple of its pace', marbles((m) => {
    const scheduler = fastForward({ from: 1000, speed: 4 });
    //                t(ms):  01234567
    const events$ = m.hot(   'ab------', { a: at(1000), b: at(1004) });
    const rows =             'pqrs----'; // 4 stream milliseconds a frame: a leaves at 1008, b at 1012

    m.expect(events$.pipe(countHits({ scheduler }))).toBeObservable(rows, {
      p: row(1000, 1),
      q: row(1004, 2),
      r: row(1008, 1),
      s: row(1012, 0),
    });
  }));

  it('starts when it is first asked', () => {
    const real = manualScheduler(500);
    const scheduler = fastForward({ from: 0, speed: 10, scheduler: real });
    real.moveTo(600);
    expect(scheduler.now()).toBe(0);
    real.moveTo(603);
    expect(scheduler.now()).toBe(30);
  });

  it('shrinks delays, also those of work that schedules itself again', () => {
    const real = manualScheduler();
    const scheduler = fastForward({ from: 100, speed: 10, scheduler: real });
    const seen: unknown[] = [];
    interval(50, scheduler).pipe(take(3), map(() => [real.now(), scheduler.now()])).subscribe((given) => seen.push(given));
    timer(20, scheduler).subscribe(() => seen.push('timer'));
    real.moveTo(100);

    expect(seen).toEqual(['timer', [5, 150], [10, 200], [15, 250]]);
    expect(real.timers).toBe(0);
  });

  it('is stopped by unsubscribing what it scheduled, from inside too', () => {
    const real = manualScheduler();
    const scheduler = fastForward({ from: 0, speed: 10, scheduler: real });
    const runs: number[] = [];
    scheduler.schedule<number>(
      function (n) {
        runs.push(n);
        this.schedule(n + 1, 10);
        if (n === 2) this.unsubscribe();
      },
      10,
      0,
    );
    const never = scheduler.schedule(() => runs.push(-1), 5);
    never.unsubscribe();
    real.moveTo(100);

    expect(runs).toEqual([0, 1, 2]);
    expect(real.timers).toBe(0);
  });

  it('waits on asyncScheduler by default', async () => {
    const started = asyncScheduler.now();
    const scheduler = fastForward({ from: 0, speed: 1000 });
    await new Promise<void>((resolve) => scheduler.schedule(() => resolve(), 20_000));
    expect(asyncScheduler.now() - started).toBeGreaterThanOrEqual(18);
    expect(scheduler.now()).toBeGreaterThanOrEqual(18_000);
  });

  it('drives a subscription to its rows in real time', async () => {
    const scheduler = fastForward({ from: 0, speed: 1 });
    const events$ = new Subject<Hit>();
    const counts: number[] = [];
    const emptied = new Promise<void>((resolve) => {
      events$.pipe(countHits({ scheduler }), take(2)).subscribe({ next: ({ n }) => counts.push(n), complete: resolve });
    });
    events$.next(at(0));
    await emptied;
    expect(counts).toEqual([1, 0]);
  });
});

test.each([
  { from: NaN, speed: 1 },
  { from: 0, speed: 0 },
  { from: 0, speed: -1 },
  { from: 0, speed: Infinity },
  { from: 0, speed: NaN },
])('refuses %o', (options) => {
  expect(() => fastForward(options)).toThrow(RollingWindowError);
});
