import { RollingWindowError } from '../errors.ts';
import {
  approxCountDistinct as approxCountDistinctAggregate,
  approxPercentile as approxPercentileAggregate,
  avg as avgAggregate,
  count as countAggregate,
  ddSketchBins,
  max as maxAggregate,
  min as minAggregate,
  sketchedPercentile,
  stddevPop as stddevPopAggregate,
  stddevSamp as stddevSampAggregate,
  sum as sumAggregate,
  udaf as checkedAggregate,
  varPop as varPopAggregate,
  varSamp as varSampAggregate,
} from '../aggregates/index.ts';
import type { PercentileAnswer } from '../aggregates/approxPercentile.ts';
import type { DDSketchBins } from '../aggregates/ddSketchBins.ts';
import { checkedMethod, type PercentileMethod } from '../aggregates/percentileMethod.ts';
import type { Orderable } from '../aggregates/order.ts';
import type { UserAggregate } from '../aggregates/udaf.ts';
import type { KeyValue } from './columns.ts';
import type { OfColumn, SumOfColumn } from './measure.ts';
import { measure, type MeasureBuilder } from './measureBuilder.ts';

/**
 * How many events there are, or how many have a value in a column.
 *
 * NaN is a value; missing and null are not. 0 for an empty window.
 *
 * @example count('value').over(preceding(range('1 hour'))) // named count(value)
 */
export function count(): MeasureBuilder<never, unknown, 'count(*)', number>;
export function count<const C extends string>(column: C): MeasureBuilder<C, unknown, `count(${C})`, number>;
export function count(column?: string): MeasureBuilder<string, unknown, string, number> {
  return column === undefined ? measure(countAggregate, 'any', [], { name: 'count(*)' }) : measure(countAggregate, 'any', [column]);
}

/**
 * The sum of a column of numbers or of bigints.
 *
 * Nothing that left the window leaves a trace. Null values are skipped; null for an empty window; NaN where there is a
 * NaN or both infinities.
 *
 * @example sum('revenue').over(preceding(range('1 hour'))) // named sum(revenue)
 */
export function sum<const C extends string>(column: C): MeasureBuilder<C, number | bigint, `sum(${C})`, SumOfColumn> {
  return measure(sumAggregate, 'numeric', [column]);
}

/**
 * The mean of a column of numbers or of bigints, as a number.
 *
 * Null values are skipped; null for an empty window; NaN where there is a NaN or both infinities.
 *
 * @example avg('price').over(preceding(range('10 minutes'))).as('avg_price')
 */
export function avg<const C extends string>(column: C): MeasureBuilder<C, number | bigint, `avg(${C})`, number | null> {
  return measure(avgAggregate, 'numeric', [column]);
}

/**
 * The smallest value of a column of numbers, bigints, text, booleans or dates.
 *
 * NaN is larger than every number; text goes by code point. Null values are skipped; null for an empty window.
 *
 * @example min('price').over(preceding(range('1 day')))
 */
export function min<const C extends string>(column: C): MeasureBuilder<C, Orderable, `min(${C})`, OfColumn> {
  return measure(minAggregate, 'orderable', [column]);
}

/**
 * The largest value of a column of numbers, bigints, text, booleans or dates.
 *
 * NaN is larger than every number; text goes by code point. Null values are skipped; null for an empty window.
 *
 * @example max('price').over(preceding(range('1 day')))
 */
export function max<const C extends string>(column: C): MeasureBuilder<C, Orderable, `max(${C})`, OfColumn> {
  return measure(maxAggregate, 'orderable', [column]);
}

/**
 * The variance of a sample, divided by n - 1.
 *
 * Null values are skipped; null for fewer than two values, exactly 0 for equal ones, NaN where there is a NaN or an infinity.
 *
 * @example varSamp('latency').over(preceding(range('5 minutes'))) // named var_samp(latency)
 */
export function varSamp<const C extends string>(column: C): MeasureBuilder<C, number, `var_samp(${C})`, number | null> {
  return measure(varSampAggregate, 'number', [column]);
}

/** The same as `varSamp`, and named like it. */
export function variance<const C extends string>(column: C): MeasureBuilder<C, number, `var_samp(${C})`, number | null> {
  return varSamp(column);
}

/**
 * The variance of a whole population, divided by n.
 *
 * Null values are skipped; null for an empty window, exactly 0 for equal values, NaN where there is a NaN or an infinity.
 *
 * @example varPop('latency') // named var_pop(latency)
 */
export function varPop<const C extends string>(column: C): MeasureBuilder<C, number, `var_pop(${C})`, number | null> {
  return measure(varPopAggregate, 'number', [column]);
}

/**
 * The standard deviation of a sample: the root of `varSamp`, with its edge cases.
 *
 * @example stddevSamp('latency') // named stddev_samp(latency)
 */
export function stddevSamp<const C extends string>(column: C): MeasureBuilder<C, number, `stddev_samp(${C})`, number | null> {
  return measure(stddevSampAggregate, 'number', [column]);
}

/** The same as `stddevSamp`, and named like it. */
export function stddev<const C extends string>(column: C): MeasureBuilder<C, number, `stddev_samp(${C})`, number | null> {
  return stddevSamp(column);
}

/**
 * The standard deviation of a whole population: the root of `varPop`, with its edge cases.
 *
 * @example stddevPop('latency') // named stddev_pop(latency)
 */
export function stddevPop<const C extends string>(column: C): MeasureBuilder<C, number, `stddev_pop(${C})`, number | null> {
  return measure(stddevPopAggregate, 'number', [column]);
}

