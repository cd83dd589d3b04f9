import { RollingWindowError, shown } from '../errors.ts';
import type { Aggregate } from './aggregate.ts';
import { isBefore, type Frequency } from './frequencyOrder.ts';
import { occurrences, type Occurrences } from './occurrences.ts';
import type { Orderable } from './order.ts';

/**
 * The k most frequent values with their counts, the most frequent first, the smallest first where counts are equal.
 *
 * @throws RollingWindowError `invalid-measure` where k is no whole number from 1.
 */
export function topK(k: number): Aggregate<Orderable, Occurrences, Frequency<Orderable>[]> {
  if (!(Number.isInteger(k) && k >= 1)) throw new RollingWindowError('invalid-measure', { expected: 'a whole number from 1 as k', given: shown(k) });
  const answer = (state: Occurrences): Frequency<Orderable>[] => state.inOrder()?.firstOf(k) ?? firstOfAll(state, k);
  return { ...occurrences('top_k', answer), parameters: { k } };
}

function firstOfAll(state: Occurrences, k: number): Frequency<Orderable>[] {
  const top: Frequency<Orderable>[] = [];
  state.each((value, count) => {
    let at = top.length;
    while (at > 0 && isBefore(count, value as Orderable, top[at - 1]!.count, top[at - 1]!.value)) at--;
    if (at === k) return;
    top.splice(at, 0, { value: value as Orderable, count });
    if (top.length > k) top.pop();
  });
  return top;
}
