import type { Aggregate } from './aggregate.ts';
import { eachOccurrence, occurrences, type Occurrences } from './occurrences.ts';
import { order, type Orderable } from './order.ts';

/** The most frequent value, the smallest where several are. Taking a value in or out is one look-up; an answer looks at all distinct values. */
export const mode: Aggregate<Orderable, Occurrences, Orderable | null> = /*#__PURE__*/ occurrences('mode', (state) => {
  let best: Orderable | null = null, most = 0;
  eachOccurrence(state, (value, times) => {
    if (times < most || (times === most && order(value as Orderable, best!) > 0)) return;
    best = value as Orderable;
    most = times;
  });
  return best;
});
