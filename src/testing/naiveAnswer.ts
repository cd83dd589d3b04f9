import type { AnyAggregate } from '../aggregates/aggregate.ts';
import { RelativeScale } from '../aggregates/relativeScale.ts';
import { nearestDouble, scaled, squareRoot, total } from './exact.ts';

type Numeric = number | bigint;

/** A value in a window: a pair where the measure reads two columns. */
export interface NaiveValue {
  readonly time: number;
  readonly value: unknown;
}

/**
 * What an aggregate answers for these values, in order of (event time, arrival) and without nulls: by the definition in
 * a statistics book for the built-in ones, by folding from scratch for those of a user.
 */
export function naiveAnswer(aggregate: AnyAggregate, events: readonly NaiveValue[]): unknown {
  const values = events.map(({ value }) => value);
  if (aggregate.builtIn === true) return builtInAnswer(aggregate, events);
  switch (aggregate.name) {
    case 'count':
      return values.length;
    case 'approx_count_distinct':
      return new Set(values.map(identity)).size <= 64 ? new Set(values.map(identity)).size : folded(aggregate, events);
    case 'sum':
      return values.length === 0 ? null : sum(values as Numeric[]);
    case 'avg':
      return values.length === 0 ? null : mean(values as Numeric[]);
    case 'min':
      return values.length === 0 ? null : shownValue([...values].sort(compare)[0]);
    case 'max':
      return values.length === 0 ? null : shownValue([...values].sort(compare).at(-1));
    case 'var_pop':
    case 'stddev_pop':
      return values.length === 0 ? null : spread(values as number[], 0, aggregate.name === 'stddev_pop');
    case 'var_samp':
    case 'stddev_samp':
      return values.length < 2 ? null : spread(values as number[], 1, aggregate.name === 'stddev_samp');
    case 'approx_percentile':
      return isForeign(aggregate) ? folded(aggregate, events) : values.length === 0 ? null : percentiles(aggregate, values as number[]);
    default:
      return folded(aggregate, events);
  }
}

/** Those whose names a user's aggregate may have, too. */
function builtInAnswer(aggregate: AnyAggregate, events: readonly NaiveValue[]): unknown {
  const values = events.map(({ value }) => value);
  const { k = 0, limit = 0, halfLife = 0, edges = [] } = (aggregate.parameters ?? {}) as { k?: number; limit?: number; halfLife?: number; edges?: readonly number[] };
  switch (aggregate.name) {
    case 'count_distinct':
      return new Set(values.map(identity)).size;
    case 'first':
      return values.length === 0 ? null : shownValue(values[0]);
    case 'last':
      return values.length === 0 ? null : shownValue(values.at(-1));
    case 'min_by':
      return values.length === 0 ? null : shownValue((values as Pair[]).toSorted(([, a], [, b]) => compare(a, b))[0]![0]);
    case 'max_by':
      return values.length === 0 ? null : shownValue((values as Pair[]).toSorted(([, a], [, b]) => compare(b, a))[0]![0]);
    case 'mode':
      return frequencies(values)[0]?.value ?? null;
    case 'top_k':
      return frequencies(values).slice(0, k);
    case 'histogram':
      return [-Infinity, ...edges].map((edge, i) => values.filter((value) => (i === 0 || compare(value, edge) >= 0) && (i === edges.length || compare(value, edges[i]) < 0)).length);
    case 'collect_list':
      return values.slice(-limit).map(shownValue);
    case 'ema':
      return values.length === 0 ? null : weightedMean(events, halfLife);
    case 'covar_pop':
      return values.length === 0 ? null : covariance(values as NumberPair[], 0);
    case 'covar_samp':
      return values.length < 2 ? null : covariance(values as NumberPair[], 1);
    case 'corr':
      return values.length < 2 ? null : correlation(values as NumberPair[]);
    case 'slope':
      return values.length < 2 ? null : slopePerSecond(events.map(({ time, value }) => [time, value as number]));
    default:
      throw new Error(`the naive engine knows no definition of ${aggregate.name}`);
  }
}

