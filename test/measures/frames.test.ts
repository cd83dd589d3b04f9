import { describe, expect, test } from 'vitest';
import { calendar } from '../../operators/luxon/index.ts';
import { count, createEngine, preceding, range, RollingWindowError, since } from '../../src/index.ts';

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

  test('a length by the calendar has no multiples', () => {
    const month = calendar({ months: 1 }, { zone: 'utc' });
    expect(() => since(month as never)).toThrow(RollingWindowError);
    expect(() => since(undefined as never)).toThrow(/range\('1 day'\)/);
  });
});
