import { enlarged, roomFor } from '../keys/enlarged.ts';
import { BoundaryHeap } from './boundaryHeap.ts';
import { PAGE, SMALLEST_BLOCK, type EventStore } from './eventStore.ts';
import { Demand, HeldByKey } from './heldByKey.ts';

/** Takes events of a key over that lie in order from a position of the store on. */
type Enter = (slot: number, position: number, count: number) => void;

/** A page of the store with held events of any keys. */
class HeldPage {
  readonly slots: Int32Array = new Int32Array(PAGE);
  readonly arrivals: Float64Array = new Float64Array(PAGE);
  next: HeldPage | undefined;
  block: number;

  constructor(block: number) {
    this.block = block;
  }
}

/**
 * The events that the frontier has not reached, of all keys, in order of (time, arrival).
 *
 *      queue  | t t t t | t t t t | t t . . |      pages of the store, in order of time
 *                 ^ first                 ^ end
 *      heap   what was overtaken on its way, or came ahead of its time
 *
 * Why not in the key's own blocks at once: there an event is looked at twice, as it comes and as it enters, and the memory
 * of a rare key is cold both times. And with a delay, where every event waits, each disorder would have to be put right in
 * blocks that are half summed, while here it costs a step in a heap that is as long as the delay.
 */
export class HeldEvents {
  /** How many are held. */
  count = 0;
  private readonly store: EventStore;
  private head: HeldPage;
  private first = 0;
  private tail: HeldPage;
  private end = 0;
  /** The time of the last one in the queue. */
  private newest: number = -Infinity;
  /** Its `slot` is a key's, its `lookback` a position in the store. */
  private readonly heap = new BoundaryHeap();
  /** As many pages as the last release gave back: the usual queue takes turns between them and allocates nothing. */
  private readonly spares: HeldPage[] = [];
  private pages = 1;
  private arrivals = 0;
  /** Per slot: how many are of the key. */
  private waiting: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Slots whose key was dropped while some of its events were held: what arrived before this is void. */
  private readonly dropped = new Map<number, number>();
  private void = 0;
  /** By key, while somebody asks for keys often. */
  private index: HeldByKey | undefined;
  private readonly demand = new Demand();
  /** Events are leaving: whoever asks from within, as an aggregate of the user's may, finds the pages as they are. */
  private releasing = false;

  constructor(store: EventStore) {
    this.store = store;
    this.head = this.tail = new HeldPage(store.allocate(PAGE));
  }

  /** Starts a key. */
  open(slot: number): void {
    if (slot >= this.waiting.length) this.waiting = enlarged(this.waiting, roomFor(slot));
    this.waiting[slot] = 0;
  }

