import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as aggregates from '../../src/aggregates/index.ts';
import type { AnyAggregate } from '../../src/aggregates/aggregate.ts';
import { ddSketch } from '../../src/aggregates/ddSketch.ts';
import { sameValue } from '../../src/emission/sameValue.ts';
import { checkLaws } from '../../src/testing/laws.ts';

/** Aggregates that need arguments. One that is missing here fails the first test below. */
const made: Readonly<Record<string, readonly AnyAggregate[]>> = {
  approxCountDistinct: [aggregates.approxCountDistinct()],
  approxPercentile: [aggregates.approxPercentile(0.5), aggregates.approxPercentile([0, 0.25, 0.9, 1])],
  ddSketchBins: [aggregates.ddSketchBins(0.01), aggregates.ddSketchBins(0.3)],
  sketchedPercentile: [aggregates.sketchedPercentile(0.5, ddSketch(0.01)), aggregates.sketchedPercentile([0, 0.25, 0.9, 1], ddSketch(0.3))],
  topK: [aggregates.topK(1), aggregates.topK(3)],
  histogram: [aggregates.histogram([0]), aggregates.histogram([-Infinity, -1, 0, 0.1, 1e300])],
  collect: [aggregates.collect(1), aggregates.collect(3), aggregates.collect(100)],
  ema: [aggregates.ema(2), aggregates.ema(1 / 3)],
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

const anything = ['numbers', 'bigints', 'texts', 'booleans', 'dates', 'mixed'];
const orderable = anything.slice(0, -1);

/** What values each aggregate takes, where it is not numbers alone. */
const takes: Readonly<Record<string, readonly string[]>> = {
  count: orderable,
  sum: ['numbers', 'bigints'],
  avg: ['numbers', 'bigints'],
  min: orderable,
  max: orderable,
  approx_count_distinct: [...anything, 'few'],
  count_distinct: [...anything, 'few'],
  first: anything,
  last: anything,
  mode: [...orderable, 'few'],
  top_k: [...orderable, 'few'],
  collect_list: anything,
  min_by: ['ordered', 'orderedTexts'],
  max_by: ['ordered', 'orderedTexts'],
  corr: ['pairs', 'smallPairs'],
  covar_samp: ['pairs', 'smallPairs'],
  covar_pop: ['pairs', 'smallPairs'],
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
  few: fc.constantFrom(1, 2, 3, 0, -0, NaN),
  pairs: fc.tuple(numbers, numbers),
  smallPairs: fc.tuple(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, 1, 1.25, 2)),
  ordered: fc.tuple(fc.oneof(numbers, texts, fc.constant(null)), fc.constantFrom(1, 2, 3, 0, -0, NaN, -Infinity)),
  orderedTexts: fc.tuple(fc.integer(), texts),
};

/** Where the last digits may differ: an average is off by no more than a hair of the largest value. */
const nearly: Readonly<Record<string, (largest: number) => (a: unknown, b: unknown) => boolean>> = {
  ema: (largest) => (a, b) => sameValue(a, b) || Math.abs((a as number) / 2 - (b as number) / 2) <= largest * 2 ** -60,
};

const instances = Object.entries<unknown>(aggregates).flatMap(([name, exported]) =>
  typeof exported === 'function' ? (made[name] ?? []) : [exported as AnyAggregate],
);
/** What is kept over a lifetime instead must keep the laws as well. */
const all = instances.flatMap((aggregate) => [aggregate, ...(aggregate.lifetime === undefined ? [] : [aggregate.lifetime])]);

test('every aggregate of the index is here', () => {
  const functions = Object.entries<unknown>(aggregates).flatMap(([name, exported]) => (typeof exported === 'function' ? [name] : []));
  expect(Object.keys(made).sort()).toEqual(functions.sort());
});

describe.each(all.map((aggregate) => [aggregate.name, aggregate] as const))('%s', (name, aggregate) => {
  test.each(takes[name] ?? ['numbers'])('keeps its laws for %s', (kind) => {
    const lists = fc.array(values[kind] ?? fc.constant(null), { maxLength: 8, size: 'max' });
    const instants = fc.array(fc.constantFrom(-7, -1, 0, 0, 0.25, 1, 2, 3, 50, 1.79e12), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(lists, instants, (list, some) => {
        const largest = Math.max(0, ...list.filter((value) => Number.isFinite(value)).map((value) => Math.abs(value as number)));
        const times = some.slice(0, list.length).sort((a, b) => a - b);
        checkLaws(aggregate, list, { equals: nearly[name]?.(largest), times });
      }),
      { numRuns: 150 },
    );
  });

  test('says the same of an empty window whatever was there before', () => {
    if (aggregate.retract === undefined) return;
    let state = aggregate.zero();
    const those = [NaN, 1e300, -Infinity, 0.1].map((value) => (takes[name]?.includes('pairs') ? [value, -value] : value));
    for (const value of those) state = aggregate.reduce(state, value, 0);
    for (const value of those.toReversed()) state = aggregate.retract(state, value, 0);
    expect(aggregate.finish(state)).toEqual(aggregate.finish(aggregate.zero()));
  });
});
