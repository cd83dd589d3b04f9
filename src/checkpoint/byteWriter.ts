/** What there is room for at first. */
const FIRST = 64;
/** Bytes of a UTF-16 code unit. */
const MOST_OF_A_UNIT = 3;

/** Bytes that grow at the end; whatever takes several has its little end first. */
export class ByteWriter {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST);
  length = 0;
  private view = new DataView(this.bytes.buffer);

  byte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  double(value: number): void {
    this.reserve(8);
    // There are many NaNs, and arithmetic gives now this one, now that; the same state must give the same bytes.
    this.view.setFloat64(this.length, value === value ? value : NaN, true);
    this.length += 8;
  }

  /** A whole number below 2^32, in sevens of bits. */
  varint(value: number): void {
    this.reserve(5);
    for (; value > 127; value >>>= 7) this.bytes[this.length++] = (value & 127) | 128;
    this.bytes[this.length++] = value;
  }

  /** UTF-16 code units as varints: one byte for each ASCII character. */
  text(text: string): void {
    this.varint(text.length);
    this.reserve(text.length * MOST_OF_A_UNIT);
    const { bytes } = this;
    let { length } = this;
    for (let i = 0; i < text.length; i++) {
      let unit = text.charCodeAt(i);
      for (; unit > 127; unit >>>= 7) bytes[length++] = (unit & 127) | 128;
      bytes[length++] = unit;
    }
    this.length = length;
  }

  /** Makes room for so many bytes more. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const bigger = new Uint8Array(Math.max(this.length + count, this.bytes.length * 2));
    bigger.set(this.bytes);
    this.bytes = bigger;
    this.view = new DataView(bigger.buffer);
  }

  /** Begins anew in the same memory. */
  clear(): void {
    this.length = 0;
  }

  /** Gives the memory back. */
  release(): void {
    this.clear();
    this.bytes = new Uint8Array(FIRST);
    this.view = new DataView(this.bytes.buffer);
  }

  /** What was written. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }
}
