import { concat, EMPTY, of, Subject, throwError, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import {
  approxCountDistinct, approxPercentile, avg, collect, corr, count, countDistinct, covarPop, createEngine, durationMs, ema, epoch, eventTime, first, histogram, last, max, maxBy,
  microBatch, min, minBy, mode, preceding, range, realTime, rollingBatches, rollingWindow, slope, sum, topK, udaf, type Dropped, type Duration,
} from '../operators/index.ts';
import { calendar } from '../operators/luxon/index.ts';
import { manualScheduler } from '../operators/testing/index.ts';
import { startEngine } from './support/engines.ts';

interface Event {
  readonly key: string | null;
  readonly t: number;
  readonly v?: number | null;
  readonly source?: string;
}
const event = (t: number, v: number | null = 1, key: string | null = 'a', source = 's'): Event => ({ key, t, v, source });
const n = count().over(preceding(range(10))).as('n');
const all = count().as('all');
const base = { partitionBy: 'key', orderBy: 't' } as const;
const countingEngine = (settings: object = {}) => createEngine<Event>()({ ...base, ...settings, measures: [n] });

describe('time', () => {
  test('T1 the frontier is the largest reading minus the delay, and never goes back', () => {
    const engine = countingEngine({ frontierSpec: { delay: 3 } });
    expect(engine.frontier).toBe(-Infinity);
    engine.push(event(100), 100);
    expect(engine.frontier).toBe(-Infinity); // a push never moves it
    expect(engine.advance(104)).toEqual([{ key: 'a', __frontier: 101, n: 1 }]);
    engine.advance(50);
    expect(engine.frontier).toBe(101);
    expect(engine.stats.clockRegressions).toBe(1);
    engine.advance(1_000_000);
    expect(engine.frontier).toBe(999_997);
  });

  test.each([
    ['right', [1, 0]],
    ['both', [1, 1]],
  ] as const)("T2 a bounded window with closed: '%s' at its lower edge", (closed, counts) => {
    const engine = createEngine<Event>()({ ...base, closed, measures: [n, count().over(preceding(range(20))).as('twice')] });
    engine.push(event(100), 100);
    const at = (now: number): number => (engine.advance(now), engine.query({ key: 'a' }).n);
    expect([at(109.999), at(110)]).toEqual(counts);
    expect(at(110.001)).toBe(0);
    expect(engine.query({ key: 'a' })).toEqual({ key: 'a', __frontier: 110.001, n: 0, twice: 1 });
  });

  test('T2 edges are plain numbers beyond the range of dates', () => {
    const engine = createEngine<Event>()({ ...base, measures: [count().over(preceding(range(9e15))).as('n')] });
    engine.push(event(-8.64e15), -8e15);
    engine.advance(-8e15);
    expect(engine.query({ key: 'a' }).n).toBe(1);
    engine.advance(8.64e15);
    expect(engine.query({ key: 'a' }).n).toBe(0);
  });

  test('T3 a lifetime window holds every event and never expires', () => {
    const engine = createEngine<Event>()({ ...base, measures: [all, sum('v')] });
    engine.push(event(5, 2), 100);
    engine.push(event(100, 3), 100);
    engine.advance(100);
    expect(engine.advance(1e15)).toEqual([]);
    expect(engine.query({ key: 'a' })).toEqual({ key: 'a', __frontier: 1e15, all: 2, 'sum(v)': 5 });
  });

  test('T4 an event beyond the frontier is held, and enters when the frontier reaches it', () => {
    const engine = countingEngine({ frontierSpec: { delay: 5 } });
    expect(engine.push(event(100), 100)).toBe('held');
    expect(engine.push(event(95), 100)).toBe('counted');
    expect(engine.advance(104.999)).toEqual([{ key: 'a', __frontier: 99.999, n: 1 }]);
    expect(engine.stats.held).toBe(1);
    expect(engine.advance(105)).toEqual([{ key: 'a', __frontier: 100, n: 2 }]);
    expect(engine.stats.held).toBe(0);
  });

  test('T5 micro-batch gives a key one row a batch; real time one for each event', () => {
    const rows = (trigger: ReturnType<typeof realTime>): number[] => {
      const scheduler = manualScheduler();
      const source = new Subject<Event>();
      const seen: number[] = [];
      source.pipe(rollingWindow({ ...base, measures: [n], trigger, scheduler })).subscribe((row) => seen.push(row.n));
      for (const t of [1, 2, 3]) {
        scheduler.moveTo(t);
        source.next(event(t));
      }
      scheduler.moveTo(5);
      return seen;
    };
    expect(rows(microBatch(5))).toEqual([3]);
    expect(rows(realTime())).toEqual([1, 2, 3]);
  });

  test('T6 time is the scheduler only, and equal times keep the order of arrival', () => {
    const texts = udaf({ name: 'texts', zero: () => '', reduce: (text, value: number) => text + String(value), merge: (a, b) => a + b, finish: (text) => text });
    const scheduler = manualScheduler(-1e12);
    const seen: unknown[] = [];
    const source = new Subject<Event>();
    source.pipe(rollingWindow({ ...base, measures: [texts('v').over(preceding(range(10))).as('order')], trigger: microBatch(1), scheduler })).subscribe((row) => seen.push(row));
    for (const [t, v] of [[0, 1], [0, 2], [-1, 3], [0, 4], [-1, 5]] as const) source.next(event(-1e12 + t + 0.5, v));
    scheduler.advanceBy(1);
    expect(seen).toEqual([{ key: 'a', __frontier: -1e12 + 1, order: '35124' }]);
  });
});

describe('late data', () => {
  test('W1 an event at or before the watermark is dropped for every measure, makes no key, and is counted', () => {
    const engine = createEngine<Event>()({ ...base, watermark: 5, measures: [n, all] });
    expect(engine.watermark).toBe(-Infinity);
    engine.push(event(100), 100);
    engine.advance(101);
    expect(engine.watermark).toBe(95);
    expect(engine.push(event(95, 1, 'b'), 101)).toBe('late');
    expect(engine.push(event(95.5), 101)).toBe('counted');
    expect(engine.advance(102)).toEqual([{ key: 'a', __frontier: 102, n: 2, all: 2 }]);
    expect(engine.stats).toMatchObject({ late: 1, keys: 1 });
    const restored = createEngine<Event>()({ ...base, watermark: 5, measures: [n, all] });
    restored.restore(engine.snapshot());
    expect(restored.watermark).toBe(95);
  });

  test('W2 the watermark moves only in an evaluation, and only by events of earlier readings', () => {
    const engine = countingEngine({ watermark: 0 });
    engine.push(event(100), 100);
    expect(engine.push(event(99), 100)).toBe('counted'); // of the same reading
    engine.advance(100);
    expect(engine.watermark).toBe(-Infinity);
    expect(engine.push(event(98), 100)).toBe('counted'); // still of the same reading
    engine.advance(100.5);
    expect(engine.watermark).toBe(100);
    expect(engine.push(event(100), 101)).toBe('late');
    engine.push(event(50), 101);
    engine.advance(102);
    expect(engine.watermark).toBe(100); // never back
  });

  test('W3 a fast clock cannot push the watermark past the present, unless the guard is off', () => {
    const after = (settings: object): number => {
      const engine = countingEngine({ watermark: 10, ...settings });
      engine.push(event(1000), 100);
      engine.advance(101);
      return engine.watermark;
    };
    expect(after({})).toBe(90);
    expect(after({ maxFutureSkew: false })).toBe(990);
    const beforeAnyClock = countingEngine({ watermark: 10 });
    beforeAnyClock.push(event(1000), -Infinity);
    beforeAnyClock.advance(101);
    expect(beforeAnyClock.watermark).toBe(990);
  });

  test('W3 the event-time clock has no guard', () => {
    const watermarks: number[] = [], dropped: unknown[] = [];
    const clock = eventTime({ column: 'v' }); // far behind the event times
    of(event(1000, 100), event(1100, 200), event(1200, 300))
      .pipe(rollingBatches({ ...base, watermark: 10, measures: [all], clock, maxFutureSkew: 5, onFuture: 'drop', dropped: { next: (one) => dropped.push(one) } }))
      .subscribe(({ watermark }) => watermarks.push(watermark));
    expect(dropped).toEqual([]);
    expect(watermarks).toEqual([1190]); // once, at completion: only then does the frontier reach them
  });

  test('W4 without a watermark every event in the window counts; silence moves the frontier but not the watermark', () => {
    const free = countingEngine();
    free.push(event(100), 100);
    free.advance(101);
    expect(free.push(event(92), 101)).toBe('counted');
    expect(free.advance(101)).toMatchObject([{ n: 2 }]);

    const engine = countingEngine({ watermark: 3 });
    engine.push(event(100), 100);
    engine.advance(101);
    expect(engine.advance(5000)).toMatchObject([{ n: 0 }]);
    expect({ frontier: engine.frontier, watermark: engine.watermark }).toEqual({ frontier: 5000, watermark: 97 });
  });

  test('W5 an event too far ahead is counted as future, and held, dropped or an error', () => {
    const five = 5 * 60_000;
    const holding = countingEngine();
    expect(holding.push(event(100 + five), 100)).toBe('held');
    expect(holding.stats.future).toBe(0);
    expect(holding.push(event(100.5 + five), 100)).toBe('held');
    expect(holding.stats).toMatchObject({ future: 1, held: 2 });

    const dropping = countingEngine({ onFuture: 'drop', maxFutureSkew: '1 second' });
    expect(dropping.push(event(1101), 100)).toBe('future');
    expect(dropping.stats).toMatchObject({ future: 1, keys: 0 });

    const strict = countingEngine({ onFuture: 'error', maxFutureSkew: 1000 });
    expect(() => strict.push(event(1101), 100)).toThrow(expect.objectContaining({ code: 'future-event' }));
    expect(strict.position.events).toBe(0);
  });

  test('W6 sources of different lateness have a watermark each', () => {
    const engine = createEngine<Event>()({ ...base, watermark: { delay: 5, by: 'source' }, measures: [n] });
    engine.push(event(100, 1, 'a', 'fast'), 100);
    engine.push(event(50, 1, 'a', 'slow'), 100);
    engine.advance(101);
    expect(engine.watermark).toBe(45);
    expect(engine.push(event(94, 1, 'a', 'fast'), 101)).toBe('late');
    expect(engine.push(event(94, 1, 'a', 'slow'), 101)).toBe('counted');
  });

  test('W7 dropped events are an output; those before every window are admitted and make no key', () => {
    const dropped: Dropped<Event>[] = [];
    const engine = countingEngine({ watermark: 5, maxFutureSkew: 100, onFuture: 'drop', dropped: { next: (one: Dropped<Event>) => dropped.push(one) } });
    engine.push(event(100), 100);
    engine.advance(101);
    const [late, future, timeless, wrong] = [event(92), event(500), event(NaN), { ...event(101), key: {} as string }];
    for (const one of [late, future, timeless, wrong]) engine.push(one, 102);
    expect(dropped).toEqual([
      { event: late, reason: 'late', eventTime: 92, watermark: 95, lateBy: 3 },
      { event: future, reason: 'future', eventTime: 500, watermark: 95, lateBy: 0 },
      expect.objectContaining({ event: timeless, reason: 'invalid-time', eventTime: NaN, lateBy: 0 }),
      expect.objectContaining({ event: wrong, reason: 'invalid-key', eventTime: 101, lateBy: 0 }),
    ]);
    expect(dropped[0]?.event).toBe(late);

    const quiet = countingEngine();
    expect(quiet.push(event(80, 1, 'old'), 100)).toBe('outside');
    expect(quiet.stats).toMatchObject({ outside: 1, keys: 0, events: 0 });
  });
});

describe('emission', () => {
  test('E1 a row leaves when a value in it changed since the last one', () => {
    const engine = createEngine<Event>()({ ...base, measures: [max('v').over(preceding(range(10))).as('top')] });
    engine.push(event(1, null), 1);
    expect(engine.advance(1)).toEqual([]); // as empty as before
    engine.push(event(2, NaN), 2);
    expect(engine.advance(2)).toEqual([{ key: 'a', __frontier: 2, top: NaN }]);
    engine.push(event(3, NaN), 3);
    expect(engine.advance(3)).toEqual([]);
    expect(engine.advance(12.5)).toEqual([]); // one NaN left, one stays
    expect(engine.advance(13)).toEqual([{ key: 'a', __frontier: 13, top: null }]);
  });

  test('E1 dates are compared by instant, lists and plain objects by content', () => {
    const last = udaf({ name: 'last', zero: () => [] as unknown[], reduce: (_, value: unknown) => [new Date(5), { value }], merge: (a, b) => (b.length > 0 ? b : a), finish: (state) => state });
    const engine = createEngine<Event>()({ ...base, measures: [last('v').over(preceding(range(10)))] });
    const rowsAfter = (t: number, v: number): number => (engine.push(event(t, v), t), engine.advance(t).length);
    expect([rowsAfter(1, NaN), rowsAfter(2, NaN), rowsAfter(3, 7), rowsAfter(4, 7)]).toEqual([1, 0, 1, 0]);
  });

  test("E1 emit: 'every' gives every key with state at every evaluation, 'none' no row", () => {
    const every = countingEngine({ emit: 'every' }), none = countingEngine({ emit: 'none' });
    for (const engine of [every, none]) {
      engine.push(event(1), 1);
      engine.push(event(5, 1, 'b'), 1); // held
    }
    expect([every.advance(1).length, none.advance(1).length]).toEqual([2, 0]);
    expect(every.advance(2)).toEqual([{ key: 'a', __frontier: 2, n: 1 }, { key: 'b', __frontier: 2, n: 0 }]);
    expect(none.advance(2)).toEqual([]);
    expect(none.query({ key: 'a' })).toEqual({ key: 'a', __frontier: 2, n: 1 });
  });

  test('E2 in an emptied window counts are 0, lists empty, and everything else is null', () => {
    const measures = [countDistinct('v'), approxCountDistinct('v'), histogram('v', [5]), topK('v', 2), collect('v', 2), first('v'), last('v'), maxBy('v', 't'), mode('v'), ema('v', 10), slope('v'), corr('v', 't')];
    const values = measures.map((measure, i) => measure.over(preceding(range(10))).as(`m${String(i)}`));
    const engine = startEngine({ ...base, measures: values });
    engine.push({ key: 'a', t: 1, v: 7 }, 1);
    engine.push({ key: 'a', t: 2, v: 7 }, 2);
    expect(Object.values(engine.advance(2)[0] ?? {}).slice(2)).toEqual([1, 1, [0, 2], [{ value: 7, count: 2 }], [7, 7], 7, 7, 7, 7, 7, 0, null]);
    expect(Object.values(engine.advance(12)[0] ?? {}).slice(2)).toEqual([0, 0, [0, 0], [], [], null, null, null, null, null, null, null]);
    expect(engine.removed).toEqual([{ key: 'a' }]);
  });

  test('E2 an emptied window gives one last row, then silence, and its state is dropped', () => {
    const first = udaf({ name: 'list', zero: () => [] as number[], reduce: (list, value: number) => [...list, value], merge: (a, b) => [...a, ...b], finish: (list) => [...list] });
    const look = preceding(range(10));
    const engine = createEngine<Event>()({ ...base, measures: [n, sum('v').over(look), avg('v').over(look), approxPercentile('v', 0.5).over(look), first('v').over(look)] });
    engine.push(event(1, 7), 1);
    engine.advance(1);
    expect(engine.advance(11)).toEqual([{ key: 'a', __frontier: 11, n: 0, 'sum(v)': null, 'avg(v)': null, 'approx_percentile(v, 0.5)': null, 'list(v)': [] }]);
    expect(engine.removed).toEqual([{ key: 'a' }]);
    expect(engine.stats).toMatchObject({ keys: 0, events: 0 });
    expect(engine.advance(12)).toEqual([]);
    expect(engine.removed).toEqual([]);
  });

  test('E3 a row is partition columns, frontier, measures in order, by their default names', () => {
    const engine = createEngine<Event>()({
      partitionBy: ['source', 'key'],
      orderBy: 't',
      frontierSpec: { alias: 'at' },
      measures: [count(), count('v'), sum('v').filter(() => false), approxPercentile('v', 0.95), min('v').as('least')],
    });
    engine.push(event(1), 1);
    const [row] = engine.advance(1);
    expect(Object.keys(row ?? {})).toEqual(['source', 'key', 'at', 'count(*)', 'count(v)', 'sum(v)', 'approx_percentile(v, 0.95)', 'least']);
    const clash = (name: string): (() => unknown) => () => createEngine<Event>()({ ...base, measures: [n, sum('v').as(name)] });
    for (const name of ['n', 'key', '__frontier']) expect(clash(name)).toThrow(expect.objectContaining({ code: 'duplicate-column', message: expect.stringContaining(name) as string }));
  });

  test('E3 however many columns there are', () => {
    const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
    const engine = startEngine({ partitionBy: ['a', 'b', 'c', 'd'], orderBy: 't', measures: names.map((name, i) => (i % 2 === 0 ? count('v') : sum('v')).over(preceding(range(i + 1))).as(name)) });
    for (let t = 1; t <= 25; t++) engine.push({ a: 1, b: 'x', c: null, d: true, t, v: t }, t);
    const sums = names.map((name, i): [string, number] => [name, i % 2 === 0 ? i + 1 : Array.from({ length: i + 1 }, (_, k) => 25 - k).reduce((x, y) => x + y)]);
    const [row] = engine.advance(25);
    expect(Object.entries(row ?? {})).toEqual([['a', 1], ['b', 'x'], ['c', null], ['d', true], ['__frontier', 25], ...sums]);
  });

  test('E4 state moves first, rows leave after: from inside next only whole states are seen', () => {
    const scheduler = manualScheduler();
    const source = new Subject<Event>();
    const engine = countingEngine();
    const order: unknown[] = [];
    const subscription = source.pipe(rollingWindow(engine, { scheduler, trigger: microBatch(5) })).subscribe((row) => {
      order.push(['row', row.key, row.n], ['states', engine.query({ key: 'a' }).n, engine.query({ key: 'b' }).n], ['offered', engine.position.events]);
      if (order.length <= 3) source.next(event(5, 1, 'c'));
      else subscription.unsubscribe();
    });
    for (const key of ['a', 'b', 'd']) source.next(event(1, 1, key));
    scheduler.moveTo(5);
    expect(order).toEqual([['row', 'a', 1], ['states', 1, 1], ['offered', 3], ['row', 'b', 1], ['states', 1, 1], ['offered', 3]]);
  });

  test('E5 completion is one last evaluation; an error passes at once', () => {
    const scheduler = manualScheduler();
    const run = (source: Observable<never>): unknown[] => {
      const seen: unknown[] = [];
      concat(of(event(0), event(3, 1, 'b')), source).pipe(rollingWindow({ ...base, measures: [n], trigger: microBatch(100), scheduler })).subscribe({ next: ({ key }) => seen.push(key), error: () => seen.push('error'), complete: () => seen.push('complete') });
      return seen;
    };
    expect(run(EMPTY)).toEqual(['a', 'complete']); // b is beyond the frontier, and nobody waits for it
    expect(run(throwError(() => new Error('lost')))).toEqual(['error']);
    expect(scheduler.timers).toBe(0);
  });

  test('E5 under the event-time clock the frontier first moves to the largest event time', () => {
    const seen: unknown[] = [];
    of(event(0), event(3, 1, 'b')).pipe(rollingWindow({ ...base, measures: [n], frontierSpec: { delay: 50 }, trigger: microBatch(100), clock: eventTime() })).subscribe((row) => seen.push(row));
    expect(seen).toEqual([{ key: 'a', __frontier: 3, n: 1 }, { key: 'b', __frontier: 3, n: 1 }]);
  });

  test('E6 real time wakes itself when an event enters or leaves, with one timer', () => {
    const scheduler = manualScheduler();
    const source = new Subject<Event>();
    const seen: unknown[] = [];
    source.pipe(rollingWindow({ ...base, measures: [n], scheduler })).subscribe((row) => seen.push([scheduler.now(), row.__frontier, row.key, row.n]));
    expect(scheduler.timers).toBe(0);
    source.next(event(0));
    source.next(event(4, 1, 'b'));
    source.next(event(7, 1, 'c'));
    expect(scheduler.timers).toBe(1);
    scheduler.moveTo(12);
    expect(seen).toEqual([[0, 0, 'a', 1], [4, 4, 'b', 1], [7, 7, 'c', 1], [10, 10, 'a', 0]]);
    scheduler.moveTo(100);
    expect(seen.slice(4)).toEqual([[14, 14, 'b', 0], [17, 17, 'c', 0]]);
    expect(scheduler.timers).toBe(0);
  });

  test('E6 micro-batch sleeps until the first tick at which something can change', () => {
    const scheduler = manualScheduler();
    const source = new Subject<Event>();
    const at: number[] = [];
    source.pipe(rollingWindow({ ...base, measures: [n], scheduler, trigger: microBatch(3), progress: { next: () => void at.push(scheduler.now()) } })).subscribe();
    source.next(event(0));
    scheduler.moveTo(1000);
    expect(at).toEqual([3, 12]);
    expect(scheduler.timers).toBe(0);
  });

  test('E7 rows of one key may share a frontier in real time; the later one wins', () => {
    const scheduler = manualScheduler(5);
    const seen: unknown[] = [];
    of(event(5), event(5), event(4)).pipe(rollingWindow({ ...base, measures: [n], scheduler })).subscribe((row) => seen.push([row.__frontier, row.n]));
    expect(seen).toEqual([[5, 1], [5, 2], [5, 3]]);
  });
});

describe('keys and columns', () => {
  test('K1 keys compare by type and value', () => {
    const engine = startEngine({ partitionBy: ['k', 'l'], orderBy: 't', measures: [n] });
    const keys: [unknown, unknown][] = [
      [1, ''], ['1', ''], [1n, ''], [true, ''], ['true', ''], [NaN, ''], [NaN, ''], [-0, ''], [0, ''], [null, ''], [undefined, ''], ['null', ''], ['', ''],
      ['a|b', 'c'], ['a', 'b|c'], ['__proto__', 'constructor'], ['\uD800', ''], ['\uD801', ''], [new Date(5), ''], [new Date(5), ''], [5, ''],
    ];
    for (const [k, l] of keys) engine.push({ k, l, t: 1 }, 1);
    engine.push({ l: '', t: 1 }, 1); // missing
    for (const k of [{}, [], Symbol('key'), new Date(NaN), () => 1]) expect(engine.push({ k, l: '', t: 1 }, 1)).toBe('invalid');
    const rows = engine.advance(1);
    const twice = rows.filter((row) => row['n'] !== 1).map(({ k, n: times }) => [k, times]);
    expect(twice).toEqual(expect.arrayContaining([[NaN, 2], [0, 2], [null, 3], [new Date(5), 2]]));
    expect(twice).toHaveLength(4);
    expect(rows).toHaveLength(17);
    expect(Object.is(rows.find(({ k }) => k === 0)?.['k'], 0)).toBe(true);
  });

  test('K2 a pair counts where both values are there; by what is smallest or largest, where that is', () => {
    const engine = startEngine({ ...base, measures: [corr('v', 't').as('corr'), covarPop('v', 't').as('covar'), minBy('v', 't').as('first'), maxBy('v', 'by').as('best'), count('v').as('n')] });
    const seen = (t: number, v: unknown, by?: unknown): unknown[] => {
      engine.push({ key: 'a', t, v, by }, t);
      engine.advance(t);
      return Object.values(engine.query({ key: 'a' })).slice(2);
    };
    expect(seen(1, null, 5)).toEqual([null, null, null, null, 0]);
    expect(seen(2, 10)).toEqual([null, 0, null, null, 1]);
    expect(seen(3, 20, 7)).toEqual([1, 2.5, null, 20, 2]);
    expect(seen(4, 30, null)).toEqual([1, 20 / 3, null, 20, 3]);
  });

  test('K2 missing values are skipped, NaN is a value, nothing is coerced, and a filter runs once', () => {
    let filtered = 0;
    const measures = [count(), count('v'), sum('v'), count('v').filter(() => (filtered++, true)).as('filtered')];
    const engine = startEngine({ ...base, measures });
    const push = (v?: unknown): string => engine.push({ key: 'a', t: 1, ...(v === undefined ? {} : { v }) }, 1);
    expect([push(2), push(NaN), push(null), push(), push('3'), push(4n), push(true)]).toEqual(['counted', 'counted', 'counted', 'counted', 'invalid', 'invalid', 'invalid']);
    expect(engine.advance(1)).toEqual([{ key: 'a', __frontier: 1, 'count(*)': 4, 'count(v)': 2, 'sum(v)': NaN, filtered: 2 }]);
    expect(filtered).toBe(7);
    engine.advance(2);
    expect(filtered).toBe(7);
  });

  test('K3 times: numbers and dates, others through an adapter; what is no time is invalid, never 0', () => {
    const engine = startEngine({ partitionBy: [], orderBy: 't', measures: [all] });
    expect([0.5, new Date(1), null, undefined, NaN, Infinity, '1', 1n, new Date(NaN), {}].map((t) => engine.push({ t }, 2))).toEqual(['counted', 'counted', ...Array.from({ length: 8 }, () => 'invalid')]);
    expect(engine.advance(2.25)).toEqual([{ __frontier: 2.25, all: 2 }]);

    const nano = createEngine<{ t: bigint }>()({ partitionBy: [], orderBy: 't', time: epoch('nanoseconds'), measures: [all] });
    nano.push({ t: 1_790_000_000_000_000_000n }, 1_790_000_000_000);
    expect(nano.advance(1_790_000_000_000.5)).toEqual([{ __frontier: 1_790_000_000_000_500_000n, all: 1 }]);
  });

  test("K4 onInvalid: 'error' covers time, key and value; a push that throws changes nothing", () => {
    const failing = { thrown: false };
    const engine = createEngine<Event>()({
      ...base,
      onInvalid: 'error',
      measures: [n, sum('v'), count().filter(() => { if (failing.thrown) throw new Error('mine'); return true; }).as('filtered')],
    });
    engine.push(event(1), 1);
    const before = [engine.snapshot(), engine.position.events];
    const wrong: [string, Event][] = [['invalid-time', event(NaN)], ['invalid-key', { ...event(1), key: {} as string }], ['invalid-value', { ...event(1), v: 'x' as never }]];
    for (const [code, one] of wrong) expect(() => engine.push(one, 2)).toThrow(expect.objectContaining({ code }));
    failing.thrown = true;
    expect(() => engine.push(event(1), 2)).toThrow('mine');
    expect([engine.snapshot(), engine.position.events]).toEqual(before);

    const errors: unknown[] = [];
    of(event(1)).pipe(rollingWindow({ ...base, measures: [count().filter(() => { throw new Error('mine'); })], scheduler: manualScheduler() })).subscribe({ error: (error: unknown) => errors.push(String(error)) });
    expect(errors).toEqual([expect.stringContaining('mine')]);
  });

  test('K5 durations in many forms, and an error for what is none', () => {
    const forms: Duration[] = [5_400_000, '90 minutes', '1 hour 30 minutes', 'PT1H30M', { hours: 1, minutes: 30 }, { toMillis: () => 5_400_000 }];
    expect(forms.map((form) => durationMs(form))).toEqual(forms.map(() => 5_400_000));
    expect(durationMs({ days: 1 })).toBe(86_400_000);
    for (const wrong of [-1, NaN, Infinity, 'soon', '1 month', 'P1M', 'P1Y']) expect(() => durationMs(wrong as Duration), String(wrong)).toThrow(expect.objectContaining({ code: 'invalid-duration' }));
    expect(() => range(0)).toThrow(expect.objectContaining({ code: 'invalid-duration' }));
    // A calendar edge never runs backwards, also where a month is shorter than the one before.
    const { edge } = calendar({ months: 1 }, { zone: 'Europe/Paris' });
    let last = -Infinity;
    for (let frontier = Date.UTC(2027, 1, 26); frontier < Date.UTC(2027, 3, 3); frontier += 3_600_000) {
      expect(edge.lower(frontier)).toBeGreaterThanOrEqual(last);
      last = edge.lower(frontier);
    }
  });
});

describe('restart', () => {
  const settings = { ...base, frontierSpec: { delay: 2 }, watermark: 7, measures: [n, sum('v'), approxPercentile('v', 0.5).over(preceding(range(10)))] } as const;
  const fresh = () => createEngine<Event>()(settings);
  // The order of rows within one evaluation is no promise.
  const byKey = <Row extends { readonly key: string | null }>(rows: readonly Row[]): Row[] => rows.toSorted((a, b) => String(a.key).localeCompare(String(b.key)));

  test('R1 run, snapshot, restore, run on equals running through; a snapshot of it is the same bytes', () => {
    let engine = fresh();
    const through = fresh();
    for (let i = 0; i < 200; i++) {
      const one = event(i - ((i * 7) % 13) + ((i % 11 === 0) ? 6 : 0), (i * 37) % 101, i % 3 === 0 ? null : `k${i % 4}`);
      expect(engine.push(one, i)).toBe(through.push(one, i));
      if (i % 2 === 0) expect(byKey(engine.advance(i))).toEqual(byKey(through.advance(i)));
      if (i % 5 !== 0) continue;
      const saved = engine.snapshot();
      engine = fresh();
      engine.restore(saved);
      expect(engine.snapshot()).toEqual(saved);
      expect([engine.frontier, engine.watermark, engine.position, { ...engine.stats, bytes: 0 }]).toEqual([through.frontier, through.watermark, through.position, { ...through.stats, bytes: 0 }]);
    }
    expect(byKey(engine.advance(1000))).toEqual(byKey(through.advance(1000)));
    expect(Math.min(through.stats.late, through.stats.rows)).toBeGreaterThan(0);
  });

  test('R2 after a downtime keys that emptied meanwhile give one row each, the others none', () => {
    const engine = createEngine<Event>()({ ...base, measures: [n, all] });
    engine.push(event(100, 1, 'a'), 100);
    engine.push(event(40, 1, 'b'), 100); // in no bounded window
    engine.advance(100);
    const restored = createEngine<Event>()({ ...base, measures: [n, all] });
    restored.restore(engine.snapshot());
    expect(restored.frontier).toBe(100);
    expect(restored.advance(50)).toEqual([]); // a clock behind the saved frontier
    expect(restored.frontier).toBe(100);
    expect(restored.advance(3_600_000)).toEqual([{ key: 'a', __frontier: 3_600_000, n: 0, all: 1 }]);
    expect(restored.advance(3_600_001)).toEqual([]);
  });

  test('R3 the position counts every event offered and travels in the snapshot; replays are not recognised', () => {
    const engine = fresh();
    for (const one of [event(100), event(NaN), event(1)]) engine.push(one, 100);
    engine.advance(102);
    engine.push(event(1), 102); // late
    expect(engine.position.events).toBe(4);
    const restored = fresh();
    restored.restore(engine.snapshot());
    expect(restored.position.events).toBe(4);
    restored.push(event(100), 102);
    restored.advance(102);
    expect(restored.query({ key: 'a' }).n).toBe(2); // the same event again
  });

  test('R4 old state is never read under a new meaning: what can be computed is, what can not is an error that names both', () => {
    const engine = fresh();
    for (const t of [1, 4, 9]) engine.push(event(t, t), 9);
    engine.advance(11);
    const saved = engine.snapshot(), { measures } = settings;
    const added = createEngine<Event>()({ ...settings, measures: [...measures, max('v').over(preceding(range(6))).as('most')] });
    added.restore(saved);
    expect(added.advance(11)).toEqual([{ ...engine.query({ key: 'a' }), most: 9 }]);
    const changed = createEngine<Event>()({ ...settings, measures: [n, avg('v').as('sum(v)'), measures[2]] });
    expect(() => changed.restore(saved)).toThrow(/sum\(v\): avg\(v\).*sum\(v\): sum\(v\)/);
    expect(changed.position.events).toBe(0);
  });
});
