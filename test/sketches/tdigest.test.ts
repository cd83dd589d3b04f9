import fc from 'fast-check';
import { TDigest } from 'tdigest';
import { describe, expect, test } from 'vitest';
import { tdigest } from '../../operators/sketches/index.ts';
import { sketchedPercentile } from '../../src/aggregates/sketchedPercentile.ts';
import { decode, encode } from '../../src/checkpoint/codec.ts';
import { createEngine } from '../../src/engine.ts';
import { preceding, range } from '../../src/measures/frames.ts';
import { approxPercentile } from '../../src/measures/measures.ts';
import { checkLaws } from '../../src/testing/laws.ts';
import { sample } from '../support/samples.ts';

const sketch = tdigest();
const fill = (values: readonly number[], from: unknown = sketch.zero()): unknown => values.reduce<unknown>((state, value) => sketch.add(state, value), from);
const ranks = [1, 50, 1000, 2500, 4000, 4950, 5000];
const answers = (state: unknown): number[] => ranks.map((rank) => sketch.at(state, rank, 5000));

/** The share of values that lie below. */
const shareBelow = (order: readonly number[], value: number): number => order.filter((other) => other < value).length / order.length;

test.each(['uniform', 'lognormal', 'negative', 'of both signs'])('of values that are %s: ranks are nearly right, at the ends most of all', (name) => {
  const order = sample(name, 5000).sort((a, b) => a - b), given = answers(fill(sample(name, 5000)));
  ranks.forEach((rank, i) => {
    const p = rank / 5000, [below, upTo] = [shareBelow(order, given[i]!), 1 - shareBelow(order.map((value) => -value), -given[i]!)];
    expect(Math.max(below - p, p - upTo, 0)).toBeLessThanOrEqual(0.001 + 0.04 * p * (1 - p));
  });
  expect(given.toSorted((a, b) => a - b)).toEqual(given);
});

test('says what the package says', () => {
  // Not so many that it compresses, for which it would draw lots.
  const theirs = new TDigest(), values = sample('lognormal', 2000);
  for (const value of values) theirs.push(value);
  expect(theirs.size()).toBeLessThan(2000);
  const ours = fill(values);
  for (const rank of [1, 2, 100, 700, 1000, 1999, 2000]) expect(sketch.at(ours, rank, 2000)).toBeCloseTo(theirs.percentile((rank - 0.5) / 2000), 9);
});

test('the same values give the same state, however often it was read', () => {
  // Long enough to be compressed, in rising order, which it has to be.
  const values = sample('lognormal', 6000).sort((a, b) => a - b);
  let read = sketch.zero();
  values.forEach((value, i) => {
    read = sketch.add(read, value);
    if (i % 37 === 0) sketch.at(read, (i >> 1) + 1, i + 1);
    if (i % 411 === 0) sketch.encode(read);
  });
  expect(sketch.encode(read)).toEqual(sketch.encode(fill(values)));
  expect((sketch.encode(read) as [number, number, number[]])[2].length).toBeLessThan(4 * 2600);
});

test('keeps its head among the largest doubles', () => {
  const values = sample('uniform', 6000).map((value) => (value - 500) * 3.5e305);
  for (const value of answers(fill(values))) expect(Math.abs(value)).toBeLessThanOrEqual(1e290);
  expect(sketch.at(fill(values), 5500, 6000)).toBe(1e290);
});

test('goes on after a rest as if there had been none', () => {
  const [before, after] = [sample('bimodal', 3000, 2), sample('bimodal', 3000, 3)];
  const rested = sketch.decode(decode(encode(sketch.encode(fill(before)))));
  expect(sketch.encode(fill(after, rested))).toEqual(sketch.encode(fill(after, fill(before))));
});

test('merges: the copy into an empty one is exact, and both share nothing', () => {
  const from = fill(sample('uniform', 5000)), kept = sketch.encode(from);
  const copy = sketch.merge(sketch.zero(), from);
  expect(sketch.encode(copy)).toEqual(kept);
  fill(sample('uniform', 100), sketch.merge(copy, from));
  expect(sketch.encode(from)).toEqual(kept);
});

test('keeps the laws at the ends, infinities and NaN included', () => {
  const number = fc.oneof(fc.constantFrom(NaN, Infinity, -Infinity, 0, 1, Number.MAX_VALUE, -Number.MAX_VALUE), fc.integer({ min: -1e6, max: 1e6 }));
  fc.assert(
    fc.property(fc.uniqueArray(number, { maxLength: 6 }), (values) => {
      // The first and the last centroid are the smallest and the largest value; what is between depends on how they were made.
      checkLaws(sketchedPercentile([0, 1], tdigest()), values, { equals: (a, b) => JSON.stringify(a) === JSON.stringify(b) });
    }),
    { numRuns: 100 },
  );
});

describe('as a measure', () => {
  const open = () => createEngine<{ ms: number; t: number }>()({ partitionBy: [], orderBy: 't', measures: [approxPercentile('ms', [0, 0.5, 1], { sketch: tdigest() }).as('p')] });

  test('has exact ends, NaN last, and gives the same rows after a restart', () => {
    const engine = open(), restarted = open();
    [5, 100, -7, 30, 20].forEach((ms, t) => engine.push({ ms, t }, t));
    expect(engine.advance(4)).toEqual([{ __frontier: 4, p: [-7, 20, 100] }]);
    engine.push({ ms: NaN, t: 5 }, 5);
    expect(engine.advance(5)[0]?.p).toEqual([-7, 20, NaN]);
    restarted.restore(engine.snapshot());
    for (const [i, ms] of sample('lognormal', 3000).entries()) for (const one of [engine, restarted]) one.push({ ms, t: 6 + i }, 6 + i);
    expect(restarted.advance(3006)).toEqual(engine.advance(3006));
    expect(restarted.snapshot()).toEqual(engine.snapshot());
  });

  test('is refused over a frame', () => {
    const measure = approxPercentile('ms', 0.5, { sketch: tdigest() });
    expect(() => measure.over(preceding(range(1000)))).toThrow(expect.objectContaining({ code: 'invalid-measure', given: 'tdigest 0.01' }));
  });
});

test.each([0, -1, 1.5, NaN])('refuses a delta of %d', (delta) => {
  expect(() => tdigest({ delta })).toThrow(expect.objectContaining({ code: 'invalid-measure' }));
});
