import { BoundaryHeap } from '../windows/boundaryHeap.ts';

/**
 * When the events passed whose duplicates may still come, per key.
 *
 * Mostly one time per key. There are more where a later one passed before the first was forgotten, and they must all be
 * kept: an event that comes out of order may be a duplicate of any.
 */
export class PassedTimes {
  private readonly within: number;
  private readonly bySlot: number[][] = [];
  private readonly heap = new BoundaryHeap();

  constructor(within: number) {
    this.within = within;
  }

  open(slot: number): void {
    this.bySlot[slot] = [];
  }

  isDuplicate(slot: number, time: number): boolean {
    return this.bySlot[slot]!.some((passed) => Math.abs(time - passed) < this.within);
  }

  add(slot: number, time: number): void {
    this.bySlot[slot]!.push(time);
    this.heap.push(time, 0, slot, 0);
  }

  /** The key is forgotten. What the heap still has of it finds nothing when its turn comes. */
  drop(slot: number): void {
    this.bySlot[slot] = [];
  }

  /**
   * Forgets the times that no event behind the watermark could be a duplicate of, and calls for each key that has none left.
   *
   * A time in the heap may be of a key that was dropped, and its slot another's by now. Should that one have passed at the
   * very same time, this is its turn too.
   */
  expire(watermark: number, emptied: (slot: number) => void): void {
    const { heap } = this;
    while (heap.size > 0 && heap.due() + this.within <= watermark) {
      const slot = heap.slot(), times = this.bySlot[slot]!, at = times.indexOf(heap.due());
      heap.pop();
      if (at < 0) continue;
      times.splice(at, 1);
      if (times.length === 0) emptied(slot);
    }
  }

  of(slot: number): readonly number[] {
    return this.bySlot[slot]!;
  }
}
