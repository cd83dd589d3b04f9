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

/** Whether a list holds changes and nothing else; one that holds nothing does not say. */
export function areChanges(list: readonly unknown[]): list is readonly RowChange<object>[] {
  return list.length > 0 && list.every(isChange);
}

function isChange(given: unknown): boolean {
  const { kind, before, after } = Object(given ?? {}) as { readonly kind?: unknown; readonly before?: unknown; readonly after?: unknown };
  if (kind === 'insert') return isRow(after);
  return kind === 'delete' ? isRow(before) : kind === 'update' && isRow(before) && isRow(after);
}

const isRow = (value: unknown): boolean => typeof value === 'object' && value !== null;
