import { bitsOf, COUNT, HEAD, type Cells, type News } from './cells.ts';

/** What the list of texts may weigh, by their letters, before it begins anew: some megabytes on each side. */
const MOST_LETTERS = 1 << 20;
/** What a text weighs beside its letters. */
const EACH = 16;

/** Writes records into a buffer, which then crosses. */
export class CellWriter {
  /** Records written. */
  count: number = 0;
  /** Doubles per record. */
  protected readonly width: number;
  protected cells: Float64Array<ArrayBuffer> = new Float64Array(HEAD);
  /** By column, whether it holds places of texts; of the first columns the same as bits. */
  protected textBits: number = 0;
  protected readonly places: Map<string, number> = new Map<string, number>();
  private readonly isText: boolean[];
  /** By column, how many values of this buffer stand beside it. */
  private readonly beside: number[];
  private weight = 0;
  private texts: string[] = [];
  private anew = false;
  private otherAt: number[] = [];
  private others: unknown[] = [];
  private hasNews = false;

  constructor(columns: number) {
    this.width = columns;
    this.isText = Array.from({ length: columns }, () => false);
    this.beside = this.isText.map(() => 0);
  }

  /** Begins with a head and so many doubles, in a buffer that came back where it is large enough. */
  begin(doubles: number, spare?: Float64Array<ArrayBuffer>): void {
    const length = HEAD + doubles;
    this.cells = spare !== undefined && spare.length >= length ? spare : new Float64Array(new ArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
    if (this.weight > MOST_LETTERS) this.beginTexts();
  }

  /** Writes a value of the record that `count` numbers. */
  write(column: number, value: unknown): void {
    const at = HEAD + this.count * this.width + column;
    if (typeof value === 'number' && !this.isText[column]) this.cells[at] = value;
    else if (typeof value === 'string' && this.isText[column]) this.cells[at] = this.places.get(value) ?? this.addText(value);
    else this.writeOther(column, at, value);
  }

  /** What was written, to be sent with its buffer transferred. `begin` comes next. */
  take(): Cells {
    const { buffer } = this.cells;
    this.cells[COUNT] = this.count;
    this.count = 0;
    return this.hasNews ? { cells: buffer, news: this.takeNews() } : { cells: buffer };
  }

  private takeNews(): News {
    const { isText, texts, anew, otherAt, others } = this;
    this.texts = [];
    this.anew = this.hasNews = false;
    this.otherAt = [];
    this.others = [];
    this.beside.fill(0);
    return { isText: isText.slice(), texts, anew, otherAt, others };
  }

  private beginTexts(): void {
    this.places.clear();
    this.weight = 0;
    this.anew = this.hasNews = true;
  }

  private addText(text: string): number {
    const place = this.places.size;
    this.places.set(text, place);
    this.weight += text.length + EACH;
    this.texts.push(text);
    this.hasNews = true;
    return place;
  }

  private writeOther(column: number, at: number, value: unknown): void {
    this.hasNews = true;
    const isStray = typeof value === 'number' || typeof value === 'string';
    if (isStray && this.beside[column] === this.count) {
      // The first value in this buffer that says what the column holds.
      this.isText[column] = typeof value === 'string';
      this.textBits = bitsOf(this.isText);
      return this.write(column, value);
    }
    this.cells[at] = 0; // so that a reader may take it for a number or a place
    this.beside[column]! += 1;
    this.otherAt.push(at);
    this.others.push(value);
  }
}
