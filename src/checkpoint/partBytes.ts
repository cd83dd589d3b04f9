/** What one step moves: some tenths of a millisecond. */
const STEP = 1 << 20;

/**
 * Bytes that grow at the end, with room left in front, in one piece of memory. Where it has to be another piece, the content
 * moves there step by step while more is added: whoever adds to a hundred megabytes does not wait until they are copied.
 */
export class PartBytes {
  /** Where the content begins and ends. */
  start: number;
  end: number;
  private bytes: Uint8Array<ArrayBuffer>;
  /** What is yet to be moved: of the memory before, from a place to another, and by how far its content is shifted. */
  private old: { readonly bytes: Uint8Array<ArrayBuffer>; readonly end: number; readonly shift: number; at: number } | undefined;

  /** Memory that nobody wrote to costs nothing: it is not there yet. */
  constructor(start: number, room: number) {
    this.start = this.end = start;
    this.bytes = new Uint8Array(start + room);
  }

  get room(): number {
    return this.bytes.length - this.end;
  }

  add(bytes: Uint8Array): void {
    if (bytes.length > this.room) this.resize(this.start, Math.max(bytes.length, this.end >> 1));
    this.bytes.set(bytes, this.end);
    this.end += bytes.length;
    this.move();
  }

  /** Another piece of memory, with so much room in front and at the end. */
  resize(start: number, room: number): void {
    this.moveAll();
    const shift = start - this.start;
    this.old = { bytes: this.bytes, at: this.start, end: this.end, shift };
    this.start = start;
    this.end += shift;
    this.bytes = new Uint8Array(this.end + room);
  }

  /** Moves some more of the content. False where all of it is in its place. */
  move(): boolean {
    const { old } = this;
    if (old === undefined) return false;
    const to = Math.min(old.at + STEP, old.end);
    this.bytes.set(old.bytes.subarray(old.at, to), old.at + old.shift);
    old.at = to;
    if (to === old.end) this.old = undefined;
    return this.old !== undefined;
  }

  /** The whole memory, with everything in it. */
  whole(): Uint8Array<ArrayBuffer> {
    this.moveAll();
    return this.bytes;
  }

  private moveAll(): void {
    while (this.move());
  }
}
