import { DDSketch } from '@datadog/sketches-js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { datadogSketch } from '../../operators/sketches/index.ts';
import { sketchedPercentile } from '../../src/aggregates/sketchedPercentile.ts';
import { decode, encode } from '../../src/checkpoint/codec.ts';
import { createEngine } from '../../src/engine.ts';
import { preceding, range } from '../../src/measures/frames.ts';
import { approxPercentile } from '../../src/measures/measures.ts';
import { checkLaws } from '../../src/testing/laws.ts';
import { distributions, sample } from '../support/samples.ts';

const sketch = datadogSketch();
const fill = (values: readonly number[]): unknown => values.reduce<unknown>((state, value) => sketch.add(state, value), sketch.zero());
const answers = (state: unknown, count: number): number[] => Array.from({ length: count }, (_, i) => sketch.at(state, i + 1, count));

describe.each(Object.keys(distributions))('of values that are %s', (name) => {
  test.each([10, 1000])('%i of them: each rank is within the accuracy of the value there', (size) => {
    const order = sample(name, size).sort((a, b) => a - b), given = answers(fill(order), size);
    // Bins end at 1, which is as far from its bin's middle as is allowed, rounded.
    order.forEach((value, i) => {
      expect(Math.abs(given[i]! - value)).toBeLessThanOrEqual(0.01 * (1 + 1e-9) * Math.abs(value));
    });
  });
});

test('keeps the laws, merging negative numbers, and what meets at key 0, right', () => {
  const number = fc.oneof(fc.constantFrom(0.5, 0.9, 1, -1, 0, NaN, Infinity, -Infinity, 1e-310), fc.integer({ min: -1e6, max: 1e6 }).map((n) => n / 64));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 8 }), (values) => {
      checkLaws(sketchedPercentile([0, 0.3, 0.5, 1], datadogSketch()), values);
    }),
    { numRuns: 100 },
  );
});

test('merging leaves the second state as it was', () => {
  const from = fill([-3, 0, 8]), before = sketch.encode(from);
  sketch.add(sketch.merge(sketch.zero(), from), 1e6);
  expect(sketch.encode(from)).toEqual(before);
});

// A store that grows by more bins at once than a call takes arguments throws a RangeError.
test.each([0.01, 0.001])('takes numbers as far apart as they can be, within %d', (relativeAccuracy) => {
  const wide = datadogSketch({ relativeAccuracy }), values = [-1.7e308, -1e-307, 0, 1e-300, 1e300];
  const state = values.reduce<unknown>((before, value) => wide.add(before, value), wide.zero());
  const rested = wide.decode(decode(encode(wide.encode(wide.merge(wide.zero(), state)))));
  values.forEach((value, i) => {
    expect(Math.abs(wide.at(rested, i + 1, 5) - value)).toBeLessThanOrEqual(relativeAccuracy * (1 + 1e-9) * Math.abs(value));
  });
});

test('has what the package has, sums and extremes included', () => {
  const theirs = new DDSketch({ relativeAccuracy: 0.01 }), values = sample('of both signs', 300);
  for (const value of values) theirs.accept(value);
  const parts = [values.slice(0, 100), values.slice(100)] as const;
  const merged = [sketch.merge(fill(parts[0]), fill(parts[1])), sketch.merge(fill(parts[1]), fill(parts[0]))];
  for (const ours of [fill(values), sketch.decode(sketch.encode(fill(values))), ...merged]) {
    const { count, zeroCount, sum, min, max } = ours as DDSketch;
    expect([count, zeroCount, sum, min, max]).toEqual([theirs.count, theirs.zeroCount, theirs.sum, theirs.min, theirs.max]);
  }
  for (let rank = 1; rank <= 300; rank++) expect(sketch.at(fill(values), rank, 300)).toBe(theirs.getValueAtQuantile(Math.min((rank - 0.5) / 299, 1)));
});

describe('as a measure', () => {
  const open = () => createEngine<{ ms: number; t: number }>()({ partitionBy: [], orderBy: 't', measures: [approxPercentile('ms', [0, 0.5, 1], { sketch: datadogSketch() }).as('p')] });

  test('answers within its accuracy, with the ends exact, NaN last, and after a restart', () => {
    const engine = open();
    [5, 100, -7, NaN, 30, Infinity, 5].forEach((ms, t) => engine.push({ ms, t }, t));
    expect(engine.advance(6)).toEqual([{ __frontier: 6, p: [-7, expect.closeTo(30, -0.3), NaN] }]);
    const restarted = open();
    restarted.restore(engine.snapshot());
    for (const one of [engine, restarted]) one.push({ ms: -90, t: 7 }, 7);
    expect(restarted.advance(7)).toEqual(engine.advance(7));
    expect(restarted.snapshot()).toEqual(engine.snapshot());
  });

  test('is refused over a frame', () => {
    const measure = approxPercentile('ms', 0.5, { sketch: datadogSketch() });
    expect(() => measure.over(preceding(range(1000)))).toThrow(expect.objectContaining({ code: 'invalid-measure', given: '@datadog/sketches-js 0.01' }));
  });
});

test.each([0, 0.0005, 1, NaN])('refuses an accuracy of %d', (relativeAccuracy) => {
  expect(() => datadogSketch({ relativeAccuracy })).toThrow(expect.objectContaining({ code: 'invalid-measure' }));
});
