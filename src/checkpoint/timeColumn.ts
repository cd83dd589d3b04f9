import { ByteReader, damaged } from './byteReader.ts';

/** Where one column of times at a time is decoded: who reads one slice after the other needs no more. */
export class TimeMemory {
  private values = new Float64Array(0);
  private holds: TimeColumn | undefined = undefined;

  of(column: TimeColumn): Float64Array {
    if (this.holds === column) return this.values;
    this.holds = undefined; // a damaged column leaves its beginning
    if (this.values.length < column.length) this.values = new Float64Array(column.length);
    column.decodeInto(this.values);
    this.holds = column;
    return this.values;
  }
}

/** A column of times as a `TimeWriter` wrote it, decoded when its times are asked for; `counts` has the length of each run. */
export class TimeColumn {
  readonly length: number;
  private readonly bytes: Uint8Array;
  private readonly counts: Int32Array;
  private readonly memory: TimeMemory;

  constructor(bytes: Uint8Array, counts: Int32Array, memory: TimeMemory) {
    let length = 0;
    for (const count of counts) length += count;
    if (length > bytes.length) throw damaged(`${bytes.length} bytes of ${length} times`);
    this.length = length;
    this.bytes = bytes;
    this.counts = counts;
    this.memory = memory;
  }

  /** In the memory that the column was made with: valid until those of another column with it are asked for. */
  get times(): Float64Array {
    return this.memory.of(this);
  }

  decodeInto(times: Float64Array): void {
    const from = new ByteReader(this.bytes);
    let i = 0, first = 0;
    for (const count of this.counts) {
      if (count === 0) continue;
      const code = from.varint();
      first = code === 0 ? from.double() : first + (code % 2 === 1 ? (code - 1) / 2 : -code / 2);
      times[i] = first;
      this.decodeOthers(from, times, i + 1, (i += count));
    }
    from.end();
  }

  /** Those of a run after its first, from one place to another. */
  private decodeOthers(from: ByteReader, times: Float64Array, begin: number, end: number): void {
    const { bytes } = this;
    let { at } = from, last = times[begin - 1]!;
    for (let i = begin; i < end; i++) {
      const byte = bytes[at]!;
      // Nearly all are of two bytes or of one, and this is where a restore begins: the rest is out of its way.
      if (byte > 127 && bytes[at + 1]! < 128) {
        last += ((byte & 127) | (bytes[at + 1]! << 7)) - 1;
        at += 2;
      } else if (byte > 0 && byte < 128) {
        last += byte - 1;
        at++;
      } else {
        from.at = at;
        const code = from.varint();
        last = code === 0 ? from.double() : last + (code - 1); // their sum first would round beyond 2^53
        ({ at } = from);
      }
      times[i] = last;
    }
    from.at = at;
  }
}
