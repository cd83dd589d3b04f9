import { damaged } from './byteReader.ts';

const DOUBLE = 8;

/**
 * A column of doubles where it lies in a part, read in place: a restore copies each of them into its own store anyway, and of
 * a hundred megabytes one copy is less.
 */
export class DoubleView {
  readonly length: number;
  private readonly view: DataView;

  constructor(bytes: Uint8Array, length: number) {
    if (bytes.length !== length * DOUBLE) throw damaged(`${bytes.length} bytes of ${length} doubles`);
    this.length = length;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A column of its own, of what the function gives for each place. */
  static of(length: number, value: (index: number) => number): DoubleView {
    const column = new DoubleView(new Uint8Array(length * DOUBLE), length);
    for (let i = 0; i < length; i++) column.view.setFloat64(i * DOUBLE, value(i), true);
    return column;
  }

  at(index: number): number {
    return this.view.getFloat64(index * DOUBLE, true);
  }

  /** The same in an array of its own. */
  copied(): Float64Array {
    return Float64Array.from({ length: this.length }, (_, index) => this.at(index));
  }
}