type Pair = readonly [unknown, unknown];
type NumberPair = readonly [number, number];

function folded(aggregate: AnyAggregate, events: readonly NaiveValue[]): unknown {
  const state = events.reduce((before, { value, time }) => aggregate.reduce(before, value, time), aggregate.zero());
  if (!aggregate.extremes || events.length === 0) return aggregate.finish(state);
  const sorted = events.map(({ value }) => value as number).sort(compare);
  return aggregate.finish(state, sorted[0], sorted.at(-1));
}

/** Each distinct value and how often it is there: the most frequent first, then the smallest. */
function frequencies(values: readonly unknown[]): { value: unknown; count: number }[] {
  const names = values.map(identity), distinct = new Map(values.map((value, i) => [names[i], value]));
  return Array.from(distinct, ([name, value]) => ({ value: shownValue(value), count: names.filter((other) => other === name).length }))
    .sort((a, b) => b.count - a.count || compare(a.value, b.value));
}

/** Weights 2^-((F - t) / halfLife) over their sum. The frontier F cancels out; the last time in its place keeps them from vanishing. */
function weightedMean(events: readonly NaiveValue[], halfLife: number): number {
  const values = events.map(({ value }) => value as number);
  const unbounded = sumOfUnbounded(values);
  if (unbounded !== undefined) return unbounded;
  const weights = events.map(({ time }) => 2 ** -((events.at(-1)!.time - time) / halfLife));
  const all = weights.reduce((a, b) => a + b);
  return weights.reduce((mean, weight, i) => mean + (weight / all) * values[i]!, 0);
}

/** n^2 times the moments of two columns, as integers, and the exponents of their units. */
function moments(pairs: readonly NumberPair[]): { xx: bigint; yy: bigint; xy: bigint; x: number; y: number } {
  const [xs, ys] = [scaled(pairs.map(([x]) => x)), scaled(pairs.map(([, y]) => y))];
  const n = BigInt(pairs.length);
  const moment = (a: readonly bigint[], b: readonly bigint[]): bigint => n * total(a.map((one, i) => one * b[i]!)) - total(a) * total(b);
  return { xx: moment(xs.integers, xs.integers), yy: moment(ys.integers, ys.integers), xy: moment(xs.integers, ys.integers), x: xs.exponent, y: ys.exponent };
}

function covariance(pairs: readonly NumberPair[], ddof: 0 | 1): number {
  if (!pairs.flat().every(Number.isFinite)) return NaN;
  const { xy, x, y } = moments(pairs);
  return nearestDouble(xy, BigInt(pairs.length) * BigInt(pairs.length - ddof), x + y);
}

function correlation(pairs: readonly NumberPair[]): number | null {
  if (!pairs.flat().every(Number.isFinite)) return NaN;
  const { xx, yy, xy } = moments(pairs);
  if (xx * yy === 0n) return null;
  return (xy < 0n ? -1 : 1) * squareRoot(xy * xy, xx * yy, 0);
}

function slopePerSecond(points: readonly NumberPair[]): number | null {
  if (!points.flat().every(Number.isFinite)) return NaN;
  const { xx, xy, x, y } = moments(points);
  return xx === 0n ? null : nearestDouble(1000n * xy, xx, y - x);
}

function sum(values: readonly Numeric[]): Numeric {
  if (values.every((value) => typeof value === 'bigint')) return total(values);
  const unbounded = sumOfUnbounded(values);
  if (unbounded !== undefined) return unbounded;
  const { integers, exponent } = scaled(values);
  return nearestDouble(total(integers), 1n, exponent);
}

function mean(values: readonly Numeric[]): number {
  const unbounded = sumOfUnbounded(values);
  if (unbounded !== undefined) return unbounded;
  const { integers, exponent } = scaled(values);
  return nearestDouble(total(integers), BigInt(values.length), exponent);
}

