import type { Cells } from './cells.ts';

export type Columns = Record<string, unknown>;

/** Reads what a `CellWriter` of the same columns wrote: every buffer of it, in order, since texts are sent once. */
export class CellReader {
  private readonly lead: number;
  private readonly width: number;
  private readonly texts: string[] = [];
  private readonly construct: new (base: number) => Columns;
  private cells: Float64Array = new Float64Array(0);
  private given: Cells | undefined;
  /** Which of the values that stand beside the cells comes next. */
  private next = 0;

  constructor(names: readonly string[], lead: number) {
    this.lead = lead;
    this.width = lead + names.length;
    this.construct = constructorOf(names, (column, at) => this.valueAt(column, at));
  }

  /** Takes the texts of a buffer in, and begins with its first record. */
  open(given: Cells): void {
    if (given.anew) this.texts.length = 0;
    for (const text of given.texts) this.texts.push(text);
    this.cells = new Float64Array(given.buffer);
    this.given = given;
    this.next = 0;
  }

  /** The first double of a record. */
  leadOf(record: number): number {
    return this.cells[record * this.width]!;
  }

  /** Makes a record. They are read in order, each once. */
  record(record: number): Columns {
    return new this.construct(record * this.width + this.lead);
  }

  private valueAt(column: number, at: number): unknown {
    const { otherAt, others, isText } = this.given!;
    if (otherAt[this.next] === at) return others[this.next++];
    const value = this.cells[at]!;
    return isText[column] ? this.texts[value] : value;
  }
}

/**
 * Makes plain objects with these columns, which are written out for the same reasons as in `emission/row.ts`: in a loop
 * each would cost some ten times as much.
 */
function constructorOf(given: readonly string[], valueAt: (column: number, at: number) => unknown): new (base: number) => Columns {
  const names = given.map(asLiteral), n = names.length;
  const [n0, n1, n2, n3, n4, n5, n6, n7] = names;
  function Plain(this: Columns, base: number): void {
    if (n > 0) this[n0!] = valueAt(0, base);
    if (n > 1) this[n1!] = valueAt(1, base + 1);
    if (n > 2) this[n2!] = valueAt(2, base + 2);
    if (n > 3) this[n3!] = valueAt(3, base + 3);
    if (n > 4) this[n4!] = valueAt(4, base + 4);
    if (n > 5) this[n5!] = valueAt(5, base + 5);
    if (n > 6) this[n6!] = valueAt(6, base + 6);
    if (n > 7) this[n7!] = valueAt(7, base + 7);
    for (let i = 8; i < n; i++) this[names[i]!] = valueAt(i, base + i);
  }
  Plain.prototype = Object.prototype;
  return Plain as unknown as new (base: number) => Columns;
}

/** The same text as if it stood in a program: one that crossed is compared letter by letter wherever it names a property. */
const asLiteral = (text: string): string => Object.keys({ [text]: text })[0]!;
