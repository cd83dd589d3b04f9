import type { Aggregate } from './aggregate.ts';
import { extremeBy, type Leader, type Ordered } from './extremeBy.ts';

/** The value where another is largest. */
export const maxBy: Aggregate<Ordered, Leader | null, unknown> = /*#__PURE__*/ extremeBy('max_by', -1);
