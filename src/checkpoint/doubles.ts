import { enlarged } from '../keys/enlarged.ts';
import { isLittleEnded } from './littleEnd.ts';

const DOUBLE = 8;

/** A column of doubles that grows at the end. */
export class DoubleColumn {
  values: Float64Array<ArrayBuffer>;
  length = 0;
  /** Before it, all NaNs are one and the same. */
  private settled = 0;

  constructor(room = 16) {
    this.values = new Float64Array(Math.max(room, 1));
  }

  /** Makes room for so many more, and gives where they begin. */
  extend(count: number): number {
    const at = this.length, length = at + count;
    if (length > this.values.length) this.values = enlarged(this.values, Math.max(length, this.values.length * 2));
    this.length = length;
    return at;
  }

  push(value: number): void {
    const at = this.extend(1); // first: it may make another array
    this.values[at] = value;
  }

  clear(): void {
    this.length = this.settled = 0;
  }

  /** Gives the memory back. */
  release(): void {
    this.clear();
    this.values = new Float64Array(1);
  }

  /** Copies so many doubles out of an array, from `at` on, `stride` apart. */
  copy(from: Float64Array, at: number, stride: number, count: number): void {
    const start = this.extend(count), { values } = this;
    let strange = 0;
    for (let i = 0, place = at; i < count; i++, place += stride) {
      const value = from[place]!;
      values[start + i] = value;
      strange += value * 0; // NaN from the first NaN or infinity on: cheaper than to look at each
    }
    if (strange !== strange) settleNaNs(values, start, this.length);
    if (start === this.settled) this.settled = this.length;
  }

  /** As they lie in a snapshot, little end first. The column is not to be added to any more, before it is cleared. */
  get bytes(): Uint8Array<ArrayBuffer> {
    const { values, length } = this;
    settleNaNs(values, this.settled, length);
    return inLittleEndOrder(new Uint8Array(values.buffer, 0, length * DOUBLE));
  }
}

/** There are many NaNs, and arithmetic gives now this one, now that; the same state must give the same bytes. */
function settleNaNs(values: Float64Array, from: number, to: number): void {
  for (let i = from; i < to; i++) if (values[i] !== values[i]) values[i] = NaN;
}

/** Machines whose numbers begin with the big end turn each one around. */
function inLittleEndOrder<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  if (!isLittleEnded) for (let at = 0; at < bytes.length; at += DOUBLE) bytes.subarray(at, at + DOUBLE).reverse();
  return bytes;
}
