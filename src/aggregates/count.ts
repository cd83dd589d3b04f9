import type { Aggregate } from './aggregate.ts';

/** How many values there are. */
export const count: Aggregate<unknown, number, number> = {
  name: 'count',
  numeric: 'count',
  zero: () => 0,
  reduce: (state) => state + 1,
  merge: (into, from) => into + from,
  retract: (state) => state - 1,
  finish: (state) => state,
};
