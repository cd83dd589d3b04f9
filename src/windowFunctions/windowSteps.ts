import type { OrderColumn, WindowFrame, WindowSpec } from '../measures/windowSpec.ts';
import { frameBetween, isOffset, type FrameEnd, type FrameStart, type TimeOffset } from './frameBound.ts';
import { invalidWindow } from './invalidWindow.ts';
import { asc } from './orderColumn.ts';

/** Rows in partitions, without an order. Frozen: each step gives a new window. */
export interface PartitionedWindow<Partition extends string> extends WindowSpec<Partition, never, never> {
  /** Orders the rows of a partition: by these columns, ascending unless `desc` says otherwise. Rows that are equal keep their order. */
  orderBy<const Columns extends readonly [AnyOrder, ...AnyOrder[]]>(...columns: Columns): OrderedWindow<Partition, ColumnsIn<Columns>, OnlyColumn<Columns>>;
  /** The rows from one that lies so many before (negative) or behind the current one, to another. Rows are in their order of arrival. */
  rowsBetween(start: FrameStart<'rows'>, end: FrameEnd<'rows'>): WindowSpec<Partition, never, never>;
}

/** Rows in partitions, with an order. Frozen: each step gives a new window. */
export interface OrderedWindow<Partition extends string, Order extends string, Only extends string> extends WindowSpec<Partition, Order, never> {
  readonly ordered: true;
  /** The rows from one that lies so many before (negative) or behind the current one, to another. */
  rowsBetween(start: FrameStart<'rows'>, end: FrameEnd<'rows'>): WindowSpec<Partition, Order, never>;
  /**
   * The rows whose value lies between two values: with offsets, which take one order column of numbers, bigints or dates,
   * those at a distance from the current row's; without, peers, which are equal in all order columns, go together. In
   * descending order what precedes is larger. Around a row without a value an offset gives the other rows without one.
   *
   * @example Window.partitionBy('sensor').orderBy('at').rangeBetween({ preceding: '1 hour' }, currentRow)
   */
  rangeBetween<const Start extends FrameStart<'range'>, const End extends FrameEnd<'range'>>(
    start: Start,
    end: End,
  ): WindowSpec<Partition, Order, OnlyWith<number | TimeOffset, Start | End, Only>, OnlyWith<TimeOffset, Start | End, Only>>;
}

/** What `orderBy` takes: the name of a column, or `asc` or `desc` of one. */
export type AnyOrder = string | OrderColumn;

type ColumnsIn<Columns> = Columns extends readonly (infer Column)[] ? (Column extends OrderColumn<infer Name> ? Name : Column & string) : never;

/** The column where there is one; else what no column is called, so that the compiler says what is wrong. */
type OnlyColumn<Columns extends readonly AnyOrder[]> = Columns['length'] extends 1 ? ColumnsIn<Columns> : 'offsets want exactly one order column';

/** The column where a bound is such an offset. */
type OnlyWith<Offset, Bound, Only extends string> = Extract<Bound, Offset> extends never ? never : Only;

/** How a window begins. */
export interface WindowSteps {
  /** Rows with equal values in these columns see each other; without a column all do. Keys compare as in `rollingWindow`. */
  partitionBy<const Columns extends readonly string[]>(...columns: Columns): PartitionedWindow<Columns[number]>;
  /** Orders the rows of one partition, which holds all: ascending unless `desc` says otherwise. Rows that are equal keep their order. */
  orderBy<const Columns extends readonly [AnyOrder, ...AnyOrder[]]>(...columns: Columns): OrderedWindow<never, ColumnsIn<Columns>, OnlyColumn<Columns>>;
}

/**
 * Which rows a window function sees.
 *
 * A window is made step by step: `partitionBy` or `orderBy`, then perhaps a frame. Without a frame a function sees, where
 * there is an order, everything up to the current row and its peers, and without one the whole partition.
 *
 * @throws RollingWindowError `invalid-window` for what is no column, and for frames that make no sense.
 * @example
 * Window.partitionBy('category').orderBy(desc('revenue'))
 * Window.partitionBy('sensor').orderBy('at').rangeBetween({ preceding: '1 hour' }, currentRow)
 * Window.orderBy('at').rowsBetween(-2, currentRow) // one partition
 */
export const Window: WindowSteps = /*#__PURE__*/ Object.freeze({
  partitionBy: (...columns: readonly string[]) => partitioned(columns) as never,
  orderBy: (...columns: readonly AnyOrder[]) => ordered([], columns) as never,
});

function partitioned(columns: readonly string[]): WindowSpec {
  for (const column of columns) if (typeof column !== 'string') throw invalidWindow('the name of a column in partitionBy', column, "As in partitionBy('category', 'shop')");
  const spec = specOf(columns, [], undefined);
  return Object.freeze({
    ...spec,
    orderBy: (...order: readonly AnyOrder[]) => ordered(columns, order),
    rowsBetween: (start: unknown, end: unknown) => specOf(columns, [], frameBetween('rows', start, end)),
  });
}

function ordered(partitionColumns: readonly string[], columns: readonly AnyOrder[]): WindowSpec {
  if (columns.length === 0) throw invalidWindow('a column in orderBy', columns);
  const order = columns.map((column) => (isOrderColumn(column) ? column : asc(column)));
  return Object.freeze({
    ...specOf(partitionColumns, order, undefined),
    ordered: true,
    rowsBetween: (start: unknown, end: unknown) => specOf(partitionColumns, order, frameBetween('rows', start, end)),
    rangeBetween: (start: unknown, end: unknown) => specOf(partitionColumns, order, frameBetween('range', start, end)),
  });
}

const isOrderColumn = (column: AnyOrder): column is OrderColumn => typeof (column as Partial<OrderColumn> | null)?.descending === 'boolean';

function specOf(partitionColumns: readonly string[], order: readonly OrderColumn[], frame: WindowFrame | undefined): WindowSpec {
  const hasOffset = frame?.unit === 'range' && (isOffset(frame.start) || isOffset(frame.end));
  if (hasOffset && order.length !== 1) {
    throw invalidWindow('one order column where a range has offsets', order.map(({ column }) => column), 'Order by one column, or count rows with rowsBetween');
  }
  return Object.freeze({
    kind: 'window',
    partitionColumns: Object.freeze([...partitionColumns]),
    order: Object.freeze([...order]),
    frame,
    rangeColumn: hasOffset ? order[0]!.column : undefined,
    timeColumn: hasOffset && frame.timed ? order[0]!.column : undefined,
  });
}
