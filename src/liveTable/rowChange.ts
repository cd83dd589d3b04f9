/** A row whose key was not there. */
export interface InsertedRow<Row> {
  readonly kind: 'insert';
  readonly after: Row;
}

/** A row that took the place of another of its key. */
export interface UpdatedRow<Row> {
  readonly kind: 'update';
  readonly before: Row;
  readonly after: Row;
}

/** A row that went. */
export interface DeletedRow<Row> {
  readonly kind: 'delete';
  readonly before: Row;
}

/**
 * What happened to one row of a table, in the words of change data capture: `before` is the row that was there, the very
 * object that left as `after` of an earlier change, and `after` the row that is there now.
 *
 * @example for (const change of changes) if (change.kind !== 'delete') show(change.after);
 */
export type RowChange<Row> = InsertedRow<Row> | UpdatedRow<Row> | DeletedRow<Row>;
