import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as aggregates from '../../src/aggregates/index.ts';
import type { AnyAggregate } from '../../src/aggregates/aggregate.ts';
import { ddSketch } from '../../src/aggregates/ddSketch.ts';
import { checkLaws } from '../../src/testing/laws.ts';

/** Aggregates that need arguments. One that is missing here fails the first test below. */
const made: Readonly<Record<string, readonly AnyAggregate[]>> = {
  approxCountDistinct: [aggregates.approxCountDistinct()],
  approxPercentile: [aggregates.approxPercentile(0.5), aggregates.approxPercentile([0, 0.25, 0.9, 1])],
  ddSketchBins: [aggregates.ddSketchBins(0.01), aggregates.ddSketchBins(0.3)],
  sketchedPercentile: [aggregates.sketchedPercentile(0.5, ddSketch(0.01)), aggregates.sketchedPercentile([0, 0.25, 0.9, 1], ddSketch(0.3))],
  udaf: [
    aggregates.udaf({
      name: 'longest_run',
      zero: () => ({ all: true, best: 0, prefix: 0, suffix: 0, length: 0 }),
      reduce: (s, value: number) => join(s, value > 0 ? { all: true, best: 1, prefix: 1, suffix: 1, length: 1 } : { all: false, best: 0, prefix: 0, suffix: 0, length: 1 }),
      merge: (a, b) => join(a, b),
      finish: ({ best }) => best,
    }),
  ],
};

/** How many positive values follow each other: an aggregate for which the order matters. */
interface Runs {
  all: boolean;
  best: number;
  prefix: number;
  suffix: number;
  length: number;
}
const join = (a: Runs, b: Runs): Runs => ({
  all: a.all && b.all,
  best: Math.max(a.best, b.best, a.suffix + b.prefix),
  prefix: a.all ? a.length + b.prefix : a.prefix,
  suffix: b.all ? b.length + a.suffix : b.suffix,
  length: a.length + b.length,
});

/** What values each aggregate takes besides numbers. */
const others: Readonly<Record<string, readonly string[]>> = {
  count: ['bigints', 'texts', 'booleans', 'dates'],
  sum: ['bigints'],
  avg: ['bigints'],
  min: ['bigints', 'texts', 'booleans', 'dates'],
  max: ['bigints', 'texts', 'booleans', 'dates'],
  approx_count_distinct: ['bigints', 'texts', 'booleans', 'dates', 'mixed'],
};

const awkward = fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 1, -1, 0.1, 1e-73, 5e-324, 1.7e12, 1.5e308, 1.2e308, -1.4e308, Number.MAX_VALUE);
const numbers = fc.oneof(awkward, fc.double(), fc.integer());
const dates = fc.date({ noInvalidDate: true });
const bigints = fc.bigInt();
const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', '\uD83D', '\uE000', '😀'));
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  numbers,
  bigints,
  texts,
  booleans: fc.boolean(),
  dates,
  mixed: fc.oneof(numbers, bigints, texts, fc.boolean(), dates, dates.map(Number)),
};

const all = Object.entries<unknown>(aggregates).flatMap(([name, exported]) =>
  typeof exported === 'function' ? (made[name] ?? []) : [exported as AnyAggregate],
);

test('every aggregate of the index is here', () => {
  const functions = Object.entries<unknown>(aggregates).flatMap(([name, exported]) => (typeof exported === 'function' ? [name] : []));
  expect(Object.keys(made).sort()).toEqual(functions.sort());
});

describe.each(all.map((aggregate) => [aggregate.name, aggregate] as const))('%s', (name, aggregate) => {
  test.each(['numbers', ...(others[name] ?? [])])('keeps its laws for %s', (kind) => {
    const lists = fc.array(values[kind] ?? fc.constant(null), { maxLength: 8, size: 'max' });
    fc.assert(
      fc.property(lists, (list) => {
        checkLaws(aggregate, list);
      }),
      { numRuns: 150 },
    );
  });

  test('says the same of an empty window whatever was there before', () => {
    if (aggregate.retract === undefined) return;
    let state = aggregate.zero();
    for (const value of [NaN, 1e300, -Infinity, 0.1]) state = aggregate.reduce(state, value);
    for (const value of [0.1, NaN, -Infinity, 1e300]) state = aggregate.retract(state, value);
    expect(aggregate.finish(state)).toEqual(aggregate.finish(aggregate.zero()));
  });
});
