import { SnapshotError } from '../errors.ts';

/** Of seven bytes, which a double can count. */
const LONGEST = 2 ** 49;
/** Characters that become text at once: keys are many and short, and one at a time makes a string of each beginning. */
const GROUP = 8;

/** Reads what a `ByteWriter` wrote. Never past the end, and never into more memory than the bytes that are left can fill. */
export class ByteReader {
  at = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw damaged('an early end');
    return this.bytes[this.at++]!;
  }

  double(): number {
    if (this.at + 8 > this.bytes.length) throw damaged('an early end');
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; factor < LONGEST; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw damaged('an integer without an end');
  }

  /** A number of items, each of which takes at least `size` bytes: never more than there can be. */
  count(size: number): number {
    const count = this.varint();
    if (count * size > this.bytes.length - this.at) throw damaged(`${count} items where ${this.bytes.length - this.at} bytes are left`);
    return count;
  }

  text(): string {
    let text = '', left = this.count(1);
    for (; left >= GROUP && this.isAscii(); left -= GROUP) text += this.asciiGroup();
    for (; left > 0; left--) text += String.fromCharCode(this.varint());
    return text;
  }

  private isAscii(): boolean {
    const { bytes, at } = this;
    return at + GROUP <= bytes.length && (bytes[at]! | bytes[at + 1]! | bytes[at + 2]! | bytes[at + 3]! | bytes[at + 4]! | bytes[at + 5]! | bytes[at + 6]! | bytes[at + 7]!) < 128;
  }

  private asciiGroup(): string {
    const { bytes, at } = this;
    this.at += GROUP;
    return String.fromCharCode(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!, bytes[at + 4]!, bytes[at + 5]!, bytes[at + 6]!, bytes[at + 7]!);
  }

  /** Nothing may follow. */
  end(): void {
    if (this.at !== this.bytes.length) throw damaged(`${this.bytes.length - this.at} bytes after the end`);
  }
}

export function damaged(given: string): SnapshotError {
  return new SnapshotError('snapshot-damaged', { expected: 'a whole snapshot', given, remedy: 'Restore an older one, or start without' });
}
