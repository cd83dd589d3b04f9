import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearestDouble, scaled, squareRoot, total } from '../../src/testing/exact.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const withoutSign = (value: number): number => (value === 0 ? 0 : value);

/** The processor rounds single operations correctly, so each of them judges the judge. */
describe('exact arithmetic, rounded once, agrees with the one operation that the processor rounds correctly', () => {
  test('a double is itself', () => {
    fc.assert(
      fc.property(finite, (value) => {
        const { integers, exponent } = scaled([value]);
        expect(nearestDouble(total(integers), 1n, exponent)).toBe(withoutSign(value));
      }),
      { numRuns: 2000 },
    );
  });

  test('the sum of two', () => {
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        const { integers, exponent } = scaled([a, b]);
        expect(nearestDouble(total(integers), 1n, exponent)).toBe(withoutSign(a + b));
      }),
      { numRuns: 5000, examples: [[1.5e308, 1.2e308], [Number.MAX_VALUE, 2 ** 969], [Number.MAX_VALUE, 2 ** 970], [5e-324, -1e-323], [1, 2 ** -53], [1, 3 * 2 ** -54]] },
    );
  });

  test('the quotient of two', () => {
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        fc.pre(b !== 0);
        const [numerator, denominator] = [scaled([a]), scaled([Math.abs(b)])];
        const [dividend = 0n, divisor = 0n] = [numerator.integers[0], denominator.integers[0]];
        expect(nearestDouble(dividend, divisor, numerator.exponent - denominator.exponent)).toBe(withoutSign(a / Math.abs(b)));
      }),
      { numRuns: 5000 },
    );
  });

  test('the square root, within a unit in the last place', () => {
    fc.assert(
      fc.property(finite, (a) => {
        const { integers, exponent } = scaled([Math.abs(a)]);
        const root = Math.sqrt(Math.abs(a));
        expect(Math.abs(squareRoot(integers[0] ?? 0n, 1n, exponent) - root)).toBeLessThanOrEqual(root * Number.EPSILON);
      }),
      { numRuns: 2000 },
    );
  });

  test('the square root of a square that no double can hold', () => {
    const { integers, exponent } = scaled([1e-200, 1e200]);
    expect(squareRoot((integers[0] ?? 0n) ** 2n, 1n, 2 * exponent)).toBeCloseTo(1e-200, 210);
    expect(squareRoot((integers[1] ?? 0n) ** 2n, 1n, 2 * exponent)).toBe(1e200);
  });

  test('bigints and doubles share a scale', () => {
    const { integers, exponent } = scaled([2n ** 60n, 0.5]);
    expect(exponent).toBeLessThan(0);
    expect(integers.map((integer) => integer >> BigInt(-exponent))).toEqual([2n ** 60n, 0n]);
  });
});
