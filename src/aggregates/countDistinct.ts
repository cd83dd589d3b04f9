import type { Aggregate } from './aggregate.ts';
import { occurrences, type Occurrences } from './occurrences.ts';

/** How many distinct values there are, exactly: NaN is one value, -0 is 0, `1` and `'1'` are two. */
export const countDistinct: Aggregate<unknown, Occurrences, number> = /*#__PURE__*/ occurrences('count_distinct', (state) => state.size);