/** NaN and the infinities decide alone: the sum of those among the values; `undefined` where all are finite. */
function sumOfUnbounded(values: readonly Numeric[]): number | undefined {
  const unbounded = values.filter((value) => typeof value === 'number' && !Number.isFinite(value)) as number[];
  return unbounded.length === 0 ? undefined : unbounded.reduce((a, b) => a + b);
}

/** Variance or standard deviation, by `n * sum of squares - square of the sum`, which cancels nothing when exact. */
function spread(values: readonly number[], ddof: 0 | 1, root: boolean): number {
  if (!values.every(Number.isFinite)) return NaN;
  const { integers, exponent } = scaled(values);
  const n = BigInt(values.length);
  const numerator = n * total(integers.map((integer) => integer * integer)) - total(integers) ** 2n;
  return (root ? squareRoot : nearestDouble)(numerator, n * (n - BigInt(ddof)), 2 * exponent);
}

/** What a percentile was made with. */
interface PercentileParameters {
  readonly p: number | readonly number[];
  /** The sketch that it goes by; absent where it keeps the values. */
  readonly sketch?: string;
}

/** Whether it goes by a sketch of which only its own code knows what it would say. */
function isForeign({ parameters }: AnyAggregate): boolean {
  const { sketch } = parameters as unknown as PercentileParameters;
  return sketch !== undefined && !sketch.startsWith('ddsketch ');
}

function percentiles({ parameters }: AnyAggregate, values: readonly number[]): unknown {
  const { p, sketch } = parameters as unknown as PercentileParameters;
  const sorted = [...values].sort(compare), last = sorted.length - 1;
  const standIn = sketch === undefined ? undefined : middleOfBin(new RelativeScale(Number(sketch.replace('ddsketch ', ''))), sorted[0]!, sorted[last]!);
  const answer = (probability: number): unknown => {
    const index = Math.max(1, rank(probability, sorted.length)) - 1, value = sorted[index]!;
    return shownValue(standIn === undefined || index === 0 || index === last ? value : standIn(value));
  };
  return typeof p === 'number' ? answer(p) : p.map(answer);
}

/** What a DDSketch of our own has for a value: the middle of its bin, or the end of the values that lies before that. */
function middleOfBin(scale: RelativeScale, smallest: number, largest: number): (value: number) => number {
  return (value) => {
    if (value === 0 || !Number.isFinite(value)) return value;
    const middle = Math.sign(value) * scale.numberOf(scale.keyOf(Math.abs(value)));
    return middle < smallest ? smallest : middle > largest ? largest : middle;
  };
}

/** `ceil(p * n)` for the decimal number that `p` is written as: 0.95 of 20 is 19, although the double is above 0.95. */
function rank(p: number, n: number): number {
  const [digits = '', exponent] = p.toExponential().split('e');
  const decimals = digits.length - Math.min(digits.length, 2) - Number(exponent);
  const numerator = BigInt(digits.replace('.', '')) * BigInt(n);
  const denominator = 10n ** BigInt(decimals);
  return Number((numerator + denominator - 1n) / denominator);
}

/** The order of one column's values: NaN above every number, text by code point, false before true. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(Array.from(a), Array.from(b));
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  if (a !== a || b !== b) return Number(a !== a) - Number(b !== b);
  return (a as number) < (b as number) ? -1 : Number((a as number) > (b as number));
}

function compareCodePoints(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((character, i) => character !== b[i]);
  if (at < 0) return a.length - b.length;
  return (a[at]?.codePointAt(0) ?? -1) - (b[at]?.codePointAt(0) ?? -1);
}

/** A value as it may stand in a row: never -0, never the caller's own `Date`. */
export function shownValue(value: unknown): unknown {
  if (value instanceof Date) return new Date(value.getTime());
  return value === 0 ? 0 : value;
}

/** Equal for values that are the same by type and value: 1 is not '1', -0 is 0, NaN is NaN, a `Date` is its instant. */
export function identity(value: unknown): string {
  if (value == null) return 'null';
  if (value instanceof Date) return `date ${value.getTime()}`;
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- keys and counted values are primitives
  return `${typeof value} ${String(value)}`;
}
