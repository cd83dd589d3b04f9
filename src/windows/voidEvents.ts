/**
 * Held events of keys that were dropped. They stay where they lie, and are passed over when their time comes: to look for
 * each would cost a walk through all that is held.
 */
export class VoidEvents {
  /** How many are still held. */
  count = 0;
  /** Per slot: what arrived before this is void. */
  private readonly since = new Map<number, number>();

  /** So many events of a slot are void: all that arrived before now. */
  add(slot: number, count: number, now: number): void {
    this.count += count;
    this.since.set(slot, now);
  }

  has(slot: number, arrival: number): boolean {
    if (this.count === 0) return false;
    const since = this.since.get(slot);
    return since !== undefined && arrival < since;
  }

  /** One of them is gone. */
  left(): void {
    if (--this.count === 0) this.since.clear();
  }

  clear(): void {
    this.count = 0;
    this.since.clear();
  }
}
