import { RollingWindowError, shown } from '../errors.ts';
import type { Aggregate } from './aggregate.ts';
import { OrderedValues } from './orderedValues.ts';

/** How close the answer must be: the reference's `accuracy` A, for 1/A, or the relative error itself. */
export type PercentileAccuracy = number | { readonly relativeAccuracy: number };

/** What `approxPercentile` answers: one value, or one for each of a list. */
export type PercentileAnswer<P extends number | readonly number[]> = (P extends number ? number : number[]) | null;

export interface PercentileAggregate<Out> extends Aggregate<number, OrderedValues, Out> {
  readonly probabilities: readonly number[];
  /** Whether one probability was asked for, not a list. */
  readonly single: boolean;
}

/**
 * The value at nearest rank `ceil(p * n)`: an element of the window; the smallest for p = 0, null where there is none.
 * NaN sorts last. Every value is kept, so the answer is exact and within any accuracy.
 *
 * @throws RollingWindowError `invalid-measure` for an empty list, a probability outside 0 to 1, and an accuracy that is
 * neither a number from 1 nor a `relativeAccuracy` between 0 and 1.
 */
export function approxPercentile<const P extends number | readonly number[]>(asked: P, how: PercentileAccuracy = 10_000): PercentileAggregate<PercentileAnswer<P>> {
  const single = !Array.isArray(asked);
  const probabilities = Object.freeze([asked].flat()) as readonly number[];
  checkArguments(probabilities, how);
  return {
    name: 'approx_percentile',
    probabilities,
    single,
    zero: () => new OrderedValues(),
    reduce(state, value) {
      state.insert(value);
      return state;
    },
    merge: (into, from) => insertAll(into, from.toArray()),
    retract(state, value) {
      state.remove(value);
      return state;
    },
    finish(state) {
      if (state.size === 0) return null;
      const answers = probabilities.map((p) => state.at(nearestRank(p, state.size)));
      return (single ? answers[0]! : answers) as PercentileAnswer<P>;
    },
    encode: (state) => state.toArray(),
    decode: (encoded) => insertAll(new OrderedValues(), encoded as number[]),
  };
}

function insertAll(state: OrderedValues, values: readonly number[]): OrderedValues {
  for (const value of values) state.insert(value);
  return state;
}

/**
 * `ceil(p * n)` for the decimal that p was written as. Its double may lie a hair above, and 0.07 * 100 is
 * 7.000000000000001: a product this close to a whole number is that number.
 */
function nearestRank(p: number, n: number): number {
  const product = p * n;
  const whole = Math.round(product);
  const rank = Math.abs(product - whole) <= product * 2 ** -51 ? whole : Math.ceil(product);
  return Math.min(Math.max(rank, 1), n);
}

function checkArguments(probabilities: readonly number[], how: PercentileAccuracy): void {
  if (probabilities.length === 0 || !probabilities.every((p) => typeof p === 'number' && p >= 0 && p <= 1)) {
    throw new RollingWindowError('invalid-measure', { expected: 'a probability from 0 to 1, or a list of at least one', given: shown(probabilities) });
  }
  const relative = typeof how === 'number' ? 1 / how : (how as { relativeAccuracy?: unknown } | null)?.relativeAccuracy;
  if (!(typeof relative === 'number' && relative > 0 && relative <= 1)) {
    throw new RollingWindowError('invalid-measure', { expected: 'an accuracy from 1, or { relativeAccuracy } between 0 and 1', given: shown(how) });
  }
}
