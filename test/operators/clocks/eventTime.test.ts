import { EMPTY, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { count, createEngine, eventTime, isoTime, preceding, range, realTime, rollingWindow, RollingWindowError, rollingWindowOf, microBatch } from '../../../operators/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { marbles } from '../../support/marbles.ts';
import { at, countHits, lastHits, row, type Hit } from '../support.ts';

interface Quake {
  readonly k: string;
  readonly t: number;
  readonly updated: number;
}
const published = (t: number, updated: number): Quake => ({ k: 'a', t, updated });
const lastQuakes = { partitionBy: 'k', orderBy: 't', measures: [count().over(preceding(range(8))).as('n')] } as const;

describe('eventTime', () => {
  it('moves with the events alone: no row between them', marbles((m) => {
    //                t(ms):  01234567890123456
    const events$ = m.hot(   'a--b-----------c|', { a: at(100), b: at(104), c: at(113) });
    const rows =             'p--q-----------r|';

    m.expect(events$.pipe(countHits({ clock: eventTime() }))).toBeObservable(rows, { p: row(100, 1), q: row(104, 2), r: row(113, 1) });
    m.expect(events$).toHaveSubscriptions('^---------------!');
  }));

  it.each([realTime(), microBatch(5)])('needs no timer', (trigger) => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    events$.pipe(countHits({ clock: eventTime(), trigger, scheduler })).subscribe();
    for (const t of [100, 104, 113]) {
      events$.next(at(t));
      expect(scheduler.timers).toBe(0);
    }
  });

  it('knows no future: neither the check of it nor the guard on the watermark', () => {
    const seen: unknown[] = [];
    const quakes = rollingWindowOf<Quake>()({
      ...lastQuakes,
      clock: eventTime({ column: 'updated' }),
      onFuture: 'error',
      watermark: 0,
      dropped: { next: ({ watermark }) => seen.push(watermark) },
    });
    of(published(1e9, 5), published(1e9 + 1, 6), published(100, 7)).pipe(quakes).subscribe((given) => seen.push(given));

    expect(seen).toEqual([1e9, row(1e9 + 1, 2)]); // 1e9 is past the guard's 5: the last one is late
  });

  it('moves the frontier to the largest event time at the end, delay or not', () => {
    const rows: unknown[] = [];
    of(at(0), at(3), at(2)).pipe(countHits({ clock: eventTime(), frontierSpec: { delay: 2 } })).subscribe((given) => rows.push(given));

    expect(rows).toEqual([row(1, 1), row(3, 3)]);
  });

  it('reads another column, for instance that of the arrival; at the end the larger of both counts', () => {
    const rows: unknown[] = [];
    const quakes = rollingWindowOf<Quake>()({ ...lastQuakes, clock: eventTime({ column: 'updated' }) });
    of(published(0, 5), published(6, 7), published(20, 9), published(2, 8)).pipe(quakes).subscribe((given) => rows.push(given));

    // At reading 9 the quakes at 0, which left at 8, and at 20, which is held, do not count.
    expect(rows).toEqual([row(5, 1), row(7, 2), row(9, 1), row(9, 2), row(20, 1)]);
  });

  it('ends at its own reading where that is larger than the largest event time', () => {
    const rows: unknown[] = [];
    const quakes = rollingWindowOf<Quake>()({ ...lastQuakes, clock: eventTime({ column: 'updated' }), trigger: microBatch(5) });
    of(published(0, 5), published(4, 9)).pipe(quakes).subscribe((given) => rows.push(given));

    expect(rows).toEqual([row(9, 1)]);
  });

  it('ends with every event counted, whatever rounding does to a delay', () => {
    for (let tenths = 1; tenths < 100; tenths++) {
      const counts: number[] = [];
      of(at(tenths / 10)).pipe(countHits({ clock: eventTime(), frontierSpec: { delay: 0.7 } })).subscribe(({ n }) => counts.push(n));
      expect(counts, String(tenths / 10)).toEqual([1]);
    }
  });

  it('stands still at a value that is no time', () => {
    const rows: unknown[] = [];
    const quakes = rollingWindowOf<Quake>()({ ...lastQuakes, clock: eventTime({ column: 'updated' }) });
    of(published(0, NaN), published(0, 5), published(1, NaN), null as never, published(0, 2)).pipe(quakes).subscribe((given) => rows.push(given));

    expect(rows).toEqual([row(5, 2), row(5, 3), row(5, 4)]);
  });

  it('reads through the time adapter', () => {
    const rows: unknown[] = [];
    const texts = rollingWindowOf<{ k: string; t: string }>()({ ...lastHits, time: isoTime, clock: eventTime() });
    of({ k: 'a', t: '1970-01-01T00:00:00.005Z' }).pipe(texts).subscribe(({ n }) => rows.push(n));

    expect(rows).toEqual([1]);
  });

  it.each([undefined, 'updated' as const])('moves to the largest event time at the end, also to one from before a restart', (column) => {
    const open = () => createEngine<Quake>()({ ...lastQuakes, frontierSpec: { delay: 10 } });
    const events = [published(100, 101), published(105, 106)];
    const options = { clock: eventTime(column && { column }), trigger: realTime() };
    const whole: unknown[] = [], after: unknown[] = [];
    of(...events).pipe(rollingWindow(open(), options)).subscribe((row) => whole.push(row));

    const first = open(), second = open(), events$ = new Subject<Quake>();
    events$.pipe(rollingWindow(first, options)).subscribe();
    for (const event of events) events$.next(event);
    second.restore(first.snapshot());
    EMPTY.pipe(rollingWindow(second, options)).subscribe((row) => after.push(row));

    expect(whole.at(-1)).toEqual({ k: 'a', __frontier: 105, n: 2 });
    expect(after).toEqual([whole.at(-1)]);
  });

  it('goes on from the reading of an engine that was restored', () => {
    const engine = createEngine<Hit>()(lastHits);
    engine.push(at(3), 3);
    const before = engine.snapshot();
    engine.restore(before);
    const rows: unknown[] = [];
    of(at(6)).pipe(rollingWindow(engine, { clock: eventTime(), trigger: microBatch(5) })).subscribe((given) => rows.push(given));

    expect(rows).toEqual([row(5, 1), row(6, 2)]);
  });
});

