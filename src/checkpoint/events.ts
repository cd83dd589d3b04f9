import type { EventColumns } from '../windows/lanes.ts';
import type { EventStore } from '../windows/eventStore.ts';
import { damaged } from './byteReader.ts';
import { decode } from './codec.ts';
import { DoubleColumn, doublesOf } from './doubles.ts';
import type { PartWriter, SectionReader } from './part.ts';
import { TimeWriter, timesOf } from './times.ts';

/** Names of the sections that hold events, behind a common beginning. */
const names = (kind: '' | 'held'): { readonly times: string; readonly number: string; readonly cell: string } =>
  kind === '' ? { times: 'times', number: 'number', cell: 'cell' } : { times: 'heldTimes', number: 'heldNumber', cell: 'heldCell' };

/** Copies events out of the store into columns: straight from its slabs, with nothing made for an event. */
export class EventWriter {
  private readonly store: EventStore;
  private readonly times = new TimeWriter();
  private readonly numbers: readonly DoubleColumn[];
  private readonly cells: readonly (readonly [column: number, values: unknown[]])[];

  /** `cellColumns`: where the store keeps the columns of cells, in the order of the layout. `room`: for how many events. */
  constructor(store: EventStore, cellColumns: readonly number[], room: number) {
    this.store = store;
    this.numbers = Array.from({ length: store.stride - 1 }, () => new DoubleColumn(room));
    this.cells = cellColumns.map((column) => [column, []]);
  }

  /** What comes next is the first of a run in order of time. */
  begin(): void {
    this.times.begin();
  }

  /** Adds the events at [from, to), which lie in one block. */
  add(from: number, to: number): void {
    const { store, numbers } = this, { stride } = store, count = to - from;
    const slab = store.slabOf(from), at = store.offsetOf(from);
    this.times.add(slab, at, stride, count);
    for (let lane = 0; lane < numbers.length; lane++) numbers[lane]!.copy(slab, at + 1 + lane, stride, count);
    for (const [column, values] of this.cells) for (let position = from; position < to; position++) values.push(store.cellAt(position, column));
  }

  /** Hands the columns over, and begins anew. */
  flush(part: PartWriter, kind: '' | 'held'): void {
    const { times, number, cell } = names(kind);
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
}

/** The events of such sections; `counts` has the length of each run. */
export function readEvents(reader: SectionReader, kind: '' | 'held', counts: Int32Array): EventColumns {
  const { layout } = reader.header, { times: timesName, number, cell } = names(kind);
  const times = timesOf(reader.section(timesName), counts);
  return {
    times,
    numbers: layout.numbers.map((_, i) => doublesOf(reader.section(`${number}${i}`), times.length)),
    cells: layout.cells.map((_, i) => valuesOf(reader.section(`${cell}${i}`), times.length)),
  };
}

/** A list of so many values. */
export function valuesOf(bytes: Uint8Array, count: number): unknown[] {
  const values = decode(bytes);
  if (!Array.isArray(values) || values.length !== count) throw damaged(`no list of ${count} values`);
  return values;
}
