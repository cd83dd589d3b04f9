import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binaryLogarithm } from '../../src/aggregates/binaryLogarithm.ts';

const positive = fc.double({ min: Number.MIN_VALUE, noNaN: true, noDefaultInfinity: true });

test('is the logarithm, to the last digits of a double', () => {
  fc.assert(
    fc.property(fc.oneof(positive, fc.double({ min: 0.25, max: 4, noNaN: true })), (value) => {
      const exact = Math.log2(value);
      expect(Math.abs(binaryLogarithm(value) - exact)).toBeLessThanOrEqual(2e-14 + 2 ** -52 * Math.abs(exact));
    }),
    { numRuns: 20_000 },
  );
});

test.each([0, 1, -1, 10, -1022, -1023, -1060, -1074, 1023])('is exact for 2 ** %i', (exponent) => {
  expect(binaryLogarithm(2 ** exponent)).toBe(exponent);
});

// Cells meet halfway between two 256ths: both sides of a meeting, and of a power of two, by one double.
test.each([1 + 1 / 512, 1 + 3 / 512, 2 - 1 / 512, 1, 2, 2 ** -1022])('has no step at %d', (border) => {
  for (const value of [border * (1 - 2 ** -53), border, border * (1 + 2 ** -52)]) {
    expect(Math.abs(binaryLogarithm(value) - Math.log2(value))).toBeLessThanOrEqual(2e-14 + 2 ** -52 * Math.abs(Math.log2(value)));
  }
});
