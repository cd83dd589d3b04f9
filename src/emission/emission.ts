import { enlarged, roomFor } from '../keys/enlarged.ts';
import type { KeyTable } from '../keys/keyTable.ts';
import type { KeyPart } from '../keys/partitionKey.ts';
import { MISSING } from '../windows/eventStore.ts';
import type { Lanes } from '../windows/lanes.ts';
import { NumericKernel } from '../windows/numericKernel.ts';
import { MergedKernel } from '../windows/mergedKernel.ts';
import type { RunningKernel } from '../windows/runningKernel.ts';
import { RowBuilder, type Row } from './row.ts';
import { copied, sameValue } from './sameValue.ts';

/** What an emission needs to know of a measure. */
export interface OutputColumn {
  readonly name: string;
  /** What stands in the row of a window without events. */
  readonly empty: unknown;
}

/**
 * Update rows: the answers of a key, what its last row said, and whether they differ.
 *
 * Answers of number columns are compared as doubles in flat arrays, with null as -0, which no answer ever is. The
 * others are cells.
 */
export class Emission {
  private readonly rows: RowBuilder;
  private readonly lanes: Lanes;
  private readonly columns: readonly OutputColumn[];
  private readonly numbers: Float64Array;
  private readonly cells: unknown[];
  private readonly emptyNumbers: Float64Array;
  /** Per slot: the answers in the key's last row, the empty row before its first. */
  private lastNumbers: Float64Array<ArrayBuffer> = new Float64Array(0);
  private readonly lastCells: unknown[] = [];
  /** Per slot: 1 where the last row came with a snapshot and not from windows. Absent until a key does. */
  private saved: Uint8Array<ArrayBuffer> | undefined = undefined;

  constructor(keys: KeyTable, keyColumns: readonly string[], alias: string, columns: readonly OutputColumn[], lanes: Lanes) {
    this.rows = new RowBuilder(keys, keyColumns, alias, columns.map(({ name }) => name));
    this.columns = columns;
    this.lanes = lanes;
    this.numbers = new Float64Array(columns.length).fill(MISSING);
    this.cells = columns.map(() => undefined);
    this.emptyNumbers = Float64Array.from(columns, ({ empty }) => (empty === 0 ? 0 : MISSING));
  }

  /** The key is new: it counts as having emitted the empty row. */
  open(slot: number): void {
    const { length } = this.columns;
    const at = slot * length;
    if (at + length > this.lastNumbers.length) this.lastNumbers = enlarged(this.lastNumbers, roomFor(slot) * length);
    this.lastNumbers.set(this.emptyNumbers, at);
    if (this.saved !== undefined) this.markSaved(slot, 0);
    for (const i of this.lanes.summarised) this.lastCells[at + i] = this.columns[i]!.empty;
  }

  /** Puts the answers that the summaries hold in the place of those in the key's last row: whether one is another. */
  update(slot: number): boolean {
    const { lanes, lastNumbers, cells } = this;
    const base = slot * this.columns.length;
    let changed = false;
    for (const kernel of lanes.numeric) if (kernel.readInto(lastNumbers, base)) changed = true;
    for (const i of lanes.summarised) {
      cells[i] = this.read(i, slot);
      if (sameValue(cells[i], this.lastCell(base, i))) continue;
      this.lastCells[base + i] = copied(cells[i]);
      changed = true;
    }
    if (this.saved !== undefined) this.saved[slot] = 0;
    return changed;
  }

  /**
   * Whether the answers that were put last are a row by themselves, and were put here: those of a snapshot may be of an
   * engine that makes no rows, or of another plan.
   */
  isOwn(slot: number): boolean {
    return this.lanes.summarised.length === 0 && this.saved?.[slot] !== 1;
  }

  /** The row of the answers that were put last. `text`: the key, where it is one text that is at hand. */
  row(slot: number, frontier: unknown, text?: string): Row {
    return this.withCells(this.rowOf(slot, frontier, text, this.lastNumbers, slot * this.columns.length));
  }

  /** The row of the answers that the summaries hold, without taking note of them. `replaced`: other answers, by column. */
  look(slot: number, frontier: unknown, text: string | undefined, replaced?: ReadonlyMap<number, unknown>): Row {
    for (const kernel of this.lanes.numeric) kernel.readInto(this.numbers, 0);
    for (const i of this.lanes.summarised) this.cells[i] = replaced?.has(i) ? replaced.get(i) : this.read(i, slot);
    return this.withCells(this.rowOf(slot, frontier, text, this.numbers, 0));
  }

  private rowOf(slot: number, frontier: unknown, text: string | undefined, numbers: Float64Array, base: number): Row {
    return text === undefined ? this.rows.build(slot, frontier, numbers, base) : this.rows.buildOfText(text, frontier, numbers, base);
  }

  /** The row of a key that is not there. */
  emptyRow(key: readonly KeyPart[], frontier: unknown): Row {
    const row = this.rows.buildAbsent(key, frontier, this.emptyNumbers);
    for (const i of this.lanes.summarised) row[this.columns[i]!.name] = copied(this.columns[i]!.empty);
    return row;
  }

  private read(i: number, slot: number): unknown {
    const summary = this.lanes.answers[i] as MergedKernel | RunningKernel;
    return summary instanceof MergedKernel ? summary.read() : summary.read(slot);
  }

  private withCells(row: Row): Row {
    for (const i of this.lanes.summarised) row[this.columns[i]!.name] = copied(this.cells[i]);
    return row;
  }

  /** Never written where the key was there before its column turned from numbers to cells. */
  private lastCell(base: number, i: number): unknown {
    return base + i in this.lastCells ? this.lastCells[base + i] : this.columns[i]!.empty;
  }

  /** Whether a measure's answer is a double, null as -0. */
  isFused(i: number): boolean {
    return this.lanes.answers[i] instanceof NumericKernel;
  }

  /** A measure's answer in the key's last row. */
  last(slot: number, i: number): unknown {
    const base = slot * this.columns.length;
    return this.isFused(i) ? this.lastNumbers[base + i] : this.lastCell(base, i);
  }

  /** What follows is the key's last row as a snapshot has it. */
  startRestore(slot: number): void {
    this.markSaved(slot, 1);
  }

  private markSaved(slot: number, mark: number): void {
    this.saved ??= new Uint8Array(0);
    if (slot >= this.saved.length) this.saved = enlarged(this.saved, roomFor(slot));
    this.saved[slot] = mark;
  }

  restoreLast(slot: number, i: number, value: unknown): void {
    const base = slot * this.columns.length;
    if (this.isFused(i)) this.lastNumbers[base + i] = value as number;
    else this.lastCells[base + i] = value;
  }

  get bytes(): number {
    return (this.lastNumbers.length + this.lastCells.length) * 8 + (this.saved?.length ?? 0);
  }
}
