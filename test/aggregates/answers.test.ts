import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Aggregate } from '../../src/aggregates/aggregate.ts';
import type { Occurrences } from '../../src/aggregates/occurrences.ts';
import { approxCountDistinct, approxPercentile, avg, count, countDistinct, max, min, stddevPop, stddevSamp, sum, varPop, varSamp } from '../../src/aggregates/index.ts';

function answer<In, State, Out>(aggregate: Aggregate<In, State, Out>, values: readonly In[]): Out {
  return aggregate.finish(values.reduce((state, value, i) => aggregate.reduce(state, value, i), aggregate.zero()));
}

// Columns of the table: the values, and what each aggregate says of them.
const table: readonly [string, readonly number[], Readonly<Record<string, number | null>>][] = [
  ['nothing', [], { count: 0, sum: null, avg: null, min: null, max: null, var_samp: null, var_pop: null, stddev_samp: null, stddev_pop: null, approx_count_distinct: 0, approx_percentile: null }],
  ['one value', [7], { count: 1, sum: 7, avg: 7, min: 7, max: 7, var_samp: null, var_pop: 0, stddev_samp: null, stddev_pop: 0, approx_count_distinct: 1, approx_percentile: 7 }],
  ['two values', [1, 4], { count: 2, sum: 5, avg: 2.5, min: 1, max: 4, var_samp: 4.5, var_pop: 2.25, stddev_samp: Math.sqrt(4.5), stddev_pop: 1.5, approx_count_distinct: 2, approx_percentile: 1 }],
  ['minus zero', [-0], { count: 1, sum: 0, avg: 0, min: 0, max: 0, var_pop: 0, approx_count_distinct: 1, approx_percentile: 0 }],
  ['both zeros', [0, -0, -0], { sum: 0, avg: 0, min: 0, max: 0, var_samp: 0, approx_count_distinct: 1, approx_percentile: 0 }],
  ['NaN alone', [NaN], { count: 1, sum: NaN, avg: NaN, min: NaN, max: NaN, var_samp: null, var_pop: NaN, stddev_pop: NaN, approx_count_distinct: 1, approx_percentile: NaN }],
  ['NaN among numbers', [NaN, 3, NaN, 1], { count: 4, sum: NaN, avg: NaN, min: 1, max: NaN, var_samp: NaN, stddev_samp: NaN, approx_count_distinct: 3, approx_percentile: 3 }],
  ['an infinity', [1, Infinity], { sum: Infinity, avg: Infinity, min: 1, max: Infinity, var_samp: NaN, var_pop: NaN }],
  ['minus infinity', [1, -Infinity], { sum: -Infinity, avg: -Infinity, min: -Infinity, max: 1, var_samp: NaN }],
  ['both infinities', [Infinity, 5, -Infinity], { sum: NaN, avg: NaN, min: -Infinity, max: Infinity, var_pop: NaN }],
  ['an overflow on the way', [1.5e308, 1.2e308, -1.4e308], { sum: 1.5e308 - 1.4e308 + 1.2e308, avg: (1.5e308 - 1.4e308 + 1.2e308) / 3, min: -1.4e308, max: 1.5e308, approx_percentile: 1.2e308 }],
  ['an overflow of the sum alone', [1.5e308, 1.2e308], { sum: Infinity, avg: 1.35e308 }],
  ['constants', [0.1, 0.1, 0.1], { sum: 0.30000000000000004, avg: 0.1, var_samp: 0, var_pop: 0, stddev_samp: 0, stddev_pop: 0, approx_count_distinct: 1 }],
  ['tiny values', [1e-73, 2e-73, 3e-73], { sum: 6e-73, avg: 2e-73, var_samp: 1e-146, var_pop: 2e-146 / 3 }],
  ['the smallest double', [5e-324, 5e-324, 0], { sum: 1e-323, avg: 5e-324, min: 0, max: 5e-324 }],
  ['cancelling to less than the smallest double', [-5e-324, 0], { avg: 0 }],
  ['large with small', [1e16, 1, -1e16], { sum: 1, avg: 1 / 3 }],
  ['close together, far from zero', [1.7e12, 1.7e12 + 1, 1.7e12 + 2], { avg: 1.7e12 + 1, var_samp: 1, var_pop: 2 / 3, stddev_samp: 1 }],
];

