import type { Aggregate } from './aggregate.ts';
import { extremeBy, type Leader, type Ordered } from './extremeBy.ts';

/** The value where another is smallest. */
export const minBy: Aggregate<Ordered, Leader | null, unknown> = /*#__PURE__*/ extremeBy('min_by', 1);
