import type { Aggregate } from './aggregate.ts';
import { order, type Orderable } from './order.ts';
import { ownValue } from './ownValue.ts';

/** `min` and `max` differ only in the direction. The state is the value itself, null while there is none. */
export function extreme(name: 'min' | 'max', direction: 1 | -1): Aggregate<Orderable, Orderable | null, Orderable | null> {
  const better = (value: Orderable, than: Orderable | null): boolean => than === null || direction * order(value, than) < 0;
  return {
    name,
    numeric: name,
    zero: () => null,
    reduce: (state, value) => (better(value, state) ? ownValue(value) : state),
    merge: (into, from) => (from !== null && better(from, into) ? from : into),
    // No `retract`: what was second best is not known any more.
    finish: ownValue,
  };
}