const aggregates: readonly Aggregate<number, never, unknown>[] = [
  count,
  sum,
  avg,
  min,
  max,
  varSamp,
  varPop,
  stddevSamp,
  stddevPop,
  approxCountDistinct(),
  approxPercentile(0.5),
] as never[];

describe('of numbers', () => {
  test.each(table)('%s', (_, values, expected) => {
    for (const aggregate of aggregates.filter(({ name }) => name in expected)) {
      const wanted = expected[aggregate.name];
      const given = answer(aggregate, values);
      if (typeof wanted === 'number' && wanted !== 0 && Number.isFinite(wanted) && /var|stddev/.test(aggregate.name)) {
        expect((given as number) / wanted, aggregate.name).toBeCloseTo(1, 14);
      } else expect(given, aggregate.name).toBe(wanted);
    }
  });

  test('a sum is the nearest double, in any order', () => {
    const decimals = Array.from({ length: 10 }, (_, i) => (i + 1) / 10);
    expect(answer(sum, decimals)).toBe(5.5);
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true })), (values) => {
        expect(answer(sum, values.toReversed())).toBe(answer(sum, values));
      }),
    );
  });

  test('integers give their exact sum, rounded once', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1 }), (values) => {
        const exact = values.reduce((total, value) => total + BigInt(value), 0n);
        expect(answer(sum, values)).toBe(Number(exact));
      }),
    );
  });

  test('a variance is never negative, and 0 for constants only', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1e11, max: 1e13, noNaN: true }), { minLength: 2 }), (values) => {
        const variance = answer(varSamp, values) ?? NaN;
        expect(variance > 0).toBe(new Set(values).size > 1);
        expect(variance >= 0).toBe(true);
      }),
    );
  });
});

describe('of bigints', () => {
  const large = 2n ** 70n;
  test('sums are exact, means are the nearest number', () => {
    expect(answer(sum, [large, 1n, -1n])).toBe(large);
    expect(answer(sum, [1n, -1n])).toBe(0n);
    expect(answer(avg, [large, large + 2n])).toBe(2 ** 70);
    expect(answer(avg, [1n, 2n])).toBe(1.5);
    expect(answer(avg, [2n, 2n, 1n])).toBe(5 / 3);
    expect(answer(avg, [10n ** 400n])).toBe(Infinity);
    expect(answer(avg, [-(10n ** 400n)])).toBe(-Infinity);
  });

  test('extremes are bigints', () => {
    expect(answer(min, [3n, -large, 0n])).toBe(-large);
    expect(answer(max, [3n, large, 0n])).toBe(large);
  });
});

describe('of other values', () => {
  test('text goes by code point, where UTF-16 units go otherwise', () => {
    expect(answer(max, ['\uE000', '😀', 'z'])).toBe('😀');
    expect(answer(min, ['\uFFFD', '😀'])).toBe('\uFFFD');
    expect(answer(max, ['a😀', 'a\uFFFD', 'a'])).toBe('a😀');
    // The same first half of a pair, then another unit: the code points differ where the pair begins.
    expect(answer(max, ['\uD83D\uE000', '😀'])).toBe('😀');
    expect(answer(min, ['ab', 'a', 'abc'])).toBe('a');
    expect(answer(min, ['', 'a'])).toBe('');
  });

  test('text goes like its bytes in UTF-8', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(answer(min, [a, b])).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)) <= 0 ? a : b);
      }),
    );
  });

  test('false comes before true', () => {
    expect(answer(min, [true, false])).toBe(false);
    expect(answer(max, [false, true])).toBe(true);
  });

  test('dates answer with dates of their own', () => {
    const [early, late] = [new Date(1000), new Date(2000)];
    const state = max.reduce(max.reduce(max.zero(), late, 0), early, 1);
    const first = max.finish(state);
    expect(first).toEqual(new Date(2000));
    late.setTime(0);
    (first as Date).setTime(0);
    expect(max.finish(state)).toEqual(new Date(2000));
  });
});

