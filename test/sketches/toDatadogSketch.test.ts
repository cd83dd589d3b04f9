import { DDSketch } from '@datadog/sketches-js';
import { expect, test } from 'vitest';
import { toDatadogSketch } from '../../operators/sketches/index.ts';
import { createEngine } from '../../src/engine.ts';
import { ddSketch } from '../../src/measures/measures.ts';
import type { DDSketchBins } from '../../src/aggregates/ddSketchBins.ts';
import { distributions, sample } from '../support/samples.ts';

function binsOf(values: readonly number[], relativeAccuracy: number): DDSketchBins {
  const engine = createEngine<{ v: number; t: number }>()({ partitionBy: [], orderBy: 't', measures: [ddSketch('v', { relativeAccuracy }).as('bins')] });
  values.forEach((v, t) => engine.push({ v, t }, t));
  return engine.query({}, values.length).bins!;
}

test.each(Object.keys(distributions))('has the counts, ranks, extremes and sum of values that are %s', (name) => {
  const values = sample(name, 501), order = values.toSorted((a, b) => a - b), sketch = toDatadogSketch(binsOf(values, 0.02));
  order.forEach((value, i) => {
    expect(Math.abs(sketch.getValueAtQuantile(i / 500) - value)).toBeLessThanOrEqual(0.0201 * Math.abs(value));
  });
  const sum = (some: readonly number[]): number => some.reduce((a, b) => a + b, 0);
  expect([sketch.count, sketch.zeroCount]).toEqual([501, values.filter((value) => value === 0).length]);
  expect(Math.abs(sketch.min - order[0]!)).toBeLessThanOrEqual(0.0201 * Math.abs(order[0]!));
  expect(Math.abs(sketch.max - order[500]!)).toBeLessThanOrEqual(0.0201 * Math.abs(order[500]!));
  expect(Math.abs(sketch.sum - sum(values))).toBeLessThanOrEqual(0.0201 * sum(values.map(Math.abs)));
});

test('is mergeable with theirs', () => {
  const theirs = new DDSketch({ relativeAccuracy: 0.01 });
  for (const value of [1, 2, 3]) theirs.accept(value);
  theirs.merge(toDatadogSketch(binsOf([10, 20], 0.01)));
  expect(theirs.count).toBe(5);
  expect([0, 0.25, 0.5, 0.75, 1].map((q) => Math.round(theirs.getValueAtQuantile(q)))).toEqual([1, 2, 3, 10, 20]);
});

test('leaves out what has no place there', () => {
  const sketch = toDatadogSketch(binsOf([NaN, 4, Infinity, -Infinity], 0.01));
  expect([sketch.count, sketch.min, sketch.max]).toEqual([1, expect.closeTo(4, 0), expect.closeTo(4, 0)]);
});

test('of the widest range, at the finest accuracy', () => {
  expect(toDatadogSketch(binsOf([1e-307, 1.5e308], 0.001)).count).toBe(2);
});

test('can be sent: what is read back from its bytes answers alike', () => {
  const sketch = toDatadogSketch(binsOf([-3, 0, 0, 1, 2, 1e6], 0.01)), received = DDSketch.fromProto(sketch.toProto());
  expect(received.count).toBe(6);
  for (const q of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    const sent = sketch.getValueAtQuantile(q); // its bounds are worked out anew from the accuracy
    expect(Math.abs(received.getValueAtQuantile(q) - sent)).toBeLessThanOrEqual(1e-12 * Math.abs(sent));
  }
});
