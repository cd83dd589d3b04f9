import type { DirtyKeys } from '../keys/dirtyKeys.ts';

/** (time, slot) in order of time, with cursors. The last cursor is never ahead of another and is the ring's front. */
export class BoundaryRing {
  newest: number = -Infinity;
  private times: Float64Array<ArrayBuffer> = new Float64Array(64);
  private slots: Int32Array<ArrayBuffer> = new Int32Array(64);
  private tail = 0;
  private readonly cursors: Int32Array;

  constructor(cursors: number) {
    this.cursors = new Int32Array(cursors);
  }

  append(time: number, slot: number): void {
    // One place stays free, so that a cursor at the tail always means "past the newest".
    if (((this.tail + 1) & (this.times.length - 1)) === this.cursors[this.cursors.length - 1]) this.grow();
    const { tail } = this;
    this.newest = time;
    this.times[tail] = time;
    this.slots[tail] = slot;
    this.tail = (tail + 1) & (this.times.length - 1);
  }

  /** The time at a cursor, or infinity. */
  at(cursor: number): number {
    const i = this.cursors[cursor]!;
    return i === this.tail ? Infinity : this.times[i]!;
  }

  slotAt(cursor: number): number {
    return this.slots[this.cursors[cursor]!]!;
  }

  step(cursor: number): void {
    this.cursors[cursor] = (this.cursors[cursor]! + 1) & (this.times.length - 1);
  }

  /** Moves a cursor past everything at or before `cutoff`, marking keys on the way. */
  sweep(cursor: number, cutoff: number, dirty: DirtyKeys): void {
    const { times, slots, tail, cursors } = this;
    const mask = times.length - 1;
    let i = cursors[cursor]!;
    while (i !== tail && times[i]! <= cutoff) {
      dirty.mark(slots[i]!);
      i = (i + 1) & mask;
    }
    cursors[cursor] = i;
  }

  /** How many entries from the front on are later than an instant. */
  countBeyond(instant: number): number {
    const mask = this.times.length - 1, front = this.cursors[this.cursors.length - 1]!, length = (this.tail - front) & mask;
    let low = 0, high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[(front + middle) & mask]! <= instant) low = middle + 1;
      else high = middle;
    }
    return length - low;
  }

  clear(): void {
    this.cursors.fill(this.tail);
    this.newest = -Infinity;
  }

  get bytes(): number {
    return this.times.byteLength + this.slots.byteLength;
  }

  private grow(): void {
    const { cursors } = this;
    const mask = this.times.length - 1, front = cursors[cursors.length - 1]!, count = (this.tail - front) & mask;
    const times = new Float64Array((mask + 1) * 2), slots = new Int32Array((mask + 1) * 2);
    for (let i = 0; i < count; i++) {
      times[i] = this.times[(front + i) & mask]!;
      slots[i] = this.slots[(front + i) & mask]!;
    }
    for (let c = 0; c < cursors.length; c++) cursors[c] = (cursors[c]! - front) & mask;
    this.times = times;
    this.slots = slots;
    this.tail = count;
  }
}