describe('approxCountDistinct', () => {
  test('tells values apart by type and value, and dates from their epochs', () => {
    expect(answer(approxCountDistinct(), [1, '1', 1n, true, new Date(1), new Date(1), NaN, NaN, 0, -0, 'date:1'])).toBe(8);
  });

  test.each([0, 1, -0.1, NaN, Infinity, 0.0005])('refuses an rsd of %s', (rsd) => {
    expect(() => approxCountDistinct(rsd)).toThrow(expect.objectContaining({ code: 'invalid-measure' }));
  });
});

describe('countDistinct', () => {
  test('tells values apart by type and value, and dates from their epochs', () => {
    expect(answer(countDistinct, [1, '1', 1n, true, new Date(1), new Date(1), NaN, NaN, 0, -0, 'date:1'])).toBe(8);
  });

  test('counts a value until it was taken out as often as it came', () => {
    const without = (state: Occurrences, value: unknown): Occurrences => countDistinct.retract!(state, value, 0);
    let state = ['a', 'b', 'a'].reduce((s, value) => countDistinct.reduce(s, value, 0), countDistinct.zero());
    state = without(state, 'a');
    expect(countDistinct.finish(state)).toBe(2);
    state = without(state, 'a');
    expect(countDistinct.finish(state)).toBe(1);
  });
});

describe('approxPercentile', () => {
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

  // The double of p may lie above its decimal, and p * n above a whole number: the rank is what the decimal says.
  test.each([
    [0.95, 20, 19],
    [0.07, 100, 7],
    [0.29, 100, 29],
    [0.57, 100, 57],
    [0.999, 1000, 999],
    [0.1, 30, 3],
    [0.55, 1000, 550],
    [1 / 3, 3, 1],
    [0.5, 5, 3],
    [0.501, 1000, 501],
    [0.5001, 1000, 501],
    [0, 10, 1],
    [1, 10, 10],
    [1e-12, 10, 1],
  ])('p = %s of 1 to %i is %i', (p, n, expected) => {
    expect(answer(approxPercentile(p), upTo(n))).toBe(expected);
  });

  test('every percent of every length up to 300 is at the rank that whole numbers give', () => {
    for (let n = 1; n <= 300; n++) {
      const values = upTo(n);
      const percents = upTo(100);
      const expected = percents.map((percent) => Math.ceil((percent * n) / 100));
      expect(answer(approxPercentile(percents.map((percent) => percent / 100)), values), `n = ${n}`).toEqual(expected);
    }
  });

  test('a list gives a list, one probability gives one value', () => {
    const list = approxPercentile([0.5, 0, 1]);
    expect(answer(list, [3, 1, 2])).toEqual([2, 1, 3]);
    expect(answer(list, [])).toBeNull();
    expect(list.parameters).toEqual({ p: [0.5, 0, 1] });
    expect(answer(approxPercentile([0.5]), [4])).toEqual([4]);
    expect(approxPercentile(0.5).parameters).toEqual({ p: 0.5 });
  });

  test('NaN is the largest value', () => {
    expect(answer(approxPercentile([0.5, 0.75, 1]), [NaN, Infinity, 1, 2])).toEqual([2, Infinity, NaN]);
  });

  test.each([[[]], [[0.5, 1.1]], [-0.01], [NaN], ['0.5'], [null], [[[0.5]]]])('refuses the probability %o', (p) => {
    expect(() => approxPercentile(p as number)).toThrow(expect.objectContaining({ code: 'invalid-measure' }));
  });
});
