import { BoundaryHeap } from '../windows/boundaryHeap.ts';

/** So many times of dropped keys are not worth a sweep. */
const FEW = 64;

/**
 * When the events passed whose duplicates may still come, per key.
 *
 * Mostly one time per key. There are more where a later one passed before the first was forgotten, and they must all be
 * kept: an event that comes out of order may be a duplicate of any. They are in order, so that only its neighbours are
 * looked at: where the watermark is far behind, a busy key has as many as it had events.
 */
export class PassedTimes {
  private readonly within: number;
  private readonly bySlot: number[][] = [];
  /** Of each key, how many of the earliest are forgotten. To take them out one by one would move all others each time. */
  private readonly forgotten: number[] = [];
  private heap = new BoundaryHeap();
  /** How many are not forgotten. */
  private size = 0;

  constructor(within: number) {
    this.within = within;
  }

  open(slot: number): void {
    this.bySlot[slot] = [];
    this.forgotten[slot] = 0;
  }

  isDuplicate(slot: number, time: number): boolean {
    const times = this.bySlot[slot]!, next = this.placeOf(slot, time), { within } = this;
    return (next < times.length && times[next]! - time < within) || (next > this.forgotten[slot]! && time - times[next - 1]! < within);
  }

  add(slot: number, time: number): void {
    const times = this.bySlot[slot]!, place = this.placeOf(slot, time);
    if (place === times.length) times.push(time);
    else times.splice(place, 0, time);
    this.heap.push(time, 0, slot, 0);
    this.size++;
  }

  /** The key is forgotten. What the heap still has of it finds nothing when its turn comes. */
  drop(slot: number): void {
    this.size -= this.bySlot[slot]!.length - this.forgotten[slot]!;
    this.open(slot);
    // Where limits evict, and the watermark stands still, a turn may never come.
    if (this.heap.size > 2 * this.size + FEW) this.sweep();
  }

  /**
   * Forgets the times that no event behind the watermark could be a duplicate of, and calls for each key that has none left.
   *
   * A time in the heap may be of a key that was dropped, and its slot another's by now. Should that one have passed at the
   * very same time, this is its turn too.
   */
  expire(watermark: number, emptied: (slot: number) => void): void {
    while (this.heap.size > 0 && this.heap.due() + this.within <= watermark) {
      const slot = this.heap.slot(), due = this.heap.due();
      this.heap.pop();
      // Earlier ones of this key have had their turn.
      if (this.bySlot[slot]![this.forgotten[slot]!] === due) this.forget(slot, emptied);
    }
  }

  of(slot: number): readonly number[] {
    return this.bySlot[slot]!.slice(this.forgotten[slot]);
  }

  private forget(slot: number, emptied: (slot: number) => void): void {
    const times = this.bySlot[slot]!, forgotten = ++this.forgotten[slot]!;
    this.size--;
    if (forgotten === times.length) return emptied(slot);
    if (forgotten * 2 < times.length) return;
    times.splice(0, forgotten);
    this.forgotten[slot] = 0;
  }

  /** Where a time belongs: before the first that is not earlier. Nearly always that is the end. */
  private placeOf(slot: number, time: number): number {
    const times = this.bySlot[slot]!;
    let from = this.forgotten[slot]!, to = times.length;
    if (to > from && times[to - 1]! < time) return to;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (times[middle]! < time) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** A heap of what is not forgotten. */
  private sweep(): void {
    this.heap = new BoundaryHeap();
    for (const [slot, times] of this.bySlot.entries()) {
      for (let i = this.forgotten[slot]!; i < times.length; i++) this.heap.push(times[i]!, 0, slot, 0);
    }
  }
}
