import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ratio, units } from '../../src/aggregates/exact.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

test('a double comes back from its units, but for the sign of zero', () => {
  fc.assert(
    fc.property(finite, (value) => {
      expect(ratio(units(value), 1n << 1074n)).toBe(value + 0);
    }),
    { examples: [[5e-324], [-5e-324], [Number.MAX_VALUE], [2 ** -1022], [0.1], [-0]] },
  );
  expect(units(5e-324)).toBe(1n);
  expect(units(-1.5)).toBe(-(3n << 1073n));
});

test('a quotient of two doubles is rounded like the division of the processor', () => {
  fc.assert(
    fc.property(finite, finite, (a, b) => {
      if (b === 0) return;
      expect(ratio(units(b < 0 ? -a : a), units(Math.abs(b)))).toBe(a / b + 0);
    }),
    {
      numRuns: 2000,
      // Halfway between two doubles, below the normal ones, and at the edge of infinity.
      examples: [[3 * 5e-324, 2], [5e-324, 2], [-5e-324, 2], [5 * 5e-324, 2], [1e-310, 3], [Number.MAX_VALUE, 0.5], [Number.MAX_VALUE, 1 - 2 ** -53], [1, 3], [2 ** 53 + 2, 4]],
    },
  );
});

test('ties go to the even neighbour, and anything beyond a tie does not', () => {
  const half = 2n ** 53n + 1n;
  expect(ratio(half, 1n)).toBe(2 ** 53);
  expect(ratio((half << 200n) + 1n, 1n << 200n)).toBe(2 ** 53 + 2);
  expect(ratio((half << 200n) - 1n, 1n << 200n)).toBe(2 ** 53);
  expect(ratio((1n << 200n) + 1n, 1n << 1275n)).toBe(5e-324);
  expect(ratio(1n << 200n, 1n << 1275n)).toBe(0);
});
