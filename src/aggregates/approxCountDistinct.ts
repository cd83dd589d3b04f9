import { RollingWindowError, shown } from '../errors.ts';
import type { Aggregate } from './aggregate.ts';

/** Each distinct value with the number of times it is there. Dates go by their epoch, apart from equal numbers. */
export interface Occurrences {
  readonly values: Map<unknown, number>;
  readonly dates: Map<number, number>;
}

/**
 * How many distinct values there are: NaN is one value, -0 is 0, `1` and `'1'` are two. Every value is kept, so the
 * answer is exact and within any `rsd`.
 *
 * @throws RollingWindowError `invalid-measure` where `rsd` is not between 0 and 1.
 */
export function approxCountDistinct(rsd = 0.05): Aggregate<unknown, Occurrences, number> {
  if (!(rsd > 0 && rsd < 1)) {
    throw new RollingWindowError('invalid-measure', { expected: 'a relative standard deviation between 0 and 1', given: shown(rsd) });
  }
  return {
    name: 'approx_count_distinct',
    zero: () => ({ values: new Map(), dates: new Map() }),
    reduce: (state, value) => add(state, value, 1),
    merge(into, from) {
      for (const [value, times] of from.values) addTimes(into.values, value, times);
      for (const [epoch, times] of from.dates) addTimes(into.dates, epoch, times);
      return into;
    },
    retract: (state, value) => add(state, value, -1),
    finish: ({ values, dates }) => values.size + dates.size,
    encode: ({ values, dates }) => [[...values], [...dates]],
    decode(encoded) {
      const [values, dates] = encoded as [[unknown, number][], [number, number][]];
      return { values: new Map(values), dates: new Map(dates) };
    },
  };
}

function add(state: Occurrences, value: unknown, times: number): Occurrences {
  if (value instanceof Date) addTimes(state.dates, value.getTime(), times);
  else addTimes(state.values, value, times);
  return state;
}

function addTimes<T>(counts: Map<T, number>, value: T, times: number): void {
  const left = (counts.get(value) ?? 0) + times;
  if (left === 0) counts.delete(value);
  else counts.set(value, left);
}
