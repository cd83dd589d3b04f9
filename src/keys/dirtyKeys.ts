import { enlarged, roomFor } from './enlarged.ts';

/**
 * The keys that may change at the next evaluation, each once, in the order in which they were marked.
 * A mark is the number of the round that set it, so clearing costs nothing.
 */
export class DirtyKeys {
  slots: Int32Array<ArrayBuffer> = new Int32Array(64);
  count = 0;
  private marks: Int32Array<ArrayBuffer> = new Int32Array(64);
  private round = 1;

  mark(slot: number): void {
    if (slot >= this.marks.length) this.marks = enlarged(this.marks, roomFor(slot));
    if (this.marks[slot] === this.round) return;
    this.marks[slot] = this.round;
    if (this.count === this.slots.length) this.slots = enlarged(this.slots, this.count * 2);
    this.slots[this.count++] = slot;
  }

  has(slot: number): boolean {
    return this.marks[slot] === this.round;
  }

  clear(): void {
    this.count = 0;
    this.round = (this.round + 1) | 0 || 1;
  }

  snapshot(): Int32Array {
    return this.slots.slice(0, this.count);
  }

  restore(slots: Int32Array): void {
    this.clear();
    for (const slot of slots) this.mark(slot);
  }

  get bytes(): number {
    return (this.slots.length + this.marks.length) * 4;
  }
}
