import type { AnyAggregate } from '../aggregates/aggregate.ts';
import { RelativeScale } from '../aggregates/relativeScale.ts';
import { nearestDouble, scaled, squareRoot, total } from './exact.ts';

type Numeric = number | bigint;

/**
 * What an aggregate answers for these values, in order of (event time, arrival) and without nulls: by the definition in
 * a statistics book for the built-in ones, by folding from scratch for those of a user.
 */
export function naiveAnswer(aggregate: AnyAggregate, values: readonly unknown[]): unknown {
  switch (aggregate.name) {
    case 'count':
      return values.length;
    case 'approx_count_distinct':
      return new Set(values.map(identity)).size;
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
      return isForeign(aggregate) ? folded(aggregate, values) : values.length === 0 ? null : percentiles(aggregate as PercentileAggregate, values as number[]);
    default:
      return folded(aggregate, values);
  }
}

function folded(aggregate: AnyAggregate, values: readonly unknown[]): unknown {
  const state = values.reduce((before, value) => aggregate.reduce(before, value), aggregate.zero());
  if (!aggregate.extremes || values.length === 0) return aggregate.finish(state);
  const sorted = [...(values as number[])].sort(compare);
  return aggregate.finish(state, sorted[0], sorted.at(-1));
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

type PercentileAggregate = AnyAggregate & { readonly probabilities: readonly number[]; readonly single: boolean; readonly by?: string };

/** Whether it goes by a sketch of which only its own code knows what it would say. */
function isForeign(aggregate: AnyAggregate): boolean {
  const { by } = aggregate as PercentileAggregate;
  return by !== undefined && !by.startsWith('ddsketch ');
}

function percentiles({ probabilities, single, by }: PercentileAggregate, values: readonly number[]): unknown {
  const sorted = [...values].sort(compare), last = sorted.length - 1;
  const standIn = by === undefined ? undefined : middleOfBin(new RelativeScale(Number(by.replace('ddsketch ', ''))), sorted[0]!, sorted[last]!);
  const answers = probabilities.map((p) => {
    const index = Math.max(1, rank(p, sorted.length)) - 1, value = sorted[index]!;
    return shownValue(standIn === undefined || index === 0 || index === last ? value : standIn(value));
  });
  return single ? answers[0] : answers;
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
