import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RelativeScale } from '../../src/aggregates/relativeScale.ts';

const normal = fc.double({ min: 2 ** -1022, noNaN: true, noDefaultInfinity: true });

describe.each([0.001, 0.01, 0.1, 0.5, 0.6, 0.9])('with an accuracy of %d', (accuracy) => {
  const scale = new RelativeScale(accuracy);
  const errorOf = (value: number): number => Math.abs(scale.numberOf(scale.keyOf(value)) - value);

  test('a number is within the accuracy of what stands for it, strictly', () => {
    fc.assert(
      fc.property(normal, (value) => {
        expect(errorOf(value)).toBeLessThanOrEqual(accuracy * value);
      }),
      { numRuns: 5000 },
    );
  });

  // 1 ends a bin, and so is as far from its middle as can be.
  test.each([1, 2, 1e-300, 1e300, 2 ** -1022, Number.MAX_VALUE, Number.MAX_VALUE * (1 - accuracy / 2)])('so is %d', (value) => {
    expect(errorOf(value)).toBeLessThanOrEqual(accuracy * value);
  });

  test('so is the smallest that shares a key with the largest double, although their bin reaches beyond it', () => {
    let from = Number.MAX_VALUE / 4 / ((1 + accuracy) / (1 - accuracy)), to = Number.MAX_VALUE;
    for (let i = 0; i < 60; i++) {
      const middle = from + (to - from) / 2;
      if (scale.keyOf(middle) === scale.keyOf(Number.MAX_VALUE)) to = middle;
      else from = middle;
    }
    expect(errorOf(to)).toBeLessThanOrEqual(accuracy * to);
  });

  test.each([Number.MIN_VALUE, 3 * Number.MIN_VALUE, 1e-320])('%d, which has few digits, within the smallest double besides', (value) => {
    expect(errorOf(value)).toBeLessThanOrEqual(accuracy * value + Number.MIN_VALUE);
    expect(scale.numberOf(scale.keyOf(value))).toBeGreaterThan(0);
  });

  test('of two numbers the larger has no smaller key, and a larger key no smaller number', () => {
    fc.assert(
      fc.property(normal, fc.double({ min: 1.000001, max: 10, noNaN: true }), (value, factor) => {
        const [a, b] = [scale.keyOf(value), scale.keyOf(Math.min(value * factor, Number.MAX_VALUE))];
        expect(b).toBeGreaterThanOrEqual(a);
        expect(scale.numberOf(b)).toBeGreaterThanOrEqual(scale.numberOf(a));
      }),
    );
  });
});
