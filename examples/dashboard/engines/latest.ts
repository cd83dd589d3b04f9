import { keyText, type RollingBatch } from 'rxjs-rolling-window';

/** The newest row of each key, changed in place: a table that is painted several times a second needs no copies. */
export class Latest<Row extends object> implements Iterable<Row> {
  private readonly byKey = new Map<string, Row>();
  private readonly columns: readonly (keyof Row)[];

  constructor(columns: readonly (keyof Row)[]) {
    this.columns = columns;
  }

  take({ rows, removed }: RollingBatch<Row, object>): void {
    for (const row of rows) this.byKey.set(this.keyOf(row), row);
    for (const key of removed) this.byKey.delete(this.keyOf(key as Row));
  }

  /** Forgets all rows for others. */
  replace(rows: readonly Row[]): void {
    this.byKey.clear();
    for (const row of rows) this.byKey.set(this.keyOf(row), row);
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.byKey.values();
  }

  keyOf(row: Row): string {
    return keyText(...this.columns.map((column) => row[column]));
  }
}
