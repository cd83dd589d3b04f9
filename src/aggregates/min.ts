import type { Aggregate } from './aggregate.ts';
import { extreme } from './extreme.ts';
import type { Orderable } from './order.ts';

/** The smallest value; NaN only where there is nothing else. */
export const min: Aggregate<Orderable, Orderable | null, Orderable | null> = /*#__PURE__*/ extreme('min', 1);
