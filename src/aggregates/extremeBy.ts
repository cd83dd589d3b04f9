import type { Aggregate } from './aggregate.ts';
import { order, type Orderable } from './order.ts';
import { ownValue } from './ownValue.ts';

/** The event that is ahead: what its value is ordered by, its time, and the value, which may be null. */
export interface Leader {
  readonly by: Orderable;
  readonly time: number;
  readonly value: unknown;
}

/** A value and what it is ordered by. */
export type Ordered = readonly [value: unknown, by: Orderable];

/** `minBy` and `maxBy` differ only in the direction. Where several events are ahead, it is the earliest. */
export function extremeBy(name: 'min_by' | 'max_by', direction: 1 | -1): Aggregate<Ordered, Leader | null, unknown> {
  const isBetter = (by: Orderable, time: number, than: Leader | null): boolean => {
    const difference = than === null ? -1 : direction * order(by, than.by);
    return difference < 0 || (difference === 0 && time < than!.time);
  };
  return {
    name,
    builtIn: true,
    nullable: true,
    zero: () => null,
    reduce: (state, [value, by], time) => (isBetter(by, time, state) ? { by: ownValue(by), time, value: ownValue(value) } : state),
    merge: (into, from) => (from !== null && isBetter(from.by, from.time, into) ? from : into),
    // No `retract`: who was second is not known any more.
    finish: (state) => (state === null ? null : ownValue(state.value)),
  };
}
