import type { Aggregate } from './aggregate.ts';
import { ownValue } from './ownValue.ts';
import type { TimedValue } from './timedValue.ts';

/** The value of the earliest event; of several at one time, of the one that arrived first. */
export const first: Aggregate<unknown, TimedValue<unknown> | null, unknown> = {
  name: 'first',
  builtIn: true,
  zero: () => null,
  reduce: (state, value, time) => (state === null || time < state.time ? { time, value: ownValue(value) } : state),
  merge: (into, from) => (into === null || (from !== null && from.time < into.time) ? from : into),
  // Neither `retract` nor `expire`: which value comes after the first is not known.
  finish: (state) => (state === null ? null : ownValue(state.value)),
};
