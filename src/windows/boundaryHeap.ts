import { enlarged } from '../keys/enlarged.ts';

/** Boundaries that did not come in order: a binary heap over flat arrays, the earliest due first, of those the smallest `order`. */
export class BoundaryHeap {
  size = 0;
  private dues: Float64Array<ArrayBuffer> = new Float64Array(16);
  private orders: Float64Array<ArrayBuffer> = new Float64Array(16);
  private slots: Int32Array<ArrayBuffer> = new Int32Array(16);
  private lookbacks: Int32Array<ArrayBuffer> = new Int32Array(16);

  due(): number {
    return this.dues[0]!;
  }

  order(): number {
    return this.orders[0]!;
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

  push(due: number, order: number, slot: number, lookback: number): void {
    if (this.size === this.dues.length) this.grow();
    let i = this.size++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!this.isBefore(due, order, parent)) break;
      this.copy(parent, i);
      i = parent;
    }
    this.set(i, due, order, slot, lookback);
  }

  pop(): void {
    const last = --this.size, due = this.dues[last]!, order = this.orders[last]!;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= last) break;
      if (child + 1 < last && this.isBefore(this.dues[child + 1]!, this.orders[child + 1]!, child)) child++;
      if (this.isBefore(due, order, child)) break;
      this.copy(child, i);
      i = child;
    }
    this.copy(last, i);
  }

  /** Every entry, in any order. */
  forEach(visit: (slot: number, order: number, lookback: number) => void): void {
    for (let i = 0; i < this.size; i++) visit(this.slots[i]!, this.orders[i]!, this.lookbacks[i]!);
  }

  private isBefore(due: number, order: number, i: number): boolean {
    return due < this.dues[i]! || (due === this.dues[i] && order < this.orders[i]!);
  }

  private copy(from: number, to: number): void {
    this.set(to, this.dues[from]!, this.orders[from]!, this.slots[from]!, this.lookbacks[from]!);
  }

  private set(i: number, due: number, order: number, slot: number, lookback: number): void {
    this.dues[i] = due;
    this.orders[i] = order;
    this.slots[i] = slot;
    this.lookbacks[i] = lookback;
  }

  private grow(): void {
    const size = this.dues.length * 2;
    this.dues = enlarged(this.dues, size);
    this.orders = enlarged(this.orders, size);
    this.slots = enlarged(this.slots, size);
    this.lookbacks = enlarged(this.lookbacks, size);
  }
}
