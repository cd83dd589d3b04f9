import { enlarged } from '../keys/enlarged.ts';

/** Boundaries that did not come in order: a binary heap over flat arrays, the earliest due first. */
export class BoundaryHeap {
  size = 0;
  private dues: Float64Array<ArrayBuffer> = new Float64Array(16);
  private times: Float64Array<ArrayBuffer> = new Float64Array(16);
  private slots: Int32Array<ArrayBuffer> = new Int32Array(16);
  private lookbacks: Int32Array<ArrayBuffer> = new Int32Array(16);

  due(): number {
    return this.dues[0]!;
  }

  time(): number {
    return this.times[0]!;
  }

  slot(): number {
    return this.slots[0]!;
  }

  lookback(): number {
    return this.lookbacks[0]!;
  }

  get bytes(): number {
    return this.dues.length * 24;
  }

  push(due: number, time: number, slot: number, lookback: number): void {
    if (this.size === this.dues.length) this.grow();
    let i = this.size++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (this.dues[parent]! <= due) break;
      this.copy(parent, i);
      i = parent;
    }
    this.set(i, due, time, slot, lookback);
  }

  pop(): void {
    const last = --this.size, due = this.dues[last]!;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= last) break;
      if (child + 1 < last && this.dues[child + 1]! < this.dues[child]!) child++;
      if (this.dues[child]! >= due) break;
      this.copy(child, i);
      i = child;
    }
    this.copy(last, i);
  }

  /** How many are due later than an instant. */
  countBeyond(instant: number): number {
    let count = 0;
    for (let i = 0; i < this.size; i++) if (this.dues[i]! > instant) count++;
    return count;
  }

  private copy(from: number, to: number): void {
    this.set(to, this.dues[from]!, this.times[from]!, this.slots[from]!, this.lookbacks[from]!);
  }

  private set(i: number, due: number, time: number, slot: number, lookback: number): void {
    this.dues[i] = due;
    this.times[i] = time;
    this.slots[i] = slot;
    this.lookbacks[i] = lookback;
  }

  private grow(): void {
    const size = this.dues.length * 2;
    this.dues = enlarged(this.dues, size);
    this.times = enlarged(this.times, size);
    this.slots = enlarged(this.slots, size);
    this.lookbacks = enlarged(this.lookbacks, size);
  }
}