  add(slot: number, time: number, numbers: Float64Array, cells: readonly unknown[]): void {
    if (this.isLast(time)) {
      this.store.write(this.place(), time, numbers, cells);
      this.append(slot, time);
    } else {
      this.waiting[slot]!++;
      this.count++;
      this.insert(slot, time, numbers, cells);
    }
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

  /** Takes in the event that was written at `place`, which is the last one. */
  append(slot: number, time: number): void {
    const { tail, end } = this;
    tail.slots[end] = slot;
    tail.arrivals[end] = this.arrivals++;
    this.newest = time;
    this.end = end + 1;
    this.waiting[slot]!++;
    this.count++;
    if (this.index !== undefined) this.note(slot, tail.block + end, time);
  }

  /** The time of the first one, or infinity. */
  next(): number {
    if (this.releasing) return this.nextWhileReleasing();
    if (this.first === PAGE) this.passPage(); // left behind by an `enter` that threw
    if (this.void > 0) this.skipVoid();
    const due = this.heap.size > 0 ? this.heap.due() : Infinity;
    return this.isQueueEmpty ? due : Math.min(due, this.store.timeAt(this.head.block + this.first));
  }

  /**
   * Lets go of all up to an instant, in order: they are forgotten when `enter` has taken them from their positions. Where
   * `enter` throws, these are gone and the ones behind them are still there.
   */
  releaseUntil(instant: number, enter: Enter): void {
    const { pages } = this;
    this.releasing = true;
    try {
      while (this.heap.size > 0 && this.heap.due() <= instant) {
        this.releaseQueue(instant, this.heap.due(), this.heap.order(), enter);
        this.releaseFromHeap(enter);
      }
      this.releaseQueue(instant, Infinity, 0, enter);
    } finally {
      this.releasing = false;
    }
    if (this.spares.length > pages) this.spares.length = pages;
  }

  has(slot: number): boolean {
    return this.waiting[slot]! > 0;
  }

  /** Where the key's held events lie, in order of (time, arrival). */
  of(slot: number): number[] {
    if (!this.has(slot)) return [];
    return this.isIndexed() ? this.index!.of(slot) : this.inOrder((other) => other === slot).map(({ position }) => position);
  }

  /** The time of the key's first one, or infinity. */
  nextOf(slot: number): number {
    if (!this.has(slot)) return Infinity;
    if (this.isIndexed()) return this.index!.nextOf(slot);
    let next = Infinity;
    this.forEach((other, _arrival, position) => {
      if (other === slot) next = Math.min(next, this.store.timeAt(position));
    });
    return next;
  }

  /** Visits all in order of (time, arrival): the queue as it lies, and between its events those of the heap. */
  forEachInOrder(visit: (slot: number, position: number) => void): void {
    const { store } = this, ahead: { slot: number; position: number; time: number; arrival: number }[] = [];
    this.heap.forEach((slot, arrival, position) => ahead.push({ slot, position, time: store.timeAt(position), arrival }));
    ahead.sort((a, b) => a.time - b.time || a.arrival - b.arrival);
    let next = 0;
    const visitAhead = (time: number, arrival: number): void => {
      for (let one = ahead[next]; one !== undefined && (one.time < time || (one.time === time && one.arrival < arrival)); one = ahead[++next]) {
        if (this.void === 0 || !this.isVoid(one.slot, one.arrival)) visit(one.slot, one.position);
      }
    };
    this.forEachQueued((slot, arrival, position) => {
      if (next < ahead.length) visitAhead(store.timeAt(position), arrival);
      visit(slot, position);
    });
    visitAhead(Infinity, Infinity);
  }

  /** Forgets those of a key. They are passed over when their time comes: to look for each would cost a walk through all. */
  drop(slot: number): void {
    const count = this.waiting[slot]!;
    if (count === 0) return;
    this.count -= count;
    this.void += count;
    this.waiting[slot] = 0;
    this.index?.drop(slot);
    this.dropped.set(slot, this.arrivals);
    if (this.void > this.count + PAGE && !this.releasing) this.sweepVoid();
  }

  /** How many are later than an instant. */
  countBeyond(instant: number): number {
    if (instant < this.next()) return this.count;
    let count = 0;
    this.forEach((_slot, _arrival, position) => {
      if (this.store.timeAt(position) > instant) count++;
    });
    return count;
  }

  get bytes(): number {
    return (this.pages + this.spares.length) * PAGE * 12 + this.heap.bytes + this.waiting.length * 4 + (this.index?.bytes ?? 0);
  }

  private get isQueueEmpty(): boolean {
    return this.head === this.tail && this.first === this.end;
  }

  /** Those of the queue up to an instant that come before (due, order): neighbours of one key together. */
  private releaseQueue(instant: number, due: number, order: number, enter: Enter): void {
    const { store } = this, { stride } = store;
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
        while (to < last && slots[to] === slot && this.void === 0) to++;
        this.first = to;
        if (this.leaves(slot, arrivals[from]!, to - from)) enter(slot, block + from, to - from);
        store.clear(block + from, to - from);
        from = to;
      }
      if (last < end) return;
    } while (this.passPage());
  }

  private releaseFromHeap(enter: Enter): void {
    const { heap } = this;
    const arrival = heap.order(), slot = heap.slot(), position = heap.lookback();
    heap.pop();
    try {
      if (this.leaves(slot, arrival, 1)) enter(slot, position, 1);
    } finally {
      this.store.release(position, SMALLEST_BLOCK);
    }
  }

  /** Some of a key, or one that may be void, are not held any more. False where it is void. */
  private leaves(slot: number, arrival: number, count: number): boolean {
    if (this.void > 0 && this.isVoid(slot, arrival)) {
      if (--this.void === 0) this.dropped.clear();
      return false;
    }
    this.count -= count;
    this.waiting[slot]! -= count;
    if (this.index !== undefined) this.index.shift(slot, count);
    return true;
  }

  private isVoid(slot: number, arrival: number): boolean {
    const since = this.dropped.get(slot);
    return since !== undefined && arrival < since;
  }

  /**
   * Not all that is older than the newest must go to the heap: where the newest itself was ahead of its time it goes, and
   * the queue goes on from here. One event of a clock that is minutes ahead would else keep the queue shut for minutes.
   */
  private insert(slot: number, time: number, numbers: Float64Array, cells: readonly unknown[]): void {
    const { store, heap, tail } = this, last = this.end - 1, single = store.allocate(SMALLEST_BLOCK);
    if (this.canReplaceLast(time)) {
      this.index?.move(tail.slots[last]!, tail.block + last, single);
      store.copy(tail.block + last, single, 1);
      heap.push(this.newest, tail.arrivals[last]!, tail.slots[last]!, single);
      this.newest = time;
      tail.slots[last] = slot;
      tail.arrivals[last] = this.arrivals++;
      store.write(tail.block + last, time, numbers, cells);
      if (this.index !== undefined) this.note(slot, tail.block + last, time);
    } else {
      store.write(single, time, numbers, cells);
      heap.push(time, this.arrivals++, slot, single);
      if (this.index !== undefined) this.note(slot, single, time);
    }
  }

  /** Whether the queue stays in order with an event of this time in the place of its last one. */
  private canReplaceLast(time: number): boolean {
    const last = this.end - 1;
    if (this.head === this.tail && last <= this.first) return last === this.first;
    // What stands before the first one of a page is not looked for: it is rare, and there is the heap.
    return last > 0 && this.store.timeAt(this.tail.block + last - 1) <= time;
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
    if (head === this.tail && this.first < this.end) return true; // `enter` has added some
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

  private nextWhileReleasing(): number {
    let next = Infinity;
    this.forEach((_slot, _arrival, position) => (next = Math.min(next, this.store.timeAt(position))));
    return next;
  }

  /** Makes the first of the queue and of the heap events that are held. */
  private skipVoid(): void {
    const { heap } = this;
    for (let { head, first } = this; !this.isQueueEmpty && this.isVoid(head.slots[first]!, head.arrivals[first]!); { head, first } = this) {
      this.leaves(head.slots[first]!, head.arrivals[first]!, 1);
      if (++this.first === (head === this.tail ? this.end : PAGE)) this.passPage();
    }
    while (heap.size > 0 && this.isVoid(heap.slot(), heap.order())) this.releaseFromHeap(() => undefined);
  }

  /** Copies what is held into new pages, without what is void. */
  private sweepVoid(): void {
    const { store, heap } = this;
    this.index = undefined; // whoever asks next makes it anew
    const { head, tail, first, end } = this, singles: [due: number, order: number, slot: number, position: number][] = [];
    this.head = this.tail = new HeldPage(store.allocate(PAGE));
    this.first = this.end = 0;
    this.newest = -Infinity;
    this.pages = 1;
    for (let page: HeldPage | undefined = head, i = first; page !== undefined; page = page.next, i = 0) {
      for (const last = page === tail ? end : PAGE; i < last; i++) if (!this.isVoid(page.slots[i]!, page.arrivals[i]!)) this.move(page, i);
      store.release(page.block, PAGE);
    }
    heap.forEach((slot, order, position) => {
      if (this.isVoid(slot, order)) store.release(position, SMALLEST_BLOCK);
      else singles.push([store.timeAt(position), order, slot, position]);
    });
    heap.size = 0;
    for (const single of singles) heap.push(...single);
    this.dropped.clear();
    this.void = 0;
  }

  private move(page: HeldPage, i: number): void {
    if (this.end === PAGE) this.grow();
    const { tail } = this;
    tail.slots[this.end] = page.slots[i]!;
    tail.arrivals[this.end] = page.arrivals[i]!;
    this.newest = this.store.timeAt(page.block + i);
    this.store.copy(page.block + i, tail.block + this.end++, 1);
  }

  /** Somebody asks for a key: whether the index can answer. */
  private isIndexed(): boolean {
    if (this.demand.ask(this.arrivals, this.count)) this.index ??= this.indexed();
    return this.index !== undefined;
  }

  private indexed(): HeldByKey {
    const index = new HeldByKey((position) => this.store.timeAt(position));
    for (const { slot, position } of this.inOrder(() => true)) index.add(slot, position, this.store.timeAt(position));
    return index;
  }

  private note(slot: number, position: number, time: number): void {
    if (this.demand.hasEnded(this.arrivals, this.count)) this.index = undefined;
    else this.index!.add(slot, position, time);
  }

  /** Those of some keys, in order of (time, arrival). */
  private inOrder(isWanted: (slot: number) => boolean): { readonly slot: number; readonly position: number }[] {
    const { store } = this;
    const found: { readonly slot: number; readonly position: number; readonly time: number; readonly arrival: number }[] = [];
    this.forEach((slot, arrival, position) => {
      if (isWanted(slot)) found.push({ slot, position, time: store.timeAt(position), arrival });
    });
    return found.sort((a, b) => a.time - b.time || a.arrival - b.arrival);
  }

  /** Every one that is not void, the queue first. */
  private forEach(visit: (slot: number, arrival: number, position: number) => void): void {
    this.forEachQueued(visit);
    this.heap.forEach((slot, arrival, position) => {
      if (this.void === 0 || !this.isVoid(slot, arrival)) visit(slot, arrival, position);
    });
  }

  private forEachQueued(visit: (slot: number, arrival: number, position: number) => void): void {
    for (let page: HeldPage | undefined = this.head, i = this.first; page !== undefined; page = page.next, i = 0) {
      for (const end = page === this.tail ? this.end : PAGE; i < end; i++) {
        if (this.void === 0 || !this.isVoid(page.slots[i]!, page.arrivals[i]!)) visit(page.slots[i]!, page.arrivals[i]!, page.block + i);
      }
    }
  }
}
