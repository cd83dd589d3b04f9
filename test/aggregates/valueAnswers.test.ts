import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Aggregate } from '../../src/aggregates/aggregate.ts';
import { collect, corr, covarPop, covarSamp, ema, first, histogram, last, maxBy, minBy, mode, slope, topK } from '../../src/aggregates/index.ts';
import { naiveAnswer } from '../../src/testing/naiveAnswer.ts';

/** Folds values at the times given: 0, 1, 2 and so on where there are none. */
function fold<In, State>(aggregate: Aggregate<In, State, unknown>, values: readonly In[], times?: readonly number[]): State {
  return values.reduce((state, value, i) => aggregate.reduce(state, value, times?.[i] ?? i), aggregate.zero());
}

function answer<In, State, Out>(aggregate: Aggregate<In, State, Out>, values: readonly In[], times?: readonly number[]): Out {
  return aggregate.finish(fold(aggregate, values, times));
}

describe('first and last', () => {
  test('go by event time, and by arrival at one time', () => {
    const values = ['late', 'a', 'b', 'c'], times = [5, 3, 3, 5];
    expect([answer(first, values, times), answer(last, values, times)]).toEqual(['a', 'c']);
    expect([answer(first, []), answer(last, [])]).toEqual([null, null]);
  });

  test('answer with what was there, but for -0, with dates of their own', () => {
    expect([answer(first, [NaN, 1]), answer(last, [1, NaN]), answer(first, [-0])]).toEqual([NaN, NaN, 0]);
    const date = new Date(5), state = fold(last, [date]);
    (last.finish(state) as Date).setTime(0);
    date.setTime(9);
    expect(last.finish(state)).toEqual(new Date(5));
  });
});

describe('minBy and maxBy', () => {
  const of = (by: readonly (readonly [unknown, number])[], times?: readonly number[]): unknown[] => [answer(minBy, by, times), answer(maxBy, by, times)];

  test('give the value of the earliest event that is ahead', () => {
    expect(of([['a', 2], ['b', 1], ['c', 1], ['d', 2]])).toEqual(['b', 'a']);
    expect(of([['a', 2], ['b', 1], ['c', 1], ['d', 2]], [9, 8, 7, 6])).toEqual(['c', 'd']);
    expect(of([['a', 1], ['b', 1]], [3, 3])).toEqual(['a', 'a']);
    expect(of([])).toEqual([null, null]);
  });

  test('NaN is ahead of every number, -0 is not of 0, and a null is an answer', () => {
    expect(of([['a', Infinity], ['b', NaN], ['c', 1]])).toEqual(['c', 'b']);
    expect(of([['a', 0], ['b', -0]])).toEqual(['a', 'a']);
    expect(of([[null, 1], ['b', 2]])).toEqual([null, 'b']);
  });

  test('text to order by goes by code point', () => {
    expect(answer(maxBy, [[1, '\uFFFD'], [2, '😀'], [3, 'z']])).toBe(2);
  });
});

describe('mode and topK', () => {
  test('the most frequent come first, of these the smallest', () => {
    const values = [3, 1, 2, 3, 2, 1, 9];
    expect(answer(mode, values)).toBe(1);
    expect(answer(topK(2), values)).toEqual([{ value: 1, count: 2 }, { value: 2, count: 2 }]);
    expect(answer(topK(9), values).map(({ value }) => value)).toEqual([1, 2, 3, 9]);
    expect([answer(mode, []), answer(topK(2), [])]).toEqual([null, []]);
  });

  test('NaN is one value, and the largest; -0 is 0; dates go by their instant', () => {
    expect(answer(topK(3), [NaN, -0, NaN, 0, 5])).toEqual([{ value: 0, count: 2 }, { value: NaN, count: 2 }, { value: 5, count: 1 }]);
    expect(answer(mode, [new Date(7), new Date(3), new Date(7)])).toEqual(new Date(7));
    expect(answer(topK(1), ['\uFFFD', '😀'])).toEqual([{ value: '\uFFFD', count: 1 }]);
  });
});

describe('histogram', () => {
  test('a value on an edge lies above it, and everything is counted', () => {
    expect(answer(histogram([0, 10]), [-Infinity, -5, -0, 0, 5, 10, 1e9, Infinity, NaN])).toEqual([2, 3, 4]);
    expect(answer(histogram([0]), [])).toEqual([0, 0]);
  });

  test('edges are its own', () => {
    const edges = [0, 10], aggregate = histogram(edges);
    edges[1] = 1;
    expect(answer(aggregate, [5])).toEqual([0, 1, 0]);
  });
});

describe('collect', () => {
  test('in order of time, then arrival; of more than the limit the latest', () => {
    expect(answer(collect(9), ['c', 'a', 'b', 'd'], [5, 1, 1, 5])).toEqual(['a', 'b', 'c', 'd']);
    expect(answer(collect(2), ['c', 'a', 'b', 'd'], [5, 1, 1, 5])).toEqual(['c', 'd']);
    expect(answer(collect(2), [])).toEqual([]);
  });

  test('keeps no more than twice the limit', () => {
    const state = fold(collect(10), Array.from({ length: 1000 }, (_, n) => n));
    expect(state.values.length).toBeLessThanOrEqual(20);
  });
});

