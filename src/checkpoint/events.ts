import type { EventStore } from '../windows/eventStore.ts';
import { damaged } from './byteReader.ts';
import { decode } from './codec.ts';
import { DoubleColumn } from './doubles.ts';
import { DoubleView } from './doubleView.ts';
import type { PartWriter, SectionReader } from './part.ts';
import { TimeColumn, type TimeMemory } from './timeColumn.ts';
import { TimeWriter } from './times.ts';

/** Events at rest, by columns. */
export interface EventColumns {
  readonly times: TimeColumn;
  readonly numbers: readonly DoubleView[];
  readonly cells: readonly (readonly unknown[])[];
}

/** Names of the sections that hold events, behind a common beginning. */
const names = (kind: '' | 'held'): { readonly times: string; readonly number: string; readonly cell: string } =>
  kind === '' ? { times: 'times', number: 'number', cell: 'cell' } : { times: 'heldTimes', number: 'heldNumber', cell: 'heldCell' };

/** Doubles in a line of the cache, and how many pieces of blocks it holds with ease. */
const LINE = 8, PIECES = 64;

/**
 * Copies events out of the store into columns: straight from its slabs, with nothing made for an event.
 *
 * Blocks lie anywhere in memory, and most are cold. So of some dozens each line is read first, and then they are copied: the
 * processor waits for many lines at once, where in a loop that does more it would wait for one after the other.
 */
export class EventWriter {
  private readonly store: EventStore;
  private readonly times = new TimeWriter();
  private readonly numbers: readonly DoubleColumn[];
  private readonly cells: readonly (readonly [column: number, values: unknown[]])[];

  /** Where pieces to be copied begin and end: of the first one of a run the complement of where it begins. */
  private readonly pieces = new Int32Array(2 * PIECES);
  private count = 0;
  private begins = true;
  private touched = 0;

  /** `cellColumns`: where the store keeps the columns of cells, in the order of the layout. `room`: for how many events. */
  constructor(store: EventStore, cellColumns: readonly number[], room: number) {
    this.store = store;
    this.numbers = Array.from({ length: store.stride - 1 }, () => new DoubleColumn(room));
    this.cells = cellColumns.map((column) => [column, []]);
  }

  /** What comes next is the first of a run in order of time. */
  begin(): void {
    this.begins = true;
  }

  /** Adds the events at [from, to), which lie in one block and stay there until they are copied. */
  add(from: number, to: number): void {
    const { pieces, count } = this;
    pieces[count] = this.begins ? ~from : from;
    pieces[count + 1] = to;
    this.begins = false;
    this.count = count + 2;
    if (this.count === pieces.length) this.copy();
  }

  /** Copies what was added. */
  copy(): void {
    const { store, pieces, count, times } = this;
    this.count = 0;
    this.touched = 0;
    for (let i = 0; i < count; i += 2) this.touched += touch(store, pieces[i]! < 0 ? ~pieces[i]! : pieces[i]!, pieces[i + 1]!);
    for (let i = 0; i < count; i += 2) {
      const first = pieces[i]!;
      if (first < 0) times.begin();
      this.copyPiece(first < 0 ? ~first : first, pieces[i + 1]!);
    }
  }

  private copyPiece(from: number, to: number): void {
    const { store, numbers } = this, { stride } = store, count = to - from;
    const slab = store.slabOf(from), at = store.offsetOf(from);
    for (let lane = 0; lane < numbers.length; lane++) numbers[lane]!.copy(slab, at + 1 + lane, stride, count);
    this.times.add(slab, at, stride, count);
    for (const [column, values] of this.cells) for (let position = from; position < to; position++) values.push(store.cellAt(position, column));
  }

  /** Hands the columns over, and begins anew. */
  flush(part: PartWriter, kind: '' | 'held'): void {
    const { times, number, cell } = names(kind);
    this.copy();
    part.add(times, this.times.bytes);
    this.times.clear();
    this.numbers.forEach((column, i) => {
      part.add(`${number}${i}`, column.bytes);
      column.clear();
    });
    this.cells.forEach(([, values], i) => {
      part.addValue(`${cell}${i}`, values);
      values.length = 0;
    });
  }

  /** Gives the memory of the columns back. */
  release(): void {
    this.times.release();
    for (const column of this.numbers) column.release();
  }
}

/** Reads something in each line of the events' memory. Gives what nobody needs, but it has to be read for that. */
function touch(store: EventStore, from: number, to: number): number {
  const slab = store.slabOf(from), begin = store.offsetOf(from), end = begin + (to - from) * store.stride;
  let sum = 0;
  for (let at = begin; at < end; at += LINE) sum += slab[at]!;
  return sum;
}

/** The events of such sections; `counts` has the length of each run, `memory` is where their times are decoded. */
export function readEvents(reader: SectionReader, kind: '' | 'held', counts: Int32Array, memory: TimeMemory): EventColumns {
  const { layout } = reader.header, { times: timesName, number, cell } = names(kind);
  const times = new TimeColumn(reader.section(timesName), counts, memory);
  return {
    times,
    numbers: layout.numbers.map((_, i) => new DoubleView(reader.section(`${number}${i}`), times.length)),
    cells: layout.cells.map((_, i) => valuesOf(reader.section(`${cell}${i}`), times.length)),
  };
}

/** A list of so many values. */
export function valuesOf(bytes: Uint8Array, count: number): unknown[] {
  const values = decode(bytes);
  if (!Array.isArray(values) || values.length !== count) throw damaged(`no list of ${count} values`);
  return values;
}
