import { CellReader, type Columns } from './cellReader.ts';
import type { SentRows } from './messages.ts';

/** Makes the rows of an evaluation: of every one, in order. */
export class RowReader {
  private reader = new CellReader([]);

  read(sent: SentRows | undefined): readonly unknown[] {
    if (sent === undefined) return [];
    if ('list' in sent) return sent.list;
    if (sent.columns !== undefined) this.reader = new CellReader(sent.columns);
    this.reader.open(sent.cells);
    const rows: Columns[] = [];
    for (let i = 0; i < sent.cells.count; i++) rows.push(this.reader.record(i));
    return rows;
  }
}
