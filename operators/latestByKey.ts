import { scan, type OperatorFunction } from 'rxjs';
import { RollingWindowError } from '../src/index.ts';
import { keyText } from './keyText.ts';
import type { RollingBatch } from './rollingBatches.ts';

/** What `latestByKey` files a row under: the value of a single key column, `keyText` of several, and of dates. */
export type LatestKey<Key> = [keyof Key] extends [never]
  ? string
  : IsUnion<keyof Key> extends true
    ? string
    : Key[keyof Key] extends infer Value
      ? Value extends Date
        ? string
        : Value
      : never;

type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never;

/**
 * The newest row of each key, after each batch: what a table or a store shows.
 *
 * Each value is a new `Map` (copied: its cost grows with the number of keys, so let many keys tick seldom), rows in the
 * order in which their keys first came. Keys whose state was dropped leave it. A row is filed under the value of its
 * key column; where there are several, none, or the value is a date, under `keyText(...)` of them.
 *
 * @example
 * rollingBatches({ partitionBy: ['region', 'product'], ... }), latestByKey()
 * // latest.get(keyText('eu', 'x'))
 */
export function latestByKey<Row extends object, Key extends object>(): OperatorFunction<RollingBatch<Row, Key>, ReadonlyMap<LatestKey<Key>, Row>> {
  return scan((before: ReadonlyMap<LatestKey<Key>, Row>, { rows, removed, keyColumns }: RollingBatch<Row, Key>) => {
    if (!keyColumns) throw noKeyColumns();
    const latest = new Map(before);
    for (const row of rows) latest.set(filedUnder(row, keyColumns), row);
    for (const key of removed) latest.delete(filedUnder(key, keyColumns));
    return latest;
  }, new Map());
}

function filedUnder<Key>(row: object, columns: readonly string[]): LatestKey<Key> {
  const values = columns.map((column) => (row as Record<string, unknown>)[column]);
  return (values.length === 1 && !(values[0] instanceof Date) ? values[0] : keyText(...values)) as LatestKey<Key>;
}

function noKeyColumns(): RollingWindowError {
  return new RollingWindowError('invalid-config', {
    expected: 'batches as `rollingBatches` emits them, with `keyColumns`',
    given: 'a batch without them',
    remedy: '`keyColumns` is not enumerable: set it again on batches that were copied.',
  });
}
