import { RollingWindowError, shown } from '../errors.ts';
import type { Aggregate } from './aggregate.ts';
import { ownValue } from './ownValue.ts';

/** Values and their times, in order of (time, arrival), in step; those before `from` are gone. */
export interface Collected {
  readonly times: number[];
  readonly values: unknown[];
  from: number;
}

/**
 * The values in order of (event time, arrival), of more than `limit` the latest.
 *
 * @throws RollingWindowError `invalid-measure` where the limit is no whole number from 1.
 */
export function collect(limit: number): Aggregate<unknown, Collected, unknown[]> {
  if (!(Number.isInteger(limit) && limit >= 1)) throw new RollingWindowError('invalid-measure', { expected: 'a whole number from 1 as limit', given: shown(limit) });
  const insert = (state: Collected, value: unknown, time: number): Collected => {
    const { times, values } = state;
    let at = times.length;
    while (at > state.from && times[at - 1]! > time) at--;
    times.splice(at, 0, time);
    values.splice(at, 0, value);
    return times.length - state.from > limit ? drop(state, 1) : state;
  };
  return {
    name: 'collect_list',
    builtIn: true,
    parameters: { limit },
    zero: () => ({ times: [], values: [], from: 0 }),
    reduce: (state, value, time) => insert(state, ownValue(value), time),
    merge(into, from) {
      for (let i = from.from; i < from.times.length; i++) insert(into, from.values[i], from.times[i]!);
      return into;
    },
    // What the limit dropped is older than all that is left, so it has left before.
    expire(state, cutoff) {
      let left = state.from;
      while (left < state.times.length && state.times[left]! <= cutoff) left++;
      return drop(state, left - state.from);
    },
    finish: ({ values, from }) => values.slice(from).map(ownValue),
    encode: ({ times, values, from }) => ({ times: times.slice(from), values: values.slice(from), from: 0 }),
    decode: (encoded) => encoded as Collected,
  };
}

/** Drops the first few. Arrays are cut when half of them is gone: to shift all at each event would cost its length. */
function drop(state: Collected, count: number): Collected {
  state.from += count;
  if (state.from * 2 > state.times.length) {
    state.times.splice(0, state.from);
    state.values.splice(0, state.from);
    state.from = 0;
  }
  return state;
}
