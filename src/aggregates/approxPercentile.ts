import { RollingWindowError, shown } from '../errors.ts';
import type { Aggregate } from './aggregate.ts';
import { nearestRank } from './nearestRank.ts';
import { OrderedValues } from './orderedValues.ts';

/** What `approxPercentile` answers: one value, or one for each of a list. */
export type PercentileAnswer<P extends number | readonly number[]> = (P extends number ? number : number[]) | null;

/**
 * The value at nearest rank `ceil(p * n)`: an element of the window; the smallest for p = 0, null where there is none.
 * NaN sorts last. Every value is kept, and the answer is exact.
 *
 * @throws RollingWindowError `invalid-measure` for an empty list, and a probability outside 0 to 1.
 */
export function approxPercentile<const P extends number | readonly number[]>(asked: P): Aggregate<number, OrderedValues, PercentileAnswer<P>> {
  const { p, answer } = checkedProbabilities(asked);
  return {
    name: 'approx_percentile',
    parameters: { p },
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
    finish: (state) => (state.size === 0 ? null : answer((probability) => state.at(nearestRank(probability, state.size)))),
    encode: (state) => state.toArray(),
    decode: (encoded) => insertAll(new OrderedValues(), encoded as number[]),
  };
}

function insertAll(state: OrderedValues, values: readonly number[]): OrderedValues {
  for (const value of values) state.insert(value);
  return state;
}

/** What was asked for, and what turns a value for each probability into the answer: a list for a list, else a value. */
export function checkedProbabilities<P extends number | readonly number[]>(
  asked: P,
): { p: number | readonly number[]; answer: (valueOf: (probability: number) => number) => PercentileAnswer<P> } {
  const single = !Array.isArray(asked);
  const probabilities = Object.freeze([asked].flat()) as readonly number[];
  if (probabilities.length === 0 || !probabilities.every((p) => typeof p === 'number' && p >= 0 && p <= 1)) {
    throw new RollingWindowError('invalid-measure', { expected: 'a probability from 0 to 1, or a list of at least one', given: shown(probabilities) });
  }
  const p = single ? probabilities[0]! : probabilities;
  return { p, answer: (valueOf) => (typeof p === 'number' ? valueOf(p) : each(p, valueOf)) as PercentileAnswer<P> };
}

/** `map` by hand: for three probabilities the call of the builtin costs more than their ranks. */
function each(probabilities: readonly number[], valueOf: (probability: number) => number): number[] {
  const values: number[] = [];
  for (const p of probabilities) values.push(valueOf(p));
  return values;
}
