import type { Aggregate } from './aggregate.ts';
import { quotient, total, type Total } from './total.ts';

/** The sum: of numbers the exact one rounded once, of bigints the exact one. */
export const sum: Aggregate<number | bigint, Total, number | bigint | null> = /*#__PURE__*/ total('sum', (state) =>
  state.isBigint ? state.exact : quotient(state, 1),
);
