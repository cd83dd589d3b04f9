import { describe, expect, test } from 'vitest';
import { avg, collect, count, createEngine, max, preceding, range, RollingWindowError, rows, since, sliding, sum, tumbling } from '../../src/index.ts';

describe('since(range(d))', () => {
  test.each(['right', 'both'] as const)("closed: '%s': holds what came since the last multiple, which is inside, and empties there by itself", (closed) => {
    const engine = createEngine<{ t: number }>()({ partitionBy: [], orderBy: 't', closed, measures: [count().over(since(range(60_000))).as('n')] });
    const counts = (now: number): number[] => engine.advance(now).map(({ n }) => n);
    for (const t of [119_999, 120_000, 120_001]) engine.push({ t }, t);
    expect(counts(119_999)).toEqual([1]);
    expect(engine.nextBoundary()).toBe(120_000);
    expect(counts(120_000)).toEqual([]); // one minute ends, the other begins with the event on its first instant
    expect(engine.query({}).n).toBe(1);
    expect(counts(120_001)).toEqual([2]);
    engine.push({ t: 120_000.5 }, 179_999);
    engine.push({ t: 119_999.5 }, 179_999);
    expect(counts(179_999)).toEqual([3]);
    expect(engine.nextBoundary()).toBe(180_000);
    expect(engine.query({}, 180_000).n).toBe(0);
    expect(counts(180_000)).toEqual([0]);
    expect(engine.stats.keys).toBe(0);
  });

  test('stands beside windows that look back, over the same events', () => {
    const engine = createEngine<{ t: number }>()({ partitionBy: [], orderBy: 't', measures: [count().over(since(range(100))).as('since'), count().over(preceding(range(100))).as('last')] });
    for (const t of [50, 99, 100, 130]) engine.push({ t }, t);
    expect(engine.advance(140)).toMatchObject([{ since: 2, last: 4 }]);
    expect(engine.advance(150)).toMatchObject([{ since: 2, last: 3 }]);
    expect(engine.advance(200)).toMatchObject([{ since: 0, last: 1 }]);
  });

  test.each([undefined, null, '1 hour', {}, 5])('preceding(%j) says what it takes', (length) => {
    expect(() => preceding(length as never)).toThrow(/range\('1 hour'\)/);
  });

  test('rows have no multiples', () => {
    expect(() => since(rows(3) as never)).toThrow(RollingWindowError);
    expect(() => since(undefined as never)).toThrow(/range\('1 day'\)/);
  });
});

interface Reading {
  readonly t: number;
  readonly v?: number | null;
  readonly k?: string;
}

