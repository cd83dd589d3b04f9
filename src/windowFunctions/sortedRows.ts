import { RollingWindowError, shown } from '../errors.ts';
import { INVALID_KEY, keyPart, type KeyPart } from '../keys/partitionKey.ts';
import { KeyTable, NO_SLOT } from '../keys/keyTable.ts';
import type { WindowSpec } from '../measures/windowSpec.ts';
import { orderKeys, type OrderKeys, type Row } from './orderKeys.ts';
import { StableSort } from './stableSort.ts';

/**
 * The rows of all partitions, one partition after the other, each in the order of its window. What follows goes along it
 * once, by positions: `order` says which row stands at one.
 *
 *     position   0 1 2 | 3 4 | 5 6 7 8        | begins a partition
 *     order      2 0 5 | 1 4 | 3 6 7 8
 */
export interface SortedRows {
  readonly rows: readonly Row[];
  readonly order: Int32Array;
  /** The positions at which partitions begin, and behind the last one the number of rows. */
  readonly starts: Int32Array;
  /** By position: the first of its peers, which are equal to it in all order columns. */
  readonly peersFrom: Int32Array;
  /** By position: the one behind the last of its peers. */
  readonly peersTo: Int32Array;
  /** The order columns, by row. */
  readonly keys: readonly OrderKeys[];
}

/**
 * Puts rows in the order of a window.
 *
 * @param whole All rows are of one partition, whatever its columns.
 * @throws RollingWindowError `invalid-key` for a partition column that holds no key, `invalid-value` for an order column
 * that holds what has no order.
 */
export function sortedRows(rows: readonly Row[], { partitionColumns, order: by }: Pick<WindowSpec, 'partitionColumns' | 'order'>, whole = false): SortedRows {
  const { order, starts } = whole || partitionColumns.length === 0 ? onePartition(rows.length) : partitions(rows, partitionColumns);
  const keys = by.map((column) => orderKeys(rows, column)), columns = keys.map((one) => one.keys);
  if (by.length > 0) sortPartitions(order, starts, columns);
  return { rows, order, starts, ...peers(order, starts, columns), keys };
}

type Grouped = Pick<SortedRows, 'order' | 'starts'>;

function onePartition(count: number): Grouped {
  return { order: Int32Array.from({ length: count }, (_, i) => i), starts: count === 0 ? Int32Array.of(0) : Int32Array.of(0, count) };
}

/** Rows by partition, in the order in which partitions, and rows in them, came. */
function partitions(rows: readonly Row[], columns: readonly string[]): Grouped {
  const slots = slotsOf(rows, columns);
  let count = 0;
  for (const slot of slots) if (slot >= count) count = slot + 1;
  const starts = new Int32Array(count + 1);
  for (const slot of slots) starts[slot + 1]!++;
  for (let slot = 0; slot < count; slot++) starts[slot + 1]! += starts[slot]!;
  const next = starts.slice(), order = new Int32Array(rows.length);
  for (let row = 0; row < slots.length; row++) order[next[slots[row]!]!++] = row;
  return { order, starts };
}

function slotsOf(rows: readonly Row[], columns: readonly string[]): Int32Array {
  const table = new KeyTable(columns.length), key: KeyPart[] = columns.map(() => null), slots = new Int32Array(rows.length);
  for (let row = 0; row < rows.length; row++) {
    for (let c = 0; c < columns.length; c++) {
      const part = keyPart(rows[row]![columns[c]!]);
      if (part === INVALID_KEY) throw invalidKey(columns[c]!, rows[row]![columns[c]!]);
      key[c] = part;
    }
    const slot = table.find(key);
    slots[row] = slot === NO_SLOT ? table.add(key) : slot;
  }
  return slots;
}

export function invalidKey(column: string, value: unknown): RollingWindowError {
  return new RollingWindowError('invalid-key', {
    expected: `a string, number, bigint, boolean, Date or null in column ${shown(column)}`,
    given: shown(value),
    remedy: 'Make a text or a number of it',
  });
}

function sortPartitions(order: Int32Array, starts: Int32Array, columns: readonly Float64Array[]): void {
  let longest = 0;
  for (let p = 1; p < starts.length; p++) longest = Math.max(longest, starts[p]! - starts[p - 1]!);
  const sort = new StableSort(columns, longest);
  for (let p = 1; p < starts.length; p++) sort.sort(order, starts[p - 1]!, starts[p]!);
}

/** Without an order all rows of a partition are peers. */
function peers(order: Int32Array, starts: Int32Array, columns: readonly Float64Array[]): Pick<SortedRows, 'peersFrom' | 'peersTo'> {
  const peersFrom = new Int32Array(order.length), peersTo = new Int32Array(order.length);
  for (let p = 1; p < starts.length; p++) {
    const end = starts[p]!;
    for (let from = starts[p - 1]!, to = from; from < end; from = to) {
      for (to = from + 1; to < end && areEqual(columns, order[from]!, order[to]!); ) to++;
      // Not `fill`: most peers are alone, and its call costs more than all else here.
      for (let at = from; at < to; at++) {
        peersFrom[at] = from;
        peersTo[at] = to;
      }
    }
  }
  return { peersFrom, peersTo };
}

function areEqual(columns: readonly Float64Array[], row: number, other: number): boolean {
  for (const keys of columns) if (keys[row] !== keys[other]) return false;
  return true;
}
