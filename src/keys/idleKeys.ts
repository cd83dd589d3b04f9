import { enlarged, roomFor } from './enlarged.ts';
import { NO_SLOT } from './keyTable.ts';

/**
 * The keys by how long they have had no event, the idlest first: a list threaded through the slots, so that an event
 * moves its key to the end without a search. Kept only where `limits` ask for it.
 */
export class IdleKeys {
  private before: Int32Array<ArrayBuffer> = new Int32Array(16).fill(NO_SLOT);
  private after: Int32Array<ArrayBuffer> = new Int32Array(16).fill(NO_SLOT);
  private readings: Float64Array<ArrayBuffer> = new Float64Array(16);
  /** Which touch was the key's last: what is copied key by key is put in order by it. */
  private orders: Float64Array<ArrayBuffer> = new Float64Array(16);
  private touches = 0;
  private first = NO_SLOT;
  private last = NO_SLOT;

  /** The key had an event at a clock reading. */
  touch(slot: number, reading: number): void {
    if (slot >= this.readings.length) this.grow(slot);
    // Readings stay in the order of the list: a clock that was set back makes no key idler than the ones before it.
    const latest = this.last === NO_SLOT ? reading : Math.max(reading, this.readings[this.last]!);
    if (slot !== this.last) {
      if (slot === this.first || this.before[slot] !== NO_SLOT) this.remove(slot);
      this.append(slot);
    }
    this.readings[slot] = latest;
    this.orders[slot] = this.touches++;
  }

  /** The clock was read for the first time: keys that had their event before begin to be idle now. */
  start(reading: number, visit: (slot: number) => void): void {
    for (let slot = this.first; slot !== NO_SLOT && this.readings[slot] === -Infinity; slot = this.after[slot]!) {
      this.readings[slot] = reading;
      visit(slot);
    }
  }

  remove(slot: number): void {
    const before = this.before[slot]!, after = this.after[slot]!;
    if (before === NO_SLOT) this.first = after;
    else this.after[before] = after;
    if (after === NO_SLOT) this.last = before;
    else this.before[after] = before;
    this.before[slot] = this.after[slot] = NO_SLOT;
  }

  /** The key that has been idle for longest, not counting one; `NO_SLOT` where there is no other. */
  idlest(except: number = NO_SLOT): number {
    return this.first === except && except !== NO_SLOT ? this.after[except]! : this.first;
  }

  /** The clock reading of the key's last event. */
  readingOf(slot: number): number {
    return this.readings[slot]!;
  }

  /** Of all touches, the number of the key's last. */
  orderOf(slot: number): number {
    return this.orders[slot]!;
  }

  /** The keys, the idlest first. */
  inOrder(): number[] {
    const slots: number[] = [];
    for (let slot = this.first; slot !== NO_SLOT; slot = this.after[slot]!) slots.push(slot);
    return slots;
  }

  /** Takes keys over that were touched at such readings, in the order of their numbers. */
  restore(saved: readonly { readonly slot: number; readonly reading: number; readonly order: number }[]): void {
    for (const { slot, reading, order } of saved.toSorted((a, b) => a.order - b.order)) {
      this.touch(slot, reading);
      this.orders[slot] = order;
      this.touches = order + 1;
    }
  }

  get bytes(): number {
    return this.readings.length * 24;
  }

  private append(slot: number): void {
    this.before[slot] = this.last;
    if (this.last === NO_SLOT) this.first = slot;
    else this.after[this.last] = slot;
    this.last = slot;
  }

  private grow(slot: number): void {
    const old = this.readings.length, size = roomFor(slot);
    this.before = enlarged(this.before, size).fill(NO_SLOT, old);
    this.after = enlarged(this.after, size).fill(NO_SLOT, old);
    this.readings = enlarged(this.readings, size);
    this.orders = enlarged(this.orders, size);
  }
}
