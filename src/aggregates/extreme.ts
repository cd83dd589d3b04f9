import type { Aggregate } from './aggregate.ts';
import { order, type Orderable } from './order.ts';

/** `min` and `max` differ only in the direction. The state is the value itself, null while there is none. */
export function extreme(name: 'min' | 'max', direction: 1 | -1): Aggregate<Orderable, Orderable | null, Orderable | null> {
  const better = (value: Orderable, than: Orderable | null): boolean => than === null || direction * order(value, than) < 0;
  return {
    name,
    numeric: name,
    zero: () => null,
    reduce: (state, value) => (better(value, state) ? own(value) : state),
    merge: (into, from) => (from !== null && better(from, into) ? from : into),
    // No `retract`: what was second best is not known any more.
    finish: own,
  };
}

/** A value that nobody else can change: dates are copied. And -0 is 0. */
function own<T extends Orderable | null>(value: T): T {
  if (value instanceof Date) return new Date(value.getTime()) as T;
  return value === 0 ? (0 as T) : value;
}