/**
 * How many distinct values a column has: exact up to 64, beyond with a relative standard deviation of at most `rsd`.
 *
 * Values compare by type and value: NaN is one value, -0 is 0, dates go by their epoch. Null values are skipped; 0 for an
 * empty window. The state is bounded: a sliding HyperLogLog (Chabchoub & Hébrail 2010), from which values leave exactly at
 * their time, over a lifetime a plain one, both read by Ertl's estimator (2017). The same values give the same answer.
 *
 * @param rsd From 0.00051. 5 % by default, which takes 512 registers; half of it takes four times as many.
 * @throws RollingWindowError `invalid-measure` where `rsd` is not between 0 and 1, or smaller than that.
 * @example approxCountDistinct('user').over(preceding(range('1 day'))) // named approx_count_distinct(user)
 */
export function approxCountDistinct<const C extends string>(column: C, rsd?: number): MeasureBuilder<C, KeyValue, `approx_count_distinct(${C})`, number> {
  return measure(approxCountDistinctAggregate(rsd), 'key', [column]);
}

/** Probabilities as they stand in a name: `0.95`, `[0.5, 0.95]`. */
export type PercentileText<P extends number | readonly number[]> = P extends readonly number[] ? `[${Joined<P>}]` : P extends number ? `${P}` : never;

type Joined<P extends readonly number[]> = P extends readonly [infer First extends number, ...infer Rest extends readonly number[]]
  ? Rest extends readonly []
    ? `${First}`
    : `${First}, ${Joined<Rest>}`
  : string;

/**
 * The value of a column at rank `ceil(p * n)`, or a list of them for a list of probabilities: values that are there.
 *
 * Over a frame it is exact. Over a lifetime, where values would pile up, it is within 1 % of the value at that rank, or as
 * `how` says: the midpoint of a bin, of a DDSketch of our own. The smallest and the largest value are exact there, too, and
 * nothing lies outside of them.
 *
 * NaN sorts last, p = 0 gives the smallest. Null values are skipped; null for an empty window, for a list, too.
 *
 * @param how The reference's accuracy A, for a relative error of 1/A over a lifetime, 0.1 % at best; `{ relativeAccuracy }`,
 * from 0.001 on, for a sketch over a frame, too, which costs a tenth of the time; or `{ sketch }`, for one that you bring.
 * @throws RollingWindowError `invalid-measure` for a probability outside 0 to 1, an empty list, a wrong accuracy, what is no
 * sketch; in `.over`, for a sketch that can't remove values.
 * @example approxPercentile('delay', 0.95).over(preceding(range('1 day'))) // named approx_percentile(delay, 0.95)
 */
export function approxPercentile<const C extends string, const P extends number | readonly number[]>(
  column: C,
  p: P,
  how?: PercentileMethod,
): MeasureBuilder<C, number, `approx_percentile(${C}, ${PercentileText<P>})`, PercentileAnswer<P>> {
  const { sketch, inFrames } = checkedMethod(how);
  const sketched = sketchedPercentile(p, sketch);
  const aggregate = inFrames ? sketched : { ...approxPercentileAggregate(p), lifetime: sketched };
  const text = typeof p === 'number' ? String(p) : `[${p.join(', ')}]`;
  const checkFrame = (): void => {
    if (!inFrames || sketch.remove) return;
    throw new RollingWindowError('invalid-measure', {
      expected: 'a sketch that can remove values, for what leaves the frame',
      given: sketch.name,
      remedy: 'Over a frame approxPercentile is exact without a sketch, and fast with { relativeAccuracy: 0.01 }',
    });
  };
  return measure(aggregate, 'number', [column], { name: `approx_percentile(${column}, ${text})`, checkFrame });
}

/**
 * The DDSketch of a column, as plain values: for percentiles that are put together from several places.
 *
 * Numbers are counted in bins, so that each is within the accuracy of its bin's number: 1 % by default, from 0.001 on. A row
 * holds them as `DDSketchBins`; null values are skipped; null for an empty window.
 *
 * @throws RollingWindowError `invalid-measure` for a `relativeAccuracy` below 0.001 or from 1 on.
 * @example ddSketch('ms', { relativeAccuracy: 0.01 }).over(preceding(range('10 seconds'))) // named ddsketch(ms)
 */
export function ddSketch<const C extends string>(
  column: C,
  { relativeAccuracy = 0.01 }: { readonly relativeAccuracy?: number | undefined } = {},
): MeasureBuilder<C, number, `ddsketch(${C})`, DDSketchBins | null> {
  return measure(ddSketchBins(relativeAccuracy), 'number', [column]);
}

/**
 * Your own aggregate, as a measure of any column that holds what it takes.
 *
 * Missing and null values never come. An empty window gives `finish(zero())`. With `retract` values are taken out of a
 * running state, so only give it where the undo is exact.
 *
 * @throws RollingWindowError `invalid-measure` where the name is missing or a built-in's, or a function is missing.
 * @example
 * const product = udaf({ name: 'product', zero: () => 1, reduce: (s, v: number) => s * v, merge: (a, b) => a * b, finish: (s) => s });
 * product('growth').over(preceding(range('1 day'))) // named product(growth)
 */
export function udaf<In, State, Out, const Name extends string>(
  aggregate: UserAggregate<In, State, Out> & { readonly name: Name },
): <const C extends string>(column: C) => MeasureBuilder<C, In, `${Name}(${C})`, Out> {
  const checked = checkedAggregate(aggregate);
  return (column) => measure(checked, 'any', [column]);
}
