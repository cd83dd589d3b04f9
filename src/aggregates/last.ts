import type { Aggregate } from './aggregate.ts';
import { ownValue } from './ownValue.ts';
import type { TimedValue } from './timedValue.ts';

/** The value of the latest event; of several at one time, of the one that arrived last. */
export const last: Aggregate<unknown, TimedValue<unknown> | null, unknown> = {
  name: 'last',
  builtIn: true,
  zero: () => null,
  reduce: (state, value, time) => (state === null || time >= state.time ? { time, value: ownValue(value) } : state),
  merge: (into, from) => (into === null || (from !== null && from.time >= into.time) ? from : into),
  // What is latest leaves last: nothing that left before it was ever the answer.
  expire: (state, cutoff) => (state !== null && state.time > cutoff ? state : null),
  finish: (state) => (state === null ? null : ownValue(state.value)),
};
