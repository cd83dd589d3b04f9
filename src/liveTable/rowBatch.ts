/** Rows, and the keys of rows that went: what `rollingBatches` emits, or one made by hand. The removals come after the rows. */
export interface RowBatch<Row, Key = unknown> {
  readonly rows: readonly Row[];
  readonly removed: readonly Key[];
}

/** What a live table takes: a row, an array of them, or a batch. A row that itself has lists named `rows` and `removed` can only come in an array. */
export type TableInput<Row, Key = unknown> = Row | readonly Row[] | RowBatch<Row, Key>;

/** The rows that are in an input. */
export type RowOf<Input> = Input extends readonly (infer Row)[] ? Row : Input extends RowBatch<infer Row> ? Row : Input;

/** Whether it is a batch: it has both lists. */
export function isBatch(given: unknown): given is RowBatch<unknown> {
  const { rows, removed } = Object(given ?? {}) as Partial<RowBatch<unknown>>;
  return Array.isArray(rows) && Array.isArray(removed);
}
