import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moments } from '../../src/aggregates/moments.ts';
import { nearestDouble, scaled, total } from '../../src/testing/exact.ts';

/** The exact variance, rounded once. */
function variance(values: readonly number[], fewer: 0 | 1): number {
  const { integers, exponent } = scaled(values), n = BigInt(values.length);
  return nearestDouble(n * total(integers.map((integer) => integer * integer)) - total(integers) ** 2n, n * (n - BigInt(fewer)), 2 * exponent);
}
function momentsOf(values: readonly number[]): Float64Array {
  const state = new Float64Array(moments.width);
  moments.fold(state, 0, 0, Float64Array.from(values), 0, values.length, 1);
  return state;
}
/** Values that lie close together, far from zero, or spread over many sizes. */
const values = fc.oneof(
  fc.tuple(fc.constantFrom(0, 1e9, -1.79e12, 1e15, 1 / 3), fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 40, size: 'max' })).map(([base, list]) => list.map((value) => base + value)),
  fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: -40, max: 40 })).map(([value, power]) => value * 10 ** power), { minLength: 1, maxLength: 40, size: 'max' }),
).map((list) => list.map((value) => (Math.abs(value) < 1e-60 ? 0 : value)));

function expectVariance(state: Float64Array, list: readonly number[]): void {
  for (const fewer of [0, 1] as const) {
    if (list.length <= fewer) continue;
    const expected = variance(list, fewer), given = moments.variance(state, 0, list.length - fewer);
    expect(given).toBeGreaterThanOrEqual(0);
    expect(Math.abs(given - expected)).toBeLessThanOrEqual(1e-12 * expected);
  }
}

describe('moments', () => {
  test('the variance of values added one by one is the exact one', () => {
    fc.assert(fc.property(values, (list) => expectVariance(momentsOf(list), list)), { numRuns: 800 });
  });

  test('merged in any groups it is the same', () => {
    fc.assert(
      fc.property(values, fc.array(fc.nat(40), { maxLength: 5 }), (list, cuts) => {
        const state = new Float64Array(moments.width);
        const places = [0, ...cuts.map((cut) => Math.min(cut, list.length)).sort((a, b) => a - b), list.length];
        places.slice(1).forEach((end, i) => {
          const part = list.slice(places[i], end);
          if (part.length > 0) moments.merge(state, 0, places[i]!, momentsOf(part), 0, part.length);
        });
        expectVariance(state, list);
      }),
      { numRuns: 800 },
    );
  });

  test('of equal values it is exactly 0, however they are grouped', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (value, n1, n2) => {
        const state = momentsOf(Array<number>(n1).fill(value));
        moments.merge(state, 0, n1, momentsOf(Array<number>(n2).fill(value)), 0, n2);
        expect(moments.variance(state, 0, n1 + n2)).toBe(0);
      }),
    );
  });

  test('an infinity or a NaN leaves NaN, alone or among others, added or merged', () => {
    for (const odd of [NaN, Infinity, -Infinity]) {
      for (const list of [[odd], [1, odd, 2], [odd, -odd]]) {
        expect(moments.variance(momentsOf(list), 0, list.length)).toBeNaN();
        const state = momentsOf([3, 4]);
        moments.merge(state, 0, 2, momentsOf(list), 0, list.length);
        expect(moments.variance(state, 0, 2 + list.length)).toBeNaN();
      }
    }
  });

  test('finite values too far apart for their squares leave infinity, never NaN', () => {
    for (const list of [[1.7e308, -1.7e308], [1e300, 0, 0, -1e300], [0, 1.5e308, 1.2e308]]) {
      expect(moments.variance(momentsOf(list), 0, list.length)).toBe(Infinity);
      const state = momentsOf([1]);
      moments.merge(state, 0, 1, momentsOf(list), 0, list.length);
      expect(moments.variance(state, 0, list.length + 1)).toBe(Infinity);
    }
  });
});
