import type { Aggregate } from './aggregate.ts';
import { extreme } from './extreme.ts';
import type { Orderable } from './order.ts';

/** The largest value; NaN where there is one. */
export const max: Aggregate<Orderable, Orderable | null, Orderable | null> = /*#__PURE__*/ extreme('max', -1);
