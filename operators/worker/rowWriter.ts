import { CellWriter } from './cellWriter.ts';
import type { SentRows } from './messages.ts';

type Columns = Record<string, unknown>;

/** Writes the rows of an evaluation into cells: the page makes objects of them in a tenth of the time that cloning takes there. */
export class RowWriter {
  private columns: readonly string[] = [];
  private writer = new CellWriter(0);

  /** `spares`: buffers, of which one is taken. */
  write(rows: readonly Columns[], spares: ArrayBuffer[]): SentRows | undefined {
    const [first] = rows;
    if (first === undefined) return undefined;
    const columns = Object.keys(first);
    if (!rows.every((row) => areAlike(Object.keys(row), columns))) return { list: rows };
    const isNew = !areAlike(columns, this.columns);
    if (isNew) {
      this.columns = columns;
      this.writer = new CellWriter(columns.length);
    }
    const { writer } = this;
    writer.begin(rows.length * columns.length, spares.pop());
    for (const row of rows) {
      columns.forEach((column, i) => writer.write(i, row[column]));
      writer.count += 1;
    }
    return { cells: writer.take(), ...(isNew && { columns }) };
  }
}

const areAlike = (some: readonly string[], others: readonly string[]): boolean => some.length === others.length && some.every((name, i) => name === others[i]);
