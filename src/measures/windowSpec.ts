/** One column that rows are ordered by. */
export interface OrderColumn<Column extends string = string> {
  readonly column: Column;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last';
}

/** Which rows around the current one a function sees. */
export interface WindowFrame {
  readonly unit: 'rows' | 'range';
  /** How far before (negative) or behind the current row the first one lies: in rows, in values of the order column, or without bound. */
  readonly start: number;
  /** The same of the last one. */
  readonly end: number;
  /** Whether an offset is a length of time, which only columns of times can be compared with. */
  readonly timed: boolean;
}

/**
 * Which rows a window function sees, and in which order. `Window.partitionBy(...)` and `Window.orderBy(...)` make them.
 *
 * `Range` is the order column whose values a frame's offsets are added to, `Time` that column where one of them is a length of
 * time.
 */
export interface WindowSpec<Partition extends string = string, Order extends string = string, Range extends string = string, Time extends string = Range> {
  readonly kind: 'window';
  readonly partitionColumns: readonly Partition[];
  readonly order: readonly OrderColumn<Order>[];
  /** Absent: with an order everything up to the current row and its peers, without one the whole partition. */
  readonly frame: WindowFrame | undefined;
  readonly rangeColumn: Range | undefined;
  readonly timeColumn: Time | undefined;
}
