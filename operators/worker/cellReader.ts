import { asLiteral } from '../../src/internals.ts';
import type { Cells } from './cells.ts';

export type Columns = Record<string, unknown>;

const NOTHING: readonly never[] = [];

/** Reads what a `CellWriter` of the same columns wrote: every buffer of it, in order, since texts are sent once. */
export class CellReader {
  private readonly width: number;
  private readonly texts: string[] = [];
  private readonly construct: new (base: number) => Columns;
  private cells: Float64Array = new Float64Array(0);
  private isText: readonly boolean[];
  private otherAt: readonly number[] = NOTHING;
  private others: readonly unknown[] = NOTHING;
  /** Which of the values that stand beside the cells comes next. */
  private next = 0;
  /** How many readings there are, and which one comes next. */
  private readings = 0;
  private nextReading = 0;
  private now = NaN;

  constructor(names: readonly string[]) {
    this.width = names.length;
    this.isText = names.map(() => false);
    this.construct = constructorOf(names, (column, at) => this.valueAt(column, at));
  }

  /** Takes in what is new, and begins with the first record. */
  open({ buffer, readings, news }: Cells): void {
    if (news?.anew) this.texts.length = 0;
    if (news) for (const text of news.texts) this.texts.push(text);
    this.isText = news?.isText ?? this.isText;
    this.otherAt = news?.otherAt ?? NOTHING;
    this.others = news?.others ?? NOTHING;
    this.cells = new Float64Array(buffer);
    this.next = this.nextReading = 0;
    this.readings = readings;
  }

  /** The reading at which an event arrived. They are asked for in order, as the records are. */
  readingOf(record: number): number {
    const { cells } = this, at = cells.length - 2 * this.nextReading;
    if (this.nextReading < this.readings && cells[at - 1] === record) {
      this.now = cells[at - 2]!;
      this.nextReading += 1;
    }
    return this.now;
  }

  /** Makes a record. They are read in order, each once. */
  record(record: number): Columns {
    return new this.construct(record * this.width);
  }

  private valueAt(column: number, at: number): unknown {
    if (this.otherAt[this.next] === at) return this.others[this.next++];
    const value = this.cells[at]!;
    return this.isText[column] ? this.texts[value] : value;
  }
}

/**
 * Makes plain objects with these columns, which are written out for the same reasons as in `emission/row.ts`: in a loop
 * each would cost some ten times as much.
 */
function constructorOf(given: readonly string[], valueAt: (column: number, at: number) => unknown): new (base: number) => Columns {
  const names = given.map(asLiteral), n = names.length;
  const [n0, n1, n2, n3, n4, n5, n6, n7] = names as [string, string, string, string, string, string, string, string];
  function Plain(this: Columns, base: number): void {
    if (n > 0) this[n0] = valueAt(0, base);
    if (n > 1) this[n1] = valueAt(1, base + 1);
    if (n > 2) this[n2] = valueAt(2, base + 2);
    if (n > 3) this[n3] = valueAt(3, base + 3);
    if (n > 4) this[n4] = valueAt(4, base + 4);
    if (n > 5) this[n5] = valueAt(5, base + 5);
    if (n > 6) this[n6] = valueAt(6, base + 6);
    if (n > 7) this[n7] = valueAt(7, base + 7);
    for (let i = 8; i < n; i++) this[names[i]!] = valueAt(i, base + i);
  }
  Plain.prototype = Object.prototype;
  return Plain as unknown as new (base: number) => Columns;
}
