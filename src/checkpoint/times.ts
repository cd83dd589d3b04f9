import { ByteWriter } from './byteWriter.ts';

/*
 * A column of times, each by its distance to the one before, as a varint of up to seven bytes:
 *
 *   of the first in a run    2d + 1 for d ms after the first of the run before, 2d for d ms before it
 *   of the others            d + 1 for d ms after the one before
 *   0                        no whole number of milliseconds, or too many: the double itself follows, 8 bytes
 *
 * A run is what is in order of time: the events of a key. So a time costs two bytes in most streams, and fractions, huge
 * gaps and -0 come back bit for bit.
 */

/** Of the longest varint, and of a double with its zero before it. */
const MOST_BYTES = 9;
const FARTHEST = 2 ** 47;
/** Below it, a distance is two bytes at most. */
const NEAR = 2 ** 14 - 1;

export class TimeWriter {
  private readonly out = new ByteWriter();
  private begins = true;
  private first = 0;
  private last = 0;

  /** What comes next is the first of a run. */
  begin(): void {
    this.begins = true;
  }

  /** Adds so many times, which lie in the array from `at` on, `stride` apart. */
  add(times: Float64Array, at: number, stride: number, count: number): void {
    const { out } = this;
    out.reserve(count * MOST_BYTES);
    const { bytes } = out;
    let i = at;
    const end = at + count * stride;
    if (this.begins && count > 0) {
      this.addFirst(times[i]!);
      i += stride;
    }
    let { last } = this, { length } = out;
    for (; i < end; i += stride) {
      const time = times[i]!, distance = time - last, whole = distance | 0;
      // Nearly all are so near, and this is the dearest line of a snapshot. Bytes keep the lower eight bits of what they are given.
      if (whole === distance && whole >>> 0 < NEAR && last + distance === time && time !== 0) {
        const code = whole + 1;
        if (code > 127) {
          bytes[length++] = code | 128;
          bytes[length++] = code >>> 7;
        } else bytes[length++] = code;
      } else {
        out.length = length;
        this.addFar(time, Number.isInteger(distance) && distance >= 0 ? distance + 1 : NaN, last + distance);
        ({ length } = out);
      }
      last = time;
    }
    this.last = last;
    out.length = length;
  }

  clear(): void {
    this.out.clear();
    this.begins = true;
    this.first = this.last = 0;
  }

  /** Gives the memory back. */
  release(): void {
    this.out.release();
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.out.written;
  }

  private addFirst(time: number): void {
    const distance = time - this.first;
    const code = distance < 0 ? -2 * distance : 2 * distance + 1;
    this.addFar(time, Number.isInteger(distance) ? code : NaN, this.first + distance); // the code of a half would be whole
    this.first = this.last = time;
    this.begins = false;
  }

  /** `code`: NaN where there is none; `reached`: where it leads. */
  private addFar(time: number, code: number, reached: number): void {
    const { out } = this;
    if (!(Number.isInteger(code) && code < FARTHEST && reached === time && time !== 0)) {
      out.byte(0);
      return out.double(time);
    }
    for (; code > 127; code = Math.floor(code / 128)) out.byte((code % 128) | 128);
    out.byte(code);
  }
}