describe('preceding(rows(n))', () => {
  const start = () => createEngine<Reading>()({ partitionBy: [], orderBy: 't', measures: [collect('v', 10).over(preceding(rows(3))).as('last'), count().over(preceding(rows(3))).as('n')] });

  test('holds the last n events, however old; they do not leave, and the key stays', () => {
    const engine = start();
    for (const t of [1, 2, 3, 4]) engine.push({ t, v: t }, t);
    expect(engine.advance(4)).toMatchObject([{ last: [2, 3, 4], n: 3 }]);
    expect(engine.nextBoundary()).toBeUndefined();
    expect(engine.advance(1e12)).toEqual([]);
    expect([engine.removed, engine.stats.keys, engine.stats.events]).toEqual([[], 1, 3]);
    expect(engine.query({}).last).toEqual([2, 3, 4]);
  });

  test('a null takes a place, and so does what a filter refuses: both as in SQL', () => {
    const engine = createEngine<Reading>()({ partitionBy: [], orderBy: 't', measures: [avg('v').over(preceding(rows(3))).as('avg'), count().over(preceding(rows(3))).filter(({ v }: Reading) => v !== 8).as('others')] });
    for (const [t, v] of [[1, 100], [2, null], [3, 8], [4, 4]] as const) engine.push({ t, v }, t);
    expect(engine.advance(4)).toMatchObject([{ avg: 6, others: 2 }]);
  });

  test('a late event pushes out the oldest, one before all of them changes nothing; at one instant the later arrival is the newer', () => {
    const engine = start();
    for (const t of [10, 20, 30]) engine.push({ t, v: t }, 30);
    engine.advance(30);
    expect([engine.push({ t: 25, v: 25 }, 30), engine.push({ t: 5, v: 5 }, 30)]).toEqual(['counted', 'counted']);
    expect(engine.stats.events).toBe(3);
    expect(engine.advance(30)).toMatchObject([{ last: [20, 25, 30] }]);
    engine.push({ t: 20, v: 21 }, 30);
    expect(engine.advance(30)).toMatchObject([{ last: [21, 25, 30] }]);
    expect([engine.stats.outside, engine.stats.events]).toEqual([0, 3]);
  });

  test('what comes before all that is stored is not stored, wherever in its block the first one lies', () => {
    for (let last = 101; last < 270; last += 4) {
      const engine = createEngine<Reading>()({ partitionBy: [], orderBy: 't', measures: [sum('t').over(preceding(rows(100))).as('sum'), count().as('all')] });
      for (let t = 1; t <= last; t++) engine.push({ t }, t);
      engine.advance(last);
      for (const t of [0, -1]) engine.push({ t }, last);
      expect(engine.stats.events).toBe(100);
      expect(engine.advance(last)).toMatchObject([{ sum: 100 * last - 4950, all: last + 2 }]);
    }
  });

  test('where it is not full yet, an event counts however old', () => {
    const engine = start();
    engine.push({ t: 1000, v: 1 }, 1000);
    engine.advance(1e9);
    expect(engine.push({ t: -1e9, v: 2 }, 1e9)).toBe('counted');
    expect(engine.advance(1e9)).toMatchObject([{ last: [2, 1] }]);
  });

  test('held events enter when the frontier reaches them, in a question too', () => {
    const engine = start();
    for (const t of [1, 2, 3, 50, 60]) engine.push({ t, v: t }, 3);
    expect(engine.advance(3)).toMatchObject([{ last: [1, 2, 3] }]);
    expect(engine.query({}, 55).last).toEqual([2, 3, 50]);
    expect(engine.query({}, 60).last).toEqual([3, 50, 60]);
    expect(engine.nextBoundary()).toBe(50);
    expect(engine.advance(60)).toMatchObject([{ last: [3, 50, 60] }]);
  });

  test('stands beside a window in time: each keeps what it needs of the same events', () => {
    const engine = createEngine<Reading>()({ partitionBy: 'k', orderBy: 't', measures: [sum('v').over(preceding(rows(2))).as('two'), sum('v').over(preceding(range(10))).as('ten')] });
    for (let t = 1; t <= 9; t++) engine.push({ k: 'a', t, v: t }, t);
    expect(engine.advance(9)).toMatchObject([{ two: 17, ten: 45 }]);
    expect([engine.stats.events, engine.nextBoundary()]).toEqual([9, 11]);
    expect(engine.advance(18)).toMatchObject([{ two: 17, ten: 9 }]);
    expect(engine.stats.events).toBe(2);
    expect(engine.advance(100)).toMatchObject([{ two: 17, ten: null }]);
    expect([engine.stats.events, engine.nextBoundary()]).toEqual([2, undefined]);
  });

  test.each([0, -1, 1.5, NaN, Infinity, '3', undefined, 2 ** 53])('rows(%s) says what it takes', (n) => {
    expect(() => rows(n as number)).toThrow(RollingWindowError);
    expect(() => rows(n as number)).toThrow('[invalid-measure] expected a whole number of rows from 1');
  });
});

