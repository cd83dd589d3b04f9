import { CellReader, type Columns } from './cellReader.ts';
import type { SentRows } from './messages.ts';

/** Makes the rows of an evaluation: of every one, in order. */
export class RowReader {
  /** A buffer that was read, to be sent back. */
  spare: ArrayBuffer | undefined;
  private reader = new CellReader([], 0);

  read(sent: SentRows): readonly unknown[] {
    if ('list' in sent) return sent.list;
    if (sent.columns !== undefined) this.reader = new CellReader(sent.columns, 0);
    this.reader.open(sent.cells);
    const rows: Columns[] = [];
    for (let i = 0; i < sent.cells.count; i++) rows.push(this.reader.record(i));
    this.spare = sent.cells.buffer;
    return rows;
  }
}