describe('eventTime({ idleAfter })', () => {
  const idleClock = { clock: eventTime({ idleAfter: 10 }) };

  it("runs on at the scheduler's pace after that much silence, and not before", marbles((m) => {
    //                t(ms):  0123456789012345678901234567
    const events$ = m.hot(   'a------b-------------------|', { a: at(100), b: at(101) });
    const rows =             'p------q----------------rs-|'; // 101 until 17; 108 at 24, 109 at 25

    m.expect(events$.pipe(countHits(idleClock))).toBeObservable(rows, { p: row(100, 1), q: row(101, 2), r: row(108, 1), s: row(109, 0) });
  }));

  it('goes on from where it ran to, and never back', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ ...idleClock, scheduler })).subscribe((given) => rows.push(given));
    events$.next(at(100));
    scheduler.moveTo(14); // shows 104
    events$.next(at(102));
    scheduler.moveTo(30); // 104 until 24
    expect(rows).toEqual([row(100, 1), row(104, 2), row(108, 1), row(110, 0)]);
    expect(scheduler.timers).toBe(0);
  });

  it('runs on from the reading of an engine that was restored, silent since the subscription', () => {
    const scheduler = manualScheduler(500);
    const engine = createEngine<Hit>()(lastHits);
    engine.push(at(3), 3);
    engine.advance(3);
    const rows: unknown[] = [];
    new Subject<Hit>().pipe(rollingWindow(engine, { ...idleClock, scheduler })).subscribe((given) => rows.push([scheduler.now(), given]));
    scheduler.moveTo(1000);

    expect(rows).toEqual([[518, row(11, 0)]]); // 3 until 510
    expect(scheduler.timers).toBe(0);
  });

  it('is not late where the scheduler was set ahead of a timer that still waits', () => {
    const start = 1_000_000; // beyond all readings
    const scheduler = manualScheduler(start);
    let ahead = 0;
    const jumping = { now: () => scheduler.now() + ahead, schedule: scheduler.schedule.bind(scheduler) };
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ ...idleClock, scheduler: jumping })).subscribe((given) => rows.push(given));
    events$.next(at(100)); // leaves after 18 ms
    ahead = 1000; // shows 1090
    events$.next(at(1085)); // leaves after 13 ms
    scheduler.moveTo(start + 17);

    expect(rows).toEqual([row(100, 1), row(1093, 0)]); // one of each at 1090: no change
  });

  it('does not run before the first event', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ ...idleClock, scheduler, trigger: realTime({ coalesce: scheduler }) })).subscribe((given) => rows.push(given));
    scheduler.moveTo(1000);
    expect(scheduler.timers).toBe(0);
    events$.next(at(5));
    scheduler.moveTo(1001);

    expect(rows).toEqual([row(5, 1)]);
  });

  it('needs a positive length', () => {
    expect(() => eventTime({ idleAfter: 0 })).toThrow(RollingWindowError);
  });
});
