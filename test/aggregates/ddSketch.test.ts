import { DDSketch as DatadogSketch } from '@datadog/sketches-js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ddSketch, type DDSketch } from '../../src/aggregates/ddSketch.ts';
import { decode, encode } from '../../src/checkpoint/codec.ts';
import { distributions, sample } from '../support/samples.ts';

const fill = (sketch: ReturnType<typeof ddSketch>, values: readonly number[], from: DDSketch = sketch.zero()): DDSketch =>
  values.reduce((state, value) => sketch.add(state, value), from);

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/** Ranks at both ends, around the middle, and some between. */
const ranksOf = (n: number): number[] => [...new Set([1, 2, Math.ceil(n * 0.01), n >> 2, n >> 1, Math.ceil(n * 0.95), Math.ceil(n * 0.99), n - 1, n].filter((rank) => rank >= 1))];

const finite = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }), fc.constantFrom(0, -0, 1, 1e300, -1e300));

describe.each([0.001, 0.01, 0.1])('within %d', (accuracy) => {
  const sketch = ddSketch(accuracy);

  describe.each(Object.keys(distributions))('of values that are %s', (name) => {
    test.each([10, 1000, 100_000])('%i of them: each rank is within the accuracy of the value there', (size) => {
      const values = sample(name, size), order = sorted(values), state = fill(sketch, values);
      for (const rank of ranksOf(size)) {
        const exact = order[rank - 1]!;
        expect(Math.abs(sketch.at(state, rank, size) - exact), `rank ${rank}`).toBeLessThanOrEqual(accuracy * Math.abs(exact));
      }
    });

    test('so it is while a window slides', () => {
      const values = sample(name, 4000), width = 500;
      let state = fill(sketch, values.slice(0, width));
      for (let i = width; i < values.length; i++) {
        state = sketch.remove!(sketch.add(state, values[i]!), values[i - width]!);
        if (i % 97 !== 0) continue;
        const order = sorted(values.slice(i - width + 1, i + 1));
        for (const rank of ranksOf(width)) expect(Math.abs(sketch.at(state, rank, width) - order[rank - 1]!)).toBeLessThanOrEqual(accuracy * Math.abs(order[rank - 1]!));
      }
    });
  });
});

describe('what a state says', () => {
  const sketch = ddSketch(0.01);
  const answers = (state: DDSketch, count: number): number[] => Array.from({ length: count }, (_, i) => sketch.at(state, i + 1, count));

  test('rises with the rank, whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 40 }), (values) => {
        const all = answers(fill(sketch, values), values.length);
        expect(all).toEqual(sorted(all));
        expect(all.some((value) => Object.is(value, -0))).toBe(false);
      }),
    );
  });

  test('is that of the values which are left, in whatever order others went, and however it was merged', () => {
    fc.assert(
      fc.property(fc.array(finite, { maxLength: 30 }), fc.array(finite, { maxLength: 30 }), (stay, go) => {
        let state = sketch.merge(fill(sketch, go), fill(sketch, stay));
        for (const value of go.toReversed()) state = sketch.remove!(state, value);
        expect(answers(state, stay.length)).toEqual(answers(fill(sketch, stay), stay.length));
        expect(sketch.encode(state)).toEqual(sketch.encode(fill(sketch, stay)));
      }),
    );
  });

  test('of a value that was there twice: once it is still there when one left', () => {
    let state = fill(sketch, [5, 700, 5]);
    state = sketch.remove!(state, 5);
    expect(answers(state, 2)).toEqual([expect.closeTo(5, 0.1), expect.closeTo(700, -1)]);
    state = sketch.remove!(state, 5);
    expect(answers(state, 1)).toEqual([expect.closeTo(700, -1)]);
  });

  test('is the same after a rest, and goes on the same', () => {
    fc.assert(
      fc.property(fc.array(finite, { maxLength: 30 }), fc.array(finite, { maxLength: 5 }), (values, more) => {
        const rested = sketch.decode(decode(encode(sketch.encode(fill(sketch, values)))));
        expect(sketch.encode(rested)).toEqual(sketch.encode(fill(sketch, values)));
        expect(answers(fill(sketch, more, rested), values.length + more.length)).toEqual(answers(fill(sketch, [...values, ...more]), values.length + more.length));
      }),
    );
  });

  test('merging leaves the second state as it was, and alone afterwards', () => {
    const from = fill(sketch, [-3, 0, 8]), before = sketch.encode(from);
    fill(sketch, [-3, 1e9], sketch.merge(sketch.zero(), from));
    expect(sketch.encode(from)).toEqual(before);
  });

  test('takes few bytes at rest: four or five for each bin', () => {
    const state = fill(sketch, sample('lognormal', 100_000));
    const bins = [...state.positive.entries()].length;
    expect(bins).toBeLessThan(1100);
    expect(encode(sketch.encode(state)).length).toBeLessThan(5 * bins);
  });
});

// The package's own answers, where they are right: it forgets negatives in merges, and takes fractions of ranks.
describe('@datadog/sketches-js has the same bins', () => {
  test.each(Object.keys(distributions))('of values that are %s', (name) => {
    const values = sample(name, 2001);
    const theirs = new DatadogSketch({ relativeAccuracy: 0.01 }), sketch = ddSketch(0.01), ours = fill(sketch, values);
    for (const value of values) theirs.accept(value);
    for (let rank = 1; rank <= values.length; rank += 40) {
      const expected = theirs.getValueAtQuantile((rank - 1) / 2000);
      expect(Math.abs(sketch.at(ours, rank, values.length) - expected)).toBeLessThanOrEqual(1e-4 * Math.abs(expected));
    }
  });

  test('and merges like it, where there are no negative values', () => {
    const [a, b] = [sample('lognormal', 1500, 2), sample('bimodal', 500, 3)];
    const [theirs, more] = [a, b].map((values) => {
      const sketch = new DatadogSketch({ relativeAccuracy: 0.01 });
      for (const value of values) sketch.accept(value);
      return sketch;
    }) as [DatadogSketch, DatadogSketch];
    theirs.merge(more);
    const sketch = ddSketch(0.01), ours = sketch.merge(fill(sketch, a), fill(sketch, b));
    for (let rank = 1; rank <= 2000; rank += 33) {
      const expected = theirs.getValueAtQuantile((rank - 0.5) / 1999);
      expect(Math.abs(sketch.at(ours, rank, 2000) - expected)).toBeLessThanOrEqual(1e-4 * expected);
    }
  });
});
