import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ddSketch } from '../../src/aggregates/ddSketch.ts';
import type { PercentileSketch } from '../../src/aggregates/percentileSketch.ts';
import { sketchedPercentile } from '../../src/aggregates/sketchedPercentile.ts';
import { compare } from '../../src/testing/naiveAnswer.ts';

const probabilities = [0, 0.01, 0.1, 0.25, 0.5, 0.6, 0.75, 0.9, 0.99, 1];
const aggregate = sketchedPercentile(probabilities, ddSketch(0.01));

function answers(values: readonly number[], told = true): number[] | null {
  const order = values.toSorted(compare);
  const state = values.reduce((before, value) => aggregate.reduce(before, value, 0), aggregate.zero());
  return told ? aggregate.finish(state, order[0], order.at(-1)) : aggregate.finish(state);
}

const number = fc.oneof(fc.constantFrom(NaN, Infinity, -Infinity, 0, 1, -1), fc.double(), fc.integer({ min: -20, max: 20 }));

test('rises with the probability, whatever is in it', () => {
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 30 }), fc.boolean(), (values, told) => {
      const given = answers(values, told) ?? [];
      expect(given.toSorted(compare)).toEqual(given);
    }),
  );
});

test('the ends are exact, and nothing lies outside of them', () => {
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 30 }), (values) => {
      const order = values.map((value) => value + 0).sort(compare), given = answers(order) ?? [];
      expect([given[0], given.at(-1)]).toEqual([order[0], order.at(-1)]);
      for (const value of given) expect([compare(order[0], value) <= 0, compare(value, order.at(-1)) <= 0]).toEqual([true, true]);
    }),
  );
});

describe('values that no bin has', () => {
  test('infinities are the outermost numbers, NaN comes after them', () => {
    const values = [NaN, Infinity, 3, -Infinity, NaN, 3];
    expect(answers(values, false)).toEqual([-Infinity, -Infinity, -Infinity, expect.closeTo(3, 1), expect.closeTo(3, 1), Infinity, NaN, NaN, NaN, NaN]);
  });

  test('alone', () => {
    expect(answers([NaN])).toEqual(probabilities.map(() => NaN));
    expect(answers([Infinity, Infinity])).toEqual(probabilities.map(() => Infinity));
    expect(answers([])).toBeNull();
  });

  test('leave no trace', () => {
    let state = [4, NaN, Infinity, -Infinity].reduce((before, value) => aggregate.reduce(before, value, 0), aggregate.zero());
    for (const value of [Infinity, -Infinity, NaN]) state = aggregate.retract!(state, value, 0);
    expect(aggregate.encode!(state)).toEqual(aggregate.encode!(aggregate.reduce(aggregate.zero(), 4, 0)));
    expect(aggregate.finish(state)).toEqual(answers([4], false));
  });
});

test('constants are themselves', () => {
  expect(answers([7.3, 7.3, 7.3])).toEqual(probabilities.map(() => 7.3));
});

test('one probability gives one value', () => {
  const median = sketchedPercentile(0.5, ddSketch(0.01));
  expect(median.finish(median.reduce(median.zero(), 7, 0), 7, 7)).toBe(7);
  expect([median.name, median.parameters]).toEqual(['approx_percentile', { p: 0.5, sketch: 'ddsketch 0.01' }]);
});

test('a sketch that can not remove makes an aggregate that can not, and sees finite numbers only', () => {
  const seen: number[] = [];
  const list: PercentileSketch<number[]> = {
    name: 'list',
    zero: () => [],
    add(state, value) {
      seen.push(value);
      return [...state, value];
    },
    merge: (into, from) => [...into, ...from],
    at: (state, rank, count) => (count === state.length ? state.toSorted(compare)[rank - 1]! : NaN),
    encode: (state) => state,
    decode: (encoded) => encoded as number[],
  };
  const by = sketchedPercentile([0.5, 1], list);
  const state = [5, NaN, -0, Infinity, 1, -Infinity, 2].reduce((before, value) => by.reduce(before, value, 0), by.zero());
  expect(by.retract).toBeUndefined();
  expect(seen).toEqual([5, 0, 1, 2]);
  expect(by.finish(state)).toEqual([2, NaN]);
});

test.each([[[]], [[0.5, 1.1]], [-0.01], [NaN], ['0.5']])('refuses the probability %o', (p) => {
  expect(() => sketchedPercentile(p as number, ddSketch(0.01))).toThrow(expect.objectContaining({ code: 'invalid-measure' }));
});
