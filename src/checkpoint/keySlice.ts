import type { KeyPart } from '../keys/partitionKey.ts';
import { ByteReader } from './byteReader.ts';
import { ByteWriter } from './byteWriter.ts';
import { decode } from './codec.ts';
import { DoubleColumn } from './doubles.ts';
import { DoubleView } from './doubleView.ts';
import { readEvents, valuesOf, type EventColumns, type EventWriter } from './events.ts';
import type { PartWriter, SectionReader } from './part.ts';
import type { TimeMemory } from './timeColumn.ts';

/** Of a slice, beside those of the values of events. */
export const SECTIONS = 9;

/** The columns of some keys, as they are written: one entry per key in each, and the events in `events`. */
export class KeySliceWriter {
  readonly keys: KeyPart[] = [];
  /** Per key: how many events entered, and how many wait in its blocks. */
  readonly counts: ByteWriter = new ByteWriter();
  readonly events: EventWriter;
  /** Fused lifetime states, key by key. */
  readonly sums: DoubleColumn;
  /** The other lifetime states. */
  readonly states: unknown[] = [];
  /** The last answers that are doubles, and the others. */
  readonly rows: DoubleColumn;
  readonly answers: unknown[] = [];
  /** How idle the key is: a clock reading, and its place in the order. */
  readonly idle: DoubleColumn = new DoubleColumn();

  constructor(events: EventWriter) {
    this.events = events;
    this.sums = new DoubleColumn();
    this.rows = new DoubleColumn();
  }

  /** Hands the columns over, and begins anew. `removed`: keys that are gone, whatever earlier slices say of them. */
  flush(part: PartWriter, removed: readonly (readonly KeyPart[])[]): void {
    part.addValue('keys', this.keys);
    part.add('counts', this.counts.written);
    this.events.flush(part, '');
    part.add('sums', this.sums.bytes);
    part.addValue('states', this.states);
    part.add('rows', this.rows.bytes);
    part.addValue('answers', this.answers);
    part.add('idle', this.idle.bytes);
    part.addValue('removed', removed);
    for (const column of [this.counts, this.sums, this.rows, this.idle]) column.clear();
    for (const column of [this.keys, this.states, this.answers]) column.length = 0;
  }

  /** Gives the memory of the columns back. */
  release(): void {
    this.events.release();
    for (const column of [this.counts, this.sums, this.rows, this.idle]) column.release();
  }
}

/** The same as it is read. Per key, the columns hold as many entries as the layout has measures for them. */
export interface KeySlice {
  readonly size: number;
  readonly keys: readonly KeyPart[];
  /** Per key: its first event, how many entered, and how many events there are. */
  readonly starts: Int32Array;
  readonly entered: Int32Array;
  readonly stored: Int32Array;
  readonly events: EventColumns;
  readonly sums: Float64Array;
  readonly states: readonly unknown[];
  readonly rows: DoubleView;
  readonly answers: readonly unknown[];
  readonly idle: DoubleView;
  readonly removed: readonly (readonly KeyPart[])[];
}

/** The next slice of a part. `size` is known by its counts: a plan may have no key column. */
export function readKeySlice(reader: SectionReader, memory: TimeMemory): KeySlice {
  const { layout, plan } = reader.header;
  const keyBytes = reader.section('keys');
  const counts = countsOf(reader.section('counts'));
  const { size } = counts, width = plan.keyColumns.length;
  const sumWidth = layout.sums.reduce((sum, one) => sum + one.width, 0);
  return {
    ...counts,
    keys: valuesOf(keyBytes, size * width) as KeyPart[],
    events: readEvents(reader, '', counts.stored, memory),
    sums: new DoubleView(reader.section('sums'), size * sumWidth).copied(),
    states: valuesOf(reader.section('states'), size * layout.states.length),
    rows: new DoubleView(reader.section('rows'), size * layout.fused.length),
    answers: valuesOf(reader.section('answers'), size * layout.summarised.length),
    idle: new DoubleView(reader.section('idle'), layout.idle ? size * 2 : 0),
    removed: decode(reader.section('removed')) as KeyPart[][],
  };
}

function countsOf(bytes: Uint8Array): { size: number; starts: Int32Array; entered: Int32Array; stored: Int32Array } {
  const reader = new ByteReader(bytes), most = bytes.length >> 1; // a byte for each of a key's two numbers, at least
  const starts = new Int32Array(most), entered = new Int32Array(most), stored = new Int32Array(most);
  let size = 0;
  for (let start = 0; reader.at < bytes.length; size++) {
    const inside = reader.varint(), waiting = reader.varint();
    starts[size] = start;
    entered[size] = inside;
    stored[size] = inside + waiting;
    start += inside + waiting;
  }
  return { size, starts: starts.subarray(0, size), entered: entered.subarray(0, size), stored: stored.subarray(0, size) };
}
