import type { Aggregate } from './aggregate.ts';
import { occurrences, type Occurrences } from './occurrences.ts';
import { order, type Orderable } from './order.ts';

/** The most frequent value, the smallest where several are. */
export const mode: Aggregate<Orderable, Occurrences, Orderable | null> = /*#__PURE__*/ occurrences('mode', (state) => {
  const inOrder = state.inOrder();
  if (inOrder !== undefined) return inOrder.first;
  let best: Orderable | null = null, most = 0;
  state.each((value, times) => {
    if (times < most || (times === most && order(value as Orderable, best!) > 0)) return;
    best = value as Orderable;
    most = times;
  });
  return best;
});