describe('ema', () => {
  test('a value counts half as much for each half-life that it is older', () => {
    expect(answer(ema(10), [1, 4], [0, 10])).toBe((0.5 * 1 + 4) / 1.5);
    expect(answer(ema(10), [1, 4, 10], [0, 10, 20])).toBe((0.25 * 1 + 0.5 * 4 + 10) / 1.75);
    expect(answer(ema(10), [4, 1], [10, 0])).toBe((0.5 * 1 + 4) / 1.5); // late
    expect(answer(ema(10), [])).toBeNull();
  });

  test('of equal values it is that value, whatever it is', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.array(fc.double({ min: -1e13, max: 1e13, noNaN: true }), { minLength: 1 }), fc.constantFrom(1, 0.3, 7e9), (value, times, halfLife) => {
        expect(answer(ema(halfLife), times.map(() => value), times)).toBe(value + 0);
      }),
    );
  });

  test('is near the definition, with times far from zero, and close to each other', () => {
    const event = fc.record({ value: fc.double({ min: -1e3, max: 1e3, noNaN: true }), time: fc.integer({ min: 0, max: 400 }).map((ms) => 1.79e12 + ms / 8) });
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 40 }), fc.constantFrom(1, 10, 1e5, 1 / 3), (events, halfLife) => {
        const sorted = events.toSorted((a, b) => a.time - b.time);
        const given = answer(ema(halfLife), sorted.map(({ value }) => value), sorted.map(({ time }) => time))!;
        expect(Math.abs(given - (naiveAnswer(ema(halfLife), sorted) as number))).toBeLessThan(1e-11);
      }),
    );
  });

  test('does not depend on how its values are grouped, to the last digit', () => {
    const event = fc.tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: 1.79e12, max: 1.79e12 + 1e7, noNaN: true }));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60, size: 'max' }), fc.nat(60), fc.nat(60), (events, a, b) => {
        const aggregate = ema(60_000), of = (some: typeof events) => fold(aggregate, some.map(([value]) => value), some.map(([, time]) => time));
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const grouped = aggregate.merge(of(events.slice(0, from)), aggregate.merge(of(events.slice(from, to)), of(events.slice(to))));
        expect(aggregate.finish(grouped)).toBe(aggregate.finish(of(events)));
      }),
      { numRuns: 500 },
    );
  });

  test('what is large or old decides nothing that it should not', () => {
    expect(answer(ema(1), [1, 5], [0, 1e12])).toBe(5);
    expect(answer(ema(1), [1e300, 1e-300], [0, 4000])).toBe(1e-300);
    expect(answer(ema(1e15), [1.7e308, 1.7e308, -1.7e308], [0, 0, 0])).toBeCloseTo(1.7e308 / 3, -300);
    expect(answer(ema(10), [5e-324, 0, 0], [0, 0, 0])).toBe(0);
    expect(answer(ema(10), [Infinity, 1])).toBe(Infinity);
    expect(answer(ema(10), [Infinity, -Infinity])).toBe(NaN);
    expect(answer(ema(10), [-Infinity, 1], [0, 1e9])).toBe(-Infinity);
  });
});

describe('covariances and corr', () => {
  const all = [covarSamp, covarPop, corr] as const;
  const of = (pairs: readonly (readonly [number, number])[]): unknown[] => all.map((aggregate) => answer(aggregate, pairs));

  test('of none, one and two pairs', () => {
    expect(of([])).toEqual([null, null, null]);
    expect(of([[1, 2]])).toEqual([null, 0, null]);
    expect(of([[1, 2], [3, 6]])).toEqual([4, 2, 1]);
    expect(of([[1, 6], [3, 2]])).toEqual([-4, -2, -1]);
  });

  test('of a constant column there is no correlation', () => {
    expect(of([[1, 2], [1, 5], [1, 9]])).toEqual([0, 0, null]);
    expect(of([[2, 0.1], [3, 0.1], [4, 0.1]])).toEqual([0, 0, null]);
  });

  test('NaN and the infinities make NaN, and leave nothing behind', () => {
    for (const odd of [NaN, Infinity, -Infinity]) expect(of([[1, 2], [odd, 3], [4, 1]])).toEqual([NaN, NaN, NaN]);
    const without = corr.retract!(fold(corr, [[1, 2], [NaN, 1e300], [2, 4]]), [NaN, 1e300], 1);
    expect(corr.finish(without)).toBe(1);
  });

  test('a line is 1 or -1, however far from zero, and nothing is beyond', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1e12, max: 1e12 + 1e6 }), { minLength: 2 }), fc.constantFrom(-3, 0.5, 1e-9), (xs, factor) => {
        expect(answer(corr, xs.map((x) => [x, (x - 1e12) * factor * 2 ** 20]))).toBeCloseTo(Math.sign(factor), 12);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true }))), (pairs) => {
        expect(Math.abs(answer(corr, pairs) ?? 0)).not.toBeGreaterThan(1);
      }),
    );
  });
});

describe('slope', () => {
  test('is per second, wherever the times are', () => {
    expect(answer(slope, [0, 1, 2], [0, 1000, 2000])).toBe(1);
    expect(answer(slope, [5, 4.5], [1.79e12, 1.79e12 + 250])).toBe(-2);
    expect(answer(slope, [1, 3, 2], [1.79e12, 1.79e12 + 0.5, 1.79e12 + 1])).toBe(1000);
    expect(answer(slope, [2, 0, 1], [2000, 0, 1000])).toBe(1); // late
  });

  test('needs two instants', () => {
    expect([answer(slope, []), answer(slope, [1], [0]), answer(slope, [1, 2], [7, 7])]).toEqual([null, null, null]);
    expect(answer(slope, [1, NaN], [0, 1])).toBe(NaN);
  });
});
