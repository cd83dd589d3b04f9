import type { WindowFrame } from '../measures/windowSpec.ts';
import { isOffset } from './frameBound.ts';
import { invalidWindow } from './invalidWindow.ts';
import type { OrderKeys } from './orderKeys.ts';
import type { SortedRows } from './sortedRows.ts';

/**
 * By position: where the frame of the row that stands there begins, and the position behind its last row.
 *
 * Along the sorted rows neither ever goes back, and frames of one partition hold no row of another: so whatever slides
 * along them begins each partition anew without being told.
 */
export interface FrameEdges {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/**
 * The frames of all rows.
 *
 * @throws RollingWindowError `invalid-window` where offsets meet an order column that has no differences, or a length of
 * time one of bigints.
 */
export function frameEdges(rows: SortedRows, frame: WindowFrame): FrameEdges {
  const from = new Int32Array(rows.order.length), to = new Int32Array(rows.order.length);
  if (frame.unit === 'rows') rowEdges(rows, frame, from, to);
  else {
    peerEdges(rows, frame, from, to);
    if (isOffset(frame.start) || isOffset(frame.end)) offsetEdges(rows, frame, from, to);
  }
  return { from, to };
}

function rowEdges({ starts }: SortedRows, { start, end }: WindowFrame, from: Int32Array, to: Int32Array): void {
  for (let p = 1; p < starts.length; p++) {
    const first = starts[p - 1]!, behind = starts[p]!;
    for (let at = first; at < behind; at++) {
      from[at] = Math.min(behind, Math.max(first, at + start));
      to[at] = Math.max(first, Math.min(behind, at + end + 1));
    }
  }
}

/** Of a range without offsets; where it has some, of the rows that they mean nothing for. */
function peerEdges({ starts, peersFrom, peersTo }: SortedRows, { start, end }: WindowFrame, from: Int32Array, to: Int32Array): void {
  for (let p = 1; p < starts.length; p++) {
    const first = starts[p - 1]!, behind = starts[p]!;
    for (let at = first; at < behind; at++) {
      from[at] = start === -Infinity ? first : peersFrom[at]!;
      to[at] = end === Infinity ? behind : peersTo[at]!;
    }
  }
}

/** Rows without an amount lie together at the ends of a partition: those in between are looked at alone. */
function offsetEdges({ order, starts, keys }: SortedRows, { start, end, timed }: WindowFrame, from: Int32Array, to: Int32Array): void {
  const { amounts, apart } = withAmounts(keys[0]!, timed);
  // Numbers and bigints are added and compared alike; the compiler wants one of them.
  const sorted = inOrder(amounts, order) as Float64Array;
  const [lowest, highest] = (typeof amounts[0] === 'bigint' ? [whole(start, Math.ceil), whole(end, Math.floor)] : [start, end]) as [number, number];
  for (let p = 1; p < starts.length; p++) {
    let first = starts[p - 1]!, behind = starts[p]!;
    if (apart) {
      while (first < behind && apart[order[first]!]) first++;
      while (first < behind && apart[order[behind - 1]!]) behind--;
    }
    let low = first, high = first;
    for (let at = first; at < behind; at++) {
      const amount = sorted[at]!;
      if (isOffset(start)) {
        while (low < behind && sorted[low]! < amount + lowest) low++;
        from[at] = low;
      }
      if (isOffset(end)) {
        while (high < behind && sorted[high]! <= amount + highest) high++;
        to[at] = high;
      }
    }
  }
}

function withAmounts({ amounts, apart }: OrderKeys, timed: boolean): { readonly amounts: NonNullable<OrderKeys['amounts']>; readonly apart: Uint8Array | undefined } {
  if (amounts === undefined) throw invalidWindow('numbers, bigints or dates in the order column of a range with offsets', 'text or booleans', 'Count rows with rowsBetween');
  if (timed && !(amounts instanceof Float64Array)) throw invalidWindow('an order column of numbers or dates for a range with a length of time', 'bigints', 'Give the offset in the unit of the column, as a number');
  return { amounts, apart };
}

function inOrder(amounts: Float64Array | readonly bigint[], order: Int32Array): Float64Array | readonly bigint[] {
  if (!(amounts instanceof Float64Array)) return Array.from(order, (row) => amounts[row]!);
  const sorted = new Float64Array(order.length);
  for (let at = 0; at < order.length; at++) sorted[at] = amounts[order[at]!]!;
  return sorted;
}

/** Between whole numbers lies what lies between the offset's next whole ones. */
const whole = (offset: number, round: (offset: number) => number): bigint | number => (Number.isFinite(offset) ? BigInt(round(offset)) : offset);
