import type { Aggregate } from './aggregate.ts';
import { quotient, total, type Total } from './total.ts';

/** The mean, as a number also of bigints: the exact one rounded once. */
export const avg: Aggregate<number | bigint, Total, number | null> = /*#__PURE__*/ total('avg', (state) => quotient(state, state.count));
