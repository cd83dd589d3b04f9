import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inclusive, nextDown, nextUp, rangeEdge, rowsEdge, sinceEdge, slidingEdge, union } from '../../src/time/lowerEdge.ts';
import { checkEdgeLaw } from './edgeLaw.ts';

const instants = fc.oneof(
  fc.integer({ min: -10_000, max: 10_000 }),
  fc.double({ min: -10_000, max: 10_000, noNaN: true }),
  fc.double({ min: 1.7e12, max: 1.9e12, noNaN: true }),
  fc.double({ min: -1e17, max: 1e17, noNaN: true }),
);
const lengths = [1, 4000, 0.1, 1000.3, 86_400_000, 2 ** 53 - 1, Number.MIN_VALUE];

describe('the edge of a range', () => {
  test.each(lengths)('T2: keeps the law of edges for %d ms', (length) => {
    checkEdgeLaw(rangeEdge(length), instants);
  });

  test('T2: an event is in for exactly the range: out one range after it', () => {
    const edge = rangeEdge(4000);
    expect(edge.lower(5000)).toBe(1000);
    expect(edge.leavesAt(1000)).toBe(5000);
    expect(edge.leavesAt(1_790_000_000_000)).toBe(1_790_000_004_000);
  });

  test('the first frontier is found at once where thousands of doubles round to one lower edge', () => {
    for (const [time, length] of [[-4000, 4000], [-86_399_999, 86_400_000], [-86_399_999.999, 86_400_000]] as const) {
      const leaves = rangeEdge(length).leavesAt(time);
      expect(leaves - length).toBe(time);
      expect(nextDown(leaves) - length).toBeLessThan(time);
    }
  });

  test('edges may lie beyond the range of Date', () => {
    expect(rangeEdge(2 ** 53 - 1).lower(10)).toBe(-9_007_199_254_740_981);
    expect(rangeEdge(1).lower(-Infinity)).toBe(-Infinity);
  });
});

describe("closed: 'both'", () => {
  test.each(lengths)('T2: keeps the law of edges for %d ms', (length) => {
    checkEdgeLaw(inclusive(rangeEdge(length)), instants);
  });

  test('T2: holds the event on its lower edge, and not the double before it', () => {
    const edge = inclusive(rangeEdge(4000));
    expect(edge.lower(5000)).toBeLessThan(1000);
    expect(edge.lower(5000)).toBe(nextDown(1000));
    expect(edge.leavesAt(1000)).toBe(nextUp(5000));
    expect(edge.text).not.toBe(rangeEdge(4000).text);
  });
});

describe('the edge of the last multiple', () => {
  test.each(lengths)('keeps the law of edges for %d ms', (length) => {
    checkEdgeLaw(sinceEdge(length), instants);
  });

  test('the window begins at the multiple, which is inside, and is empty of all before', () => {
    const edge = sinceEdge(4000);
    for (const frontier of [8000, 8000.5, 11_999.9]) expect(nextUp(edge.lower(frontier))).toBe(8000);
    expect(nextUp(edge.lower(nextDown(8000)))).toBe(4000);
    expect(nextUp(edge.lower(-1))).toBe(-4000);
    expect([edge.leavesAt(7999), edge.leavesAt(8000), edge.leavesAt(-0.5), edge.leavesAt(-4000)]).toEqual([8000, 12_000, 0, 0]);
    expect(edge.text).not.toBe(rangeEdge(4000).text);
  });

  test('a rounded quotient does not move the beginning past the frontier', () => {
    for (const length of [0.1, 0.7, 1 / 3, 1e-3, 60_000.1]) {
      for (let k = 1; k < 2000; k++) {
        const start = k * length;
        expect(nextUp(sinceEdge(length).lower(start))).toBe(start);
        expect(nextUp(sinceEdge(length).lower(nextDown(start))) + 0).toBe((k - 1) * length);
        expect(sinceEdge(length).leavesAt(nextDown(start))).toBe(start);
      }
    }
  });
});

describe('edges of windows that move in steps', () => {
  const pairs = lengths.flatMap((size) => lengths.map((step) => [size, step] as const));

  test.each(pairs)('%d ms every %d ms: both keep the law', (size, step) => {
    const { upper, ...edge } = slidingEdge(size, step);
    checkEdgeLaw(edge, instants, 40);
    checkEdgeLaw({ text: 'upper', longest: step, lower: upper.upper, leavesAt: upper.entersAt }, instants, 40);
    fc.assert(fc.property(instants, (instant) => upper.upper(instant) >= edge.lower(instant)), { numRuns: 40 });
  });

  test('the window ends at the last multiple, which is inside, and begins one size before, which is not', () => {
    const { upper, lower, leavesAt } = slidingEdge(10, 4);
    for (const frontier of [8, 11.9]) expect([lower(frontier), upper.upper(frontier)]).toEqual([-2, 8]);
    expect([upper.entersAt(8), upper.entersAt(8.1), upper.entersAt(12)]).toEqual([8, 12, 12]);
    expect([leavesAt(-2), leavesAt(-1.9), leavesAt(2)]).toEqual([8, 12, 12]);
  });

  test('an event between two windows leaves when it would enter', () => {
    const { upper, leavesAt } = slidingEdge(5, 12);
    expect([upper.entersAt(3), leavesAt(3)]).toEqual([12, 12]);
    expect([upper.entersAt(7), leavesAt(7)]).toEqual([12, 12]);
    expect([upper.entersAt(7.1), leavesAt(7.1)]).toEqual([12, 24]);
  });

  test('multiples of a fraction are exact: each is the end of a window', () => {
    for (const step of [0.1, 0.7, 1 / 3, 60_000.1]) {
      for (let k = 1; k < 2000; k++) {
        expect(slidingEdge(1, step).upper.upper(k * step)).toBe(k * step);
        expect(slidingEdge(1, step).upper.entersAt(k * step)).toBe(k * step);
        expect(slidingEdge(1, step).upper.upper(nextDown(k * step)) + 0).toBe((k - 1) * step);
        expect(slidingEdge(1, step).upper.entersAt(nextUp(k * step))).toBe((k + 1) * step);
      }
    }
  });
});

test('rows have no edge in time', () => {
  const edge = rowsEdge(3);
  expect([edge.lower(1e300), edge.leavesAt(-1e300), edge.rows]).toEqual([-Infinity, Infinity, 3]);
});

test('the union of edges keeps the law, and holds what one of them holds', () => {
  const edges = [rangeEdge(4000), inclusive(rangeEdge(1000)), rangeEdge(1000)];
  checkEdgeLaw(union(edges), instants);
  expect(union(edges).lower(10_000)).toBe(6000);
});

test('nextUp and nextDown are neighbours: nothing lies between', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e308, min: -1e308 }), (value) => {
      const next = nextUp(value);
      expect(next).toBeGreaterThan(value);
      const middle = value / 2 + next / 2;
      expect(middle <= value || middle >= next).toBe(true);
      expect(nextDown(next) === value).toBe(true);
    }),
  );
  expect(nextUp(0)).toBe(Number.MIN_VALUE);
  expect(nextUp(-0)).toBe(Number.MIN_VALUE);
  expect(nextDown(0)).toBe(-Number.MIN_VALUE);
  expect(nextUp(Infinity)).toBe(Infinity);
  expect(nextUp(-Infinity)).toBe(-Number.MAX_VALUE);
});
