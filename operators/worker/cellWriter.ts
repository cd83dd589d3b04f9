import type { Cells } from './cells.ts';

/** What the list of texts may weigh, by their letters, before it begins anew: some megabytes on each side. */
const MOST_LETTERS = 1 << 20;
/** What a text weighs beside its letters. */
const EACH = 16;

/** Writes records into a buffer, which then crosses. What is written has no code of the user's any more. */
export class CellWriter {
  /** Records written. */
  count = 0;
  /** How many the buffer has room for. */
  room = 0;
  /** Doubles per record. */
  readonly width: number;
  private cells: Float64Array<ArrayBuffer> = new Float64Array(0);
  private readonly lead: number;
  private readonly isText: boolean[];
  /** By column, how many values of this buffer stand beside it. */
  private readonly beside: number[];
  private readonly places = new Map<string, number>();
  private weight = 0;
  private texts: string[] = [];
  private anew = false;
  private otherAt: number[] = [];
  private others: unknown[] = [];

  /** `lead`: doubles before the columns of each record. */
  constructor(columns: number, lead: number) {
    this.lead = lead;
    this.width = lead + columns;
    this.isText = Array.from({ length: columns }, () => false);
    this.beside = this.isText.map(() => 0);
  }

  /** Begins with room for so many records, in a buffer that came back where it is as large. */
  begin(room: number, spare?: ArrayBuffer): void {
    const bytes = room * this.width * Float64Array.BYTES_PER_ELEMENT;
    this.cells = new Float64Array(spare !== undefined && spare.byteLength >= bytes ? spare : new ArrayBuffer(bytes));
    this.room = room;
    this.anew = this.weight > MOST_LETTERS;
    if (this.anew) this.places.clear();
    if (this.anew) this.weight = 0;
  }

  /** Writes a double that belongs to no column. */
  writeLead(value: number): void {
    this.cells[this.count * this.width] = value;
  }

  /** Writes a value of the record that `count` numbers. */
  write(column: number, value: unknown): void {
    const at = this.count * this.width + this.lead + column;
    if (typeof value === 'number' && !this.isText[column]) this.cells[at] = value;
    else if (typeof value === 'string' && this.isText[column]) this.cells[at] = this.places.get(value) ?? this.addText(value);
    else this.writeOther(column, at, value);
  }

  /** What was written, to be sent with its buffer transferred. `begin` comes next. */
  take(): Cells {
    const { count, isText, texts, anew, otherAt, others } = this;
    const { buffer } = this.cells;
    this.count = this.room = 0;
    if (texts.length > 0) this.texts = [];
    if (others.length > 0) {
      this.otherAt = [];
      this.others = [];
      this.beside.fill(0);
    }
    return { count, buffer, isText, texts, anew, otherAt, others };
  }

  private addText(text: string): number {
    const place = this.places.size;
    this.places.set(text, place);
    this.weight += text.length + EACH;
    this.texts.push(text);
    return place;
  }

  private writeOther(column: number, at: number, value: unknown): void {
    const isStray = typeof value === 'number' || typeof value === 'string';
    if (isStray && this.beside[column] === this.count) {
      // The first value in this buffer that says what the column holds.
      this.isText[column] = typeof value === 'string';
      return this.write(column, value);
    }
    this.beside[column]! += 1;
    this.otherAt.push(at);
    this.others.push(value);
  }
}
