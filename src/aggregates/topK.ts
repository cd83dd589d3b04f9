import { RollingWindowError, shown } from '../errors.ts';
import type { Aggregate } from './aggregate.ts';
import type { Frequency } from './frequencyOrder.ts';
import { occurrences, type Occurrences } from './occurrences.ts';
import { order, type Orderable } from './order.ts';

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
    if (top.length === k && count < top[k - 1]!.count) return;
    const one = { value: value as Orderable, count };
    if (top.length === k && !isBefore(one, top[k - 1]!)) return;
    let at = top.length;
    while (at > 0 && isBefore(one, top[at - 1]!)) at--;
    top.splice(at, 0, one);
    if (top.length > k) top.pop();
  });
  return top;
}

function isBefore(a: Frequency<Orderable>, b: Frequency<Orderable>): boolean {
  return a.count > b.count || (a.count === b.count && order(a.value, b.value) < 0);
}