describe('sliding(size, step) and tumbling(length)', () => {
  test.each(['right', 'both'] as const)("closed: '%s': a window shows complete steps only, and wakes itself when one is complete", (closed) => {
    const engine = createEngine<Reading>()({ partitionBy: [], orderBy: 't', closed, measures: [collect('t', 10).over(sliding(range(20), range(10))).as('in')] });
    const list = (now: number): unknown[] => engine.advance(now).map((row) => row.in);
    for (const t of [0, 5, 10, 11, 20]) engine.push({ t }, t);
    expect(list(9)).toEqual([[0]]); // (-20, 0]
    expect(engine.nextBoundary()).toBe(10);
    expect(engine.query({}, 15).in).toEqual([0, 5, 10]);
    expect(list(19)).toEqual([[0, 5, 10]]); // (-10, 10]
    expect(list(20)).toEqual([[5, 10, 11, 20]]); // (0, 20]
    expect(engine.nextBoundary()).toBe(30);
    expect(list(29.9)).toEqual([]);
    expect(list(30)).toEqual([[11, 20]]);
    expect(list(40)).toEqual([[]]); // empties by itself, once
    expect([engine.removed, engine.stats.keys, engine.nextBoundary()]).toEqual([[{}], 0, undefined]);
  });

  test('an event that waits does not wake anybody before its step is complete', () => {
    const engine = createEngine<Reading>()({ partitionBy: [], orderBy: 't', frontierSpec: { delay: 5 }, measures: [count().over(tumbling(range(60))).as('n')] });
    engine.push({ t: 61 }, 61);
    expect(engine.nextBoundary()).toBe(125);
    expect(engine.nextBoundary({})).toBe(125);
    expect(engine.advance(124)).toEqual([]);
    expect(engine.nextBoundary()).toBe(125);
    expect(engine.advance(125)).toMatchObject([{ __frontier: 120, n: 1 }]);
    expect(engine.advance(185)).toMatchObject([{ __frontier: 180, n: 0 }]);
  });

  test('late events count in the step that is shown, and in later ones', () => {
    const engine = createEngine<Reading>()({ partitionBy: [], orderBy: 't', measures: [sum('v').over(tumbling(range(100))).as('done'), sum('v').over(since(range(100))).as('running')] });
    for (const [t, v] of [[50, 1], [150, 10]] as const) engine.push({ t, v }, t);
    expect(engine.advance(160)).toMatchObject([{ done: 1, running: 10 }]);
    engine.push({ t: 90, v: 2 }, 160);
    engine.push({ t: 120, v: 20 }, 160);
    expect(engine.advance(170)).toMatchObject([{ done: 3, running: 30 }]);
    expect(engine.push({ t: 0, v: 4 }, 170)).toBe('outside'); // of (0, 100] the beginning is outside
    expect(engine.push({ t: 100, v: 4 }, 170)).toBe('counted'); // on the border: it ends one, and begins the other
    expect(engine.advance(170)).toMatchObject([{ done: 7, running: 34 }]);
    expect(engine.advance(200)).toMatchObject([{ done: 30, running: null }]);
  });

  test('where steps are longer than windows, what lies between two counts in neither, and is given back when the step is complete', () => {
    const engine = createEngine<Reading>()({ partitionBy: [], orderBy: 't', measures: [collect('t', 10).over(sliding(range(5), range(12))).as('in')] });
    for (const t of [1, 7, 8, 12]) engine.push({ t }, t);
    expect(engine.advance(11)).toEqual([]);
    expect([engine.stats.events, engine.stats.held]).toEqual([4, 1]); // what has come at 12 has not entered
    expect(engine.advance(12)).toMatchObject([{ in: [8, 12] }]);
    expect(engine.stats.events).toBe(2);
    expect(engine.advance(24)).toMatchObject([{ in: [] }]);
  });

  test('frames of every kind share the events of a key', () => {
    const engine = createEngine<Reading>()({
      partitionBy: [],
      orderBy: 't',
      measures: [count().as('all'), count().over(preceding(range(30))).as('range'), count().over(since(range(50))).as('since'), count().over(sliding(range(40), range(20))).as('steps'), count().over(tumbling(range(50))).as('last'), max('t').over(preceding(rows(2))).as('rows')],
    });
    for (let t = 1; t <= 99; t++) engine.push({ t }, t);
    expect(engine.advance(99)).toMatchObject([{ all: 99, range: 30, since: 50, steps: 40, last: 50, rows: 99 }]);
    expect(engine.stats.events).toBe(99); // of (0, 50] the first is still shown
    expect(engine.advance(130)).toMatchObject([{ all: 99, range: 0, since: 0, steps: 19, last: 49, rows: 99 }]);
    expect(engine.stats.events).toBe(49);
  });

  test('tumbling is sliding by its own length', () => {
    expect(tumbling(range('1 hour')).edge.text).toBe(sliding(range('1 hour'), range('PT60M')).edge.text);
  });

  test.each([undefined, null, '1 hour', rows(3), {}])('%j is no range', (length) => {
    expect(() => sliding(length as never, range(1))).toThrow(RollingWindowError);
    expect(() => sliding(range(1), length as never)).toThrow("[invalid-measure] expected ranges, as in sliding(range('1 hour'), range('5 minutes'))");
    expect(() => tumbling(length as never)).toThrow(/ranges/);
  });
});
