import { Subject, type SchedulerLike } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { realTime } from '../../../operators/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { FakePage } from '../../support/fakePage.ts';
import { at, countHits, row, type HitOptions } from '../support.ts';

let page: FakePage;
beforeEach(() => {
  page = new FakePage();
  vi.stubGlobal('document', page);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** Frames that come when the test says so, beside timers. */
const watched = (options: HitOptions = {}) => {
  const frames = manualScheduler(), timers = manualScheduler();
  const events$ = new Subject<{ k: string; t: number }>();
  const rows: unknown[] = [];
  const scheduled = { trigger: realTime({ coalesce: frames }), scheduler: timers };
  const subscription = events$.pipe(countHits({ ...scheduled, ...options })).subscribe((given) => rows.push(given));
  const waiting = (): [frames: number, timers: number] => [frames.timers, timers.timers];
  return { frames, timers, events$, rows, subscription, waiting };
};

describe('a frame of a page that is hidden', () => {
  it('is a timer, one row per key however many events, and none where nothing is due', () => {
    const { timers, events$, rows, waiting } = watched();
    page.turn('hidden');
    expect(waiting()).toEqual([0, 0]);
    events$.next(at(0));
    events$.next(at(0));
    expect(waiting()).toEqual([1, 1]);
    timers.moveTo(15);
    expect(rows).toEqual([]);
    timers.moveTo(16); // both hits have left by then
    expect(rows).toEqual([]);

    events$.next(at(16));
    timers.moveTo(30);
    events$.next(at(30));
    timers.moveTo(32);
    expect(rows).toEqual([row(32, 1)]);
    expect(waiting()).toEqual([0, 1]); // for the second one, which leaves at 38
    timers.moveTo(100);
    expect(rows).toEqual([row(32, 1), row(54, 0)]); // 38, and the turn after it
    expect(waiting()).toEqual([0, 0]);
  });

  it('that was asked for before it was hidden comes by timer, and not again when the page is shown', () => {
    const { frames, timers, events$, rows, waiting } = watched();
    events$.next(at(0));
    expect(waiting()).toEqual([1, 0]);
    page.turn('hidden');
    expect(waiting()).toEqual([1, 1]);
    page.turn('hidden'); // told twice
    expect(waiting()).toEqual([1, 1]);
    timers.moveTo(7);
    events$.next(at(7));
    timers.moveTo(16);
    // The first hit is out since 8, the second since 15: nothing to say, and no frame is left to say it.
    expect([rows, waiting()]).toEqual([[], [0, 0]]);
    page.turn('visible');
    frames.moveTo(100);
    expect(rows).toEqual([]);
  });

  it('is a frame again when the page is shown, without the timer', () => {
    const { frames, timers, events$, rows, waiting } = watched();
    page.turn('hidden');
    events$.next(at(0));
    page.turn('visible');
    expect(waiting()).toEqual([1, 0]);
    timers.moveTo(5);
    expect(rows).toEqual([]);
    frames.moveTo(5);
    expect(rows).toEqual([row(5, 1)]);
    expect(waiting()).toEqual([0, 1]); // the boundary at 8
  });

  it('comes by the frame where that is first: a scheduler that needs no page goes on as it did', () => {
    const { frames, timers, events$, rows, waiting } = watched();
    page.turn('hidden');
    events$.next(at(0));
    timers.moveTo(1);
    frames.moveTo(1);
    expect(rows).toEqual([row(1, 1)]);
    expect(waiting()).toEqual([0, 1]); // the boundary at 8, and no second turn at 16
    timers.moveTo(8);
    frames.moveTo(8);
    expect(rows).toEqual([row(1, 1), row(8, 0)]);
  });

  it('leaves neither timer, frame nor listener behind', () => {
    const { events$, subscription, waiting } = watched();
    page.turn('hidden');
    events$.next(at(0));
    expect(page.listeners.size).toBe(1);
    subscription.unsubscribe();
    expect(waiting()).toEqual([0, 0]);
    expect(page.listeners.size).toBe(0);
  });

  it('is not asked for where whoever was told of the event has unsubscribed', () => {
    const told: unknown[] = [];
    const { events$, subscription, waiting } = watched({
      dropped: {
        next(dropped) {
          told.push(dropped);
          subscription.unsubscribe();
        },
      },
    });
    page.turn('hidden');
    events$.next(at(NaN));
    expect(told).toHaveLength(1);
    expect(waiting()).toEqual([0, 0]);
  });

  it('may come from a scheduler that does not wait', () => {
    const hasty = { now: () => 0, schedule: (work: () => void) => (work(), new Subject().subscribe()) } as unknown as SchedulerLike;
    const { timers, events$, rows } = watched({ trigger: realTime({ coalesce: hasty }) });
    page.turn('hidden');
    events$.next(at(0));
    events$.next(at(0));
    expect(rows).toEqual([row(0, 1), row(0, 2)]);
    timers.moveTo(8);
    expect(rows).toEqual([row(0, 1), row(0, 2), row(8, 0)]);
  });
});

it('flush$ evaluates now, and takes back the turn that was asked for', () => {
  const flush$ = new Subject<void>();
  const { events$, rows, waiting, timers } = watched({ flush$ });
  events$.next(at(0));
  flush$.next();
  expect(rows).toEqual([row(0, 1)]);
  expect(waiting()).toEqual([0, 1]); // the boundary, and no frame
  page.turn('hidden');
  timers.moveTo(3);
  events$.next(at(3));
  expect(waiting()).toEqual([1, 1]);
  flush$.next();
  expect(rows).toEqual([row(0, 1), row(3, 2)]);
  expect(waiting()).toEqual([0, 1]);
});
