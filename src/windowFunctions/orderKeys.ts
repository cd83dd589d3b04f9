import { Column } from '../admission/column.ts';
import { order, type Orderable } from '../aggregates/order.ts';
import { RollingWindowError, shown } from '../errors.ts';
import type { OrderColumn } from '../measures/windowSpec.ts';

export type Row = Readonly<Record<string, unknown>>;

/** One order column of all rows, by the place of the row among those that came in. */
export interface OrderKeys {
  /** Ascending in the order that was asked for; none is NaN. */
  readonly keys: Float64Array;
  /** What a frame's offsets are added to: the values, negated in descending order; absent for columns without differences. */
  readonly amounts: Float64Array | readonly bigint[] | undefined;
  /** Where a row has no amount: it has no value, or NaN. Absent where all have one. */
  readonly apart: Uint8Array | undefined;
  /** Whether the amounts are numbers or dates as they came: ascending, and so usable as times. */
  readonly timed: boolean;
}

/**
 * Reads an order column once, so that whatever it holds is compared as doubles.
 *
 * @throws RollingWindowError `invalid-value` for a value that has no order, or another type than those before it.
 */
export function orderKeys(rows: readonly Row[], { column, descending, nulls }: OrderColumn): OrderKeys {
  const values = readValues(rows, column);
  const sign = descending ? -1 : 1, ofNull = nulls === 'first' ? -Infinity : Infinity;
  const plain = values.type === undefined || values.type === 'number' || values.type === 'date' ? plainKeys(values, sign, ofNull) : undefined;
  const keys = plain?.keys ?? rankedKeys(values.cells, sign, ofNull);
  const amounts = plain?.amounts ?? (values.type === 'bigint' ? values.cells.map((value) => BigInt(sign) * ((value ?? 0n) as bigint)) : undefined);
  return { keys, amounts, apart: plain ? plain.apart : apartOf(values.cells), timed: plain !== undefined && !descending };
}

interface ReadValues {
  readonly cells: readonly (Orderable | null)[];
  readonly type: Column['type'];
}

/** The values of a column, dates as their epochs. */
function readValues(rows: readonly Row[], name: string): ReadValues {
  const column = new Column(name, ['orderable']), cells = new Array<Orderable | null>(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const value = rows[i]![name] ?? null;
    if (value !== null && !column.accepts(value)) throw invalidValue(column, value);
    if (value !== null && column.isOpen) column.settles(value);
    cells[i] = value instanceof Date ? value.getTime() : (value as Orderable | null);
  }
  return { cells, type: column.type };
}

export function invalidValue(column: Column, value: unknown): RollingWindowError {
  return new RollingWindowError('invalid-value', {
    expected: `${column.expected} in column ${shown(column.name)}`,
    given: shown(value),
    remedy: 'Nothing is coerced: convert the column before it comes here',
  });
}

/** Numbers as their own keys; what is no number lies beyond them. Only the keys are ranks where an infinity is in the way. */
function plainKeys({ cells }: ReadValues, sign: 1 | -1, ofNull: number): Pick<OrderKeys, 'keys' | 'apart'> & { readonly amounts: Float64Array } {
  const keys = new Float64Array(cells.length), ofNaN = sign * Infinity;
  let apart: Uint8Array | undefined, infinite = false, nulls = false, nans = false;
  for (let i = 0; i < cells.length; i++) {
    const value = cells[i] as number | null;
    const key = value === null ? ofNull : value !== value ? ofNaN : sign * value + 0;
    keys[i] = key;
    if (value === null) nulls = true;
    else if (value !== value) nans = true;
    else infinite ||= key - key !== 0;
    if (value === null || value !== value) (apart ??= new Uint8Array(cells.length))[i] = 1;
  }
  const unclear = (infinite && (nulls || nans)) || (nulls && nans && ofNull === ofNaN);
  return { keys: unclear ? rankedKeys(cells, sign, ofNull) : keys, amounts: keys, apart };
}

function apartOf(cells: ReadValues['cells']): Uint8Array | undefined {
  return cells.includes(null) ? Uint8Array.from(cells, (value) => Number(value === null)) : undefined;
}

/** The rank of each value among those that are there. Of values that come in order it takes no sorting. */
function rankedKeys(cells: ReadValues['cells'], sign: 1 | -1, ofNull: number): Float64Array {
  const compare = (a: Orderable | null, b: Orderable | null): number => {
    if (a === null || b === null) return a === b ? 0 : (a === null ? ofNull : -ofNull);
    return sign * order(a, b);
  };
  return ranksInOrder(cells, compare) ?? ranksOfSorted(cells, compare);
}

type Compare = (a: Orderable | null, b: Orderable | null) => number;

/** The ranks where no value comes before one that it belongs behind. */
function ranksInOrder(cells: ReadValues['cells'], compare: Compare): Float64Array | undefined {
  const ranks = new Float64Array(cells.length);
  for (let i = 1; i < cells.length; i++) {
    const difference = compare(cells[i - 1]!, cells[i]!);
    if (difference > 0) return undefined;
    ranks[i] = ranks[i - 1]! + (difference < 0 ? 1 : 0);
  }
  return ranks;
}

function ranksOfSorted(cells: ReadValues['cells'], compare: Compare): Float64Array {
  const distinct = [...new Set(cells)].sort(compare), rankOf = new Map(distinct.map((value, rank) => [value, rank]));
  return Float64Array.from(cells, (value) => rankOf.get(value)!);
}
