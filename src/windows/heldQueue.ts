import { PAGE, type EventStore } from './eventStore.ts';
import type { VoidEvents } from './voidEvents.ts';

/** A page of the store with held events of any keys. */
class HeldPage {
  readonly slots: Int32Array = new Int32Array(PAGE);
  readonly arrivals: Float64Array = new Float64Array(PAGE);
  next: HeldPage | undefined = undefined;
  block: number;

  constructor(block: number) {
    this.block = block;
  }
}

/** Bytes of a slot and an arrival. */
const ENTRY = 12;

/** Takes events of one slot that leave: so many from a position on, of which the first arrived as told. Their memory is used again when it returns. */
type Leave = (slot: number, arrival: number, position: number, count: number) => void;

/**
 * Held events in order of (time, arrival), in pages of the store that give their memory to each other.
 *
 *      | t t t t | t t t t | t t . . |
 *          ^ first               ^ end
 */
export class HeldQueue {
  /** The time of the last one. */
  protected newest: number = -Infinity;
  readonly store: EventStore;
  protected readonly voids: VoidEvents;
  private head: HeldPage;
  private first = 0;
  private tail: HeldPage;
  private end = 0;
  /** As many pages as the last release gave back: the usual queue takes turns between them and allocates nothing. */
  private readonly spares: HeldPage[] = [];
  protected pages = 1;

  constructor(store: EventStore, voids: VoidEvents) {
    this.store = store;
    this.voids = voids;
    this.head = this.tail = new HeldPage(store.allocate(PAGE));
  }

  private get isEmpty(): boolean {
    return this.head === this.tail && this.first === this.end;
  }

  get bytes(): number {
    return (this.pages + this.spares.length) * PAGE * ENTRY;
  }

  /** The time of the first one, or infinity. */
  next(): number {
    if (this.first === PAGE) this.passPage(); // left behind by who took events and threw
    if (this.voids.count > 0) this.skipVoid();
    return this.isEmpty ? Infinity : this.store.timeAt(this.head.block + this.first);
  }

  /** Whether an event of this time comes last in the queue. */
  isLast(time: number): boolean {
    return time >= this.newest;
  }

  /** Where the next one in the queue will lie. */
  place(): number {
    if (this.end === PAGE) this.grow();
    return this.tail.block + this.end;
  }

  /** Takes in the event that was written at `place`, which is the last one. Gives where it lies. */
  protected enqueue(slot: number, arrival: number, time: number): number {
    const { tail, end } = this;
    tail.slots[end] = slot;
    tail.arrivals[end] = arrival;
    this.newest = time;
    this.end = end + 1;
    return tail.block + end;
  }

  /** Whether the queue stays in order with an event of this time in the place of its last one. */
  protected canReplaceLast(time: number): boolean {
    const last = this.end - 1;
    if (this.head === this.tail && last <= this.first) return last === this.first;
    // What stands before the first one of a page is not looked for: it is rare.
    return last > 0 && this.store.timeAt(this.tail.block + last - 1) <= time;
  }

  /** Forgets the last one, whose place is free. */
  protected takeLast(): { readonly slot: number; readonly arrival: number; readonly position: number } {
    const { tail } = this, last = --this.end;
    return { slot: tail.slots[last]!, arrival: tail.arrivals[last]!, position: tail.block + last };
  }

  /**
   * Lets those up to an instant go that come before (due, order): neighbours of one slot together, but where some are void.
   * Where `leave` throws, these are gone and the ones behind them are still there.
   */
  protected releaseQueued(instant: number, due: number, order: number, leave: Leave): void {
    const { store, voids } = this, { stride } = store;
    do {
      const { head, first } = this, { block, slots, arrivals } = head;
      const slab = store.slabOf(block), offset = store.offsetOf(block);
      const end = head === this.tail ? this.end : PAGE;
      let last = first;
      for (; last < end; last++) {
        const time = slab[offset + last * stride]!;
        if (time > instant || time > due || (time === due && arrivals[last]! > order)) break;
      }
      for (let from = first; from < last; ) {
        const slot = slots[from]!;
        let to = from + 1;
        while (to < last && slots[to] === slot && voids.count === 0) to++;
        this.first = to;
        leave(slot, arrivals[from]!, block + from, to - from);
        store.clear(block + from, to - from);
        from = to;
      }
      if (last < end) return;
    } while (this.passPage());
  }

  /** Gives back what a burst took: of the pages that are free, as many stay as the queue had before. */
  protected trim(pages: number): void {
    if (this.spares.length > pages) this.spares.length = pages;
  }

  /** Visits all that are not void. */
  protected forEachQueued(visit: (slot: number, arrival: number, position: number) => void): void {
    const { voids } = this;
    for (let page: HeldPage | undefined = this.head, i = this.first; page !== undefined; page = page.next, i = 0) {
      for (const end = page === this.tail ? this.end : PAGE; i < end; i++) {
        if (!voids.has(page.slots[i]!, page.arrivals[i]!)) visit(page.slots[i]!, page.arrivals[i]!, page.block + i);
      }
    }
  }

  /** Copies all that are not void into new pages. */
  protected sweepQueued(): void {
    const { store, voids, head, tail, first, end } = this;
    this.head = this.tail = new HeldPage(store.allocate(PAGE));
    this.first = this.end = 0;
    this.newest = -Infinity;
    this.pages = 1;
    for (let page: HeldPage | undefined = head, i = first; page !== undefined; page = page.next, i = 0) {
      for (const last = page === tail ? end : PAGE; i < last; i++) if (!voids.has(page.slots[i]!, page.arrivals[i]!)) this.take(page, i);
      store.release(page.block, PAGE);
    }
  }

  private take(page: HeldPage, i: number): void {
    const { store } = this, position = page.block + i;
    store.copy(position, this.place(), 1);
    this.enqueue(page.slots[i]!, page.arrivals[i]!, store.timeAt(position));
  }

  /** Makes the first one an event that is not void. */
  private skipVoid(): void {
    const { voids } = this;
    for (let { head, first } = this; !this.isEmpty && voids.has(head.slots[first]!, head.arrivals[first]!); { head, first } = this) {
      voids.left();
      if (++this.first === (head === this.tail ? this.end : PAGE)) this.passPage();
    }
  }

  private grow(): void {
    const block = this.store.allocate(PAGE), page = this.spares.pop() ?? new HeldPage(block);
    page.block = block;
    page.next = undefined;
    this.tail = this.tail.next = page;
    this.end = 0;
    this.pages++;
  }

  /** The first page has nothing left. False where it is the only one, which starts afresh. */
  private passPage(): boolean {
    const { head } = this;
    if (head === this.tail && this.first < this.end) return true; // who took some has added others
    this.first = 0;
    if (head === this.tail) {
      this.end = 0;
      this.newest = -Infinity;
      return false;
    }
    this.store.release(head.block, PAGE);
    this.head = head.next!;
    this.spares.push(head);
    this.pages--;
    return true;
  }
}
