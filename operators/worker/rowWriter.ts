import { CellWriter } from './cellWriter.ts';
import type { SentRows } from './messages.ts';

type Columns = Record<string, unknown>;

/** Writes the rows of an evaluation into cells: the page makes objects of them in a tenth of the time that cloning takes there. */
export class RowWriter {
  /** A buffer that came back. */
  spare: ArrayBuffer | undefined;
  private columns: readonly string[] = [];
  private writer = new CellWriter(0, 0);

  write(rows: readonly Columns[]): SentRows {
    const [first] = rows;
    if (first === undefined) return { list: [] };
    const columns = Object.keys(first);
    if (!rows.every((row) => areAlike(Object.keys(row), columns))) return { list: rows };
    const isNew = !areAlike(columns, this.columns);
    if (isNew) {
      this.columns = columns;
      this.writer = new CellWriter(columns.length, 0);
    }
    const { writer } = this;
    writer.begin(roomFor(rows.length), this.spare);
    this.spare = undefined;
    for (const row of rows) {
      columns.forEach((column, i) => writer.write(i, row[column]));
      writer.count += 1;
    }
    return { cells: writer.take(), ...(isNew && { columns }) };
  }
}

const areAlike = (some: readonly string[], others: readonly string[]): boolean => some.length === others.length && some.every((name, i) => name === others[i]);

/** A power of two, or a buffer that came back would often be too small by a row. */
const roomFor = (rows: number): number => 2 ** Math.max(6, Math.ceil(Math.log2(rows)));
