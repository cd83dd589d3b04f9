import { CellReader } from './cellReader.ts';
import type { SentRows } from './messages.ts';

/** Makes the rows of an evaluation: of every one, in order. */
export class RowReader {
  private reader = new CellReader([]);

  read(sent: SentRows): readonly unknown[] {
    if (sent.columns !== undefined) this.reader = new CellReader(sent.columns);
    this.reader.open(sent);
    return sent.list ?? this.reader.records();
  }

  /** What stands there in the head. */
  head(at: number): number {
    return this.reader.head(at);
  }

  /** The buffer that was read, to be written into again. */
  get spare(): Float64Array<ArrayBuffer> {
    return this.reader.spare;
  }
}
