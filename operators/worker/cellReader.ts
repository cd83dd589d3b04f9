import { asLiteral } from '../../src/internals.ts';
import { bitsOf, COUNT, HEAD, READINGS, type Cells } from './cells.ts';

export type Columns = Record<string, unknown>;

type Constructor = new (cells: Float64Array, texts: readonly string[], textBits: number, at: number) => Columns;

const NOTHING: readonly never[] = [];

/** Reads what a `CellWriter` of the same columns wrote: every buffer of it, in order, since texts are sent once. */
export class CellReader {
  private readonly names: readonly string[];
  private readonly texts: string[] = [];
  private readonly isText: boolean[];
  private readonly construct: Constructor;
  private cells: Float64Array<ArrayBuffer> = new Float64Array(HEAD);
  private textBits = 0;
  private otherAt: readonly number[] = NOTHING;
  private others: readonly unknown[] = NOTHING;
  /** Which of the values that stand beside the cells comes next. */
  private next = 0;
  /** Which of the readings comes next. */
  private nextReading = 0;
  private now = NaN;

  constructor(names: readonly string[]) {
    this.names = names.map(asLiteral);
    this.isText = names.map(() => false);
    this.construct = constructorOf(this.names, this.isText);
  }

  /** Takes in what is new, and begins with the first record. */
  open({ cells, news }: Cells): void {
    if (news?.anew) this.texts.length = 0;
    if (news) {
      for (const text of news.texts) this.texts.push(text);
      news.isText.forEach((is, column) => (this.isText[column] = is));
      this.textBits = bitsOf(news.isText);
    }
    this.otherAt = news?.otherAt ?? NOTHING;
    this.others = news?.others ?? NOTHING;
    this.cells = new Float64Array(cells);
    this.next = this.nextReading = 0;
  }

  /** What stands there in the head. */
  head(at: number): number {
    return this.cells[at]!;
  }

  /** How many records there are. */
  get count(): number {
    return this.head(COUNT);
  }

  /** The reading at which an event arrived. They are asked for in order, as the records are. */
  readingOf(record: number): number {
    const { cells } = this, at = cells.length - 2 * this.nextReading;
    if (this.nextReading < cells[READINGS]! && cells[at - 1] === record) {
      this.now = cells[at - 2]!;
      this.nextReading += 1;
    }
    return this.now;
  }

  /** Makes a record. They are read in order, each once. */
  record(record: number): Columns {
    const at = HEAD + record * this.names.length;
    const made = new this.construct(this.cells, this.texts, this.textBits, at);
    if (this.next < this.others.length) this.putBeside(made, at);
    return made;
  }

  /** Makes all records. */
  records(): Columns[] {
    const { count, construct, cells, texts, textBits } = this, width = this.names.length;
    const made = new Array<Columns>(count); // one that grows is copied a dozen times
    for (let i = 0, at = HEAD; i < count; i++, at += width) made[i] = new construct(cells, texts, textBits, at);
    if (this.others.length > 0) made.forEach((record, i) => this.putBeside(record, HEAD + i * width));
    return made;
  }

  /** The buffer that is open, to be written into again. */
  get spare(): Float64Array<ArrayBuffer> {
    return this.cells;
  }

  /** Puts what stands beside the cells of a record in its place: of one constructor all records have one shape. */
  private putBeside(made: Columns, at: number): void {
    const { names, otherAt, others } = this;
    for (; this.next < others.length && otherAt[this.next]! < at + names.length; this.next++) made[names[otherAt[this.next]! - at]!] = others[this.next];
  }
}

/**
 * Makes plain objects with these columns, which are written out for the same reasons as in `emission/row.ts`: in a loop
 * each would cost some ten times as much. Whether a column is of texts is a bit, since to look it up, in code that is
 * reached through a closure, costs as much again as all the rest.
 */
function constructorOf(names: readonly string[], isText: readonly boolean[]): Constructor {
  const n = names.length;
  const [n0, n1, n2, n3, n4, n5, n6, n7] = names as [string, string, string, string, string, string, string, string];
  function Plain(this: Columns, cells: Float64Array, texts: readonly string[], bits: number, at: number): void {
    if (n > 0) this[n0] = bits & 1 ? texts[cells[at]!] : cells[at];
    if (n > 1) this[n1] = bits & 2 ? texts[cells[at + 1]!] : cells[at + 1];
    if (n > 2) this[n2] = bits & 4 ? texts[cells[at + 2]!] : cells[at + 2];
    if (n > 3) this[n3] = bits & 8 ? texts[cells[at + 3]!] : cells[at + 3];
    if (n > 4) this[n4] = bits & 16 ? texts[cells[at + 4]!] : cells[at + 4];
    if (n > 5) this[n5] = bits & 32 ? texts[cells[at + 5]!] : cells[at + 5];
    if (n > 6) this[n6] = bits & 64 ? texts[cells[at + 6]!] : cells[at + 6];
    if (n > 7) this[n7] = bits & 128 ? texts[cells[at + 7]!] : cells[at + 7];
    for (let i = 8; i < n; i++) this[names[i]!] = isText[i] ? texts[cells[at + i]!] : cells[at + i];
  }
  Plain.prototype = Object.prototype;
  const construct = Plain as unknown as Constructor;
  // Of a column that had numbers alone, the first null would give all further records another hidden class.
  const first = new construct(new Float64Array(n), NOTHING, 0, 0);
  for (const name of names) first[name] = null;
  return construct;
}
