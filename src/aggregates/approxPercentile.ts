import { RollingWindowError, shown } from '../errors.ts';
import type { Aggregate } from './aggregate.ts';
import { nearestRank } from './nearestRank.ts';
import { OrderedValues } from './orderedValues.ts';

/** What `approxPercentile` answers: one value, or one for each of a list. */
export type PercentileAnswer<P extends number | readonly number[]> = (P extends number ? number : number[]) | null;

export interface PercentileAggregate<State, Out> extends Aggregate<number, State, Out> {
  readonly probabilities: readonly number[];
  /** Whether one probability was asked for, not a list. */
  readonly single: boolean;
  /** The sketch that it goes by; absent where it keeps the values. */
  readonly by?: string;
}

/**
 * The value at nearest rank `ceil(p * n)`: an element of the window; the smallest for p = 0, null where there is none.
 * NaN sorts last. Every value is kept, and the answer is exact.
 *
 * @throws RollingWindowError `invalid-measure` for an empty list, and a probability outside 0 to 1.
 */
export function approxPercentile<const P extends number | readonly number[]>(asked: P): PercentileAggregate<OrderedValues, PercentileAnswer<P>> {
  const { probabilities, single, answer } = checkedProbabilities(asked);
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
    finish: (state) => (state.size === 0 ? null : answer((p) => state.at(nearestRank(p, state.size)))),
    encode: (state) => state.toArray(),
    decode: (encoded) => insertAll(new OrderedValues(), encoded as number[]),
  };
}

function insertAll(state: OrderedValues, values: readonly number[]): OrderedValues {
  for (const value of values) state.insert(value);
  return state;
}

/** The probabilities as a list, and what turns a value for each into the answer: a list for a list, else a value. */
export function checkedProbabilities<P extends number | readonly number[]>(
  asked: P,
): { probabilities: readonly number[]; single: boolean; answer: (valueOf: (p: number) => number) => PercentileAnswer<P> } {
  const single = !Array.isArray(asked);
  const probabilities = Object.freeze([asked].flat()) as readonly number[];
  if (probabilities.length === 0 || !probabilities.every((p) => typeof p === 'number' && p >= 0 && p <= 1)) {
    throw new RollingWindowError('invalid-measure', { expected: 'a probability from 0 to 1, or a list of at least one', given: shown(probabilities) });
  }
  return { probabilities, single, answer: (valueOf) => (single ? valueOf(probabilities[0]!) : probabilities.map(valueOf)) as PercentileAnswer<P> };
}
