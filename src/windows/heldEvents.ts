import { enlarged, roomFor } from '../keys/enlarged.ts';
import { BoundaryHeap } from './boundaryHeap.ts';
import { PAGE, SMALLEST_BLOCK, type EventStore } from './eventStore.ts';
import { Demand, type HeldByKey } from './heldByKey.ts';
import { HeldQueue } from './heldQueue.ts';
import { VoidEvents } from './voidEvents.ts';

/** Takes events of a key over that lie in order from a position of the store on. */
type Enter = (slot: number, position: number, count: number) => void;

/**
 * The events that the frontier has not reached, of all keys, in order of (time, arrival).
 *
 *      queue  all that came in order
 *      heap   what was overtaken on its way, or came ahead of its time
 *
 * Why not in the key's own blocks at once: there an event is looked at twice, as it comes and as it enters, and the memory
 * of a rare key is cold both times. And with a delay, where every event waits, each disorder would have to be put right in
 * blocks that are half summed, while here it costs a step in a heap that is as long as the delay.
 */
export class HeldEvents extends HeldQueue {
  /** How many are held. */
  count = 0;
  /** Its `slot` is a key's, its `lookback` a position in the store. */
  private readonly heap = new BoundaryHeap();
  /** How many came since the first. */
  arrivals = 0;
  /** Per slot: how many are of the key. */
  private waiting: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** By key, while somebody asks for keys often: see heldOf.ts. */
  index: HeldByKey | undefined = undefined;
  readonly demand: Demand = new Demand();
  /** Events are leaving: whoever asks from within, as an aggregate of the user's may, finds the pages as they are. */
  private releasing = false;

  constructor(store: EventStore) {
    super(store, new VoidEvents());
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

  /** Takes in the event that was written at `place`, which is the last one. */
  append(slot: number, time: number): void {
    const position = this.enqueue(slot, this.arrivals++, time);
    this.waiting[slot]!++;
    this.count++;
    if (this.index !== undefined) this.note(slot, position, time);
  }

  /** The time of the first one, or infinity. */
  override next(): number {
    if (this.releasing) return this.nextWhileReleasing();
    const { heap, voids } = this, next = super.next();
    while (heap.size > 0 && voids.has(heap.slot(), heap.order())) this.releaseFromHeap(() => undefined);
    return heap.size > 0 ? Math.min(heap.due(), next) : next;
  }

  /**
   * Lets go of all up to an instant, in order: they are forgotten when `enter` has taken them from their positions. Where
   * `enter` throws, these are gone and the ones behind them are still there.
   */
  releaseUntil(instant: number, enter: Enter): void {
    const { heap, pages } = this;
    const leave = (slot: number, arrival: number, position: number, count: number): void => {
      if (this.leaves(slot, arrival, count)) enter(slot, position, count);
    };
    this.releasing = true;
    try {
      while (heap.size > 0 && heap.due() <= instant) {
        this.releaseQueued(instant, heap.due(), heap.order(), leave);
        this.releaseFromHeap(enter);
      }
      this.releaseQueued(instant, Infinity, 0, leave);
    } finally {
      this.releasing = false;
    }
    this.trim(pages);
  }

  has(slot: number): boolean {
    return this.count > 0 && this.waiting[slot]! > 0;
  }

  /** Visits all in order of (time, arrival): the queue as it lies, and between its events those of the heap. */
  forEachInOrder(visit: (slot: number, position: number) => void): void {
    const { store } = this, ahead: { slot: number; position: number; time: number; arrival: number }[] = [];
    this.heap.forEach((slot, arrival, position) => ahead.push({ slot, position, time: store.timeAt(position), arrival }));
    ahead.sort((a, b) => a.time - b.time || a.arrival - b.arrival);
    let next = 0;
    const visitAhead = (time: number, arrival: number): void => {
      for (let one = ahead[next]; one !== undefined && (one.time < time || (one.time === time && one.arrival < arrival)); one = ahead[++next]) {
        if (!this.voids.has(one.slot, one.arrival)) visit(one.slot, one.position);
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
    this.waiting[slot] = 0;
    this.index?.drop(slot);
    this.voids.add(slot, count, this.arrivals);
    if (this.voids.count > this.count + PAGE && !this.releasing) this.sweepVoid();
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

  override get bytes(): number {
    return super.bytes + this.heap.bytes + this.waiting.length * 4 + (this.index?.bytes ?? 0);
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
    if (this.voids.has(slot, arrival)) {
      this.voids.left();
      return false;
    }
    this.count -= count;
    this.waiting[slot]! -= count;
    if (this.index !== undefined) this.index.shift(slot, count);
    return true;
  }

  /**
   * Not all that is older than the newest must go to the heap: where the newest itself was ahead of its time it goes, and
   * the queue goes on from here. One event of a clock that is minutes ahead would else keep the queue shut for minutes.
   */
  private insert(slot: number, time: number, numbers: Float64Array, cells: readonly unknown[]): void {
    const { store, heap } = this, single = store.allocate(SMALLEST_BLOCK);
    if (this.canReplaceLast(time)) {
      const { newest } = this, ahead = this.takeLast();
      this.index?.move(ahead.slot, ahead.position, single);
      store.copy(ahead.position, single, 1);
      heap.push(newest, ahead.arrival, ahead.slot, single);
      store.write(this.place(), time, numbers, cells);
      const position = this.enqueue(slot, this.arrivals++, time);
      if (this.index !== undefined) this.note(slot, position, time);
    } else {
      store.write(single, time, numbers, cells);
      heap.push(time, this.arrivals++, slot, single);
      if (this.index !== undefined) this.note(slot, single, time);
    }
  }

  private nextWhileReleasing(): number {
    let next = Infinity;
    this.forEach((_slot, _arrival, position) => (next = Math.min(next, this.store.timeAt(position))));
    return next;
  }

  /** Forgets what is void: it had become more than what is held. */
  private sweepVoid(): void {
    const { store, heap, voids } = this, singles: [due: number, order: number, slot: number, position: number][] = [];
    this.index = undefined; // whoever asks next makes it anew
    this.sweepQueued();
    heap.forEach((slot, order, position) => {
      if (voids.has(slot, order)) store.release(position, SMALLEST_BLOCK);
      else singles.push([store.timeAt(position), order, slot, position]);
    });
    heap.size = 0;
    for (const single of singles) heap.push(...single);
    voids.clear();
  }

  private note(slot: number, position: number, time: number): void {
    if (this.demand.hasEnded(this.arrivals, this.count)) this.index = undefined;
    else this.index!.add(slot, position, time);
  }

  /** Every one that is not void, the queue first. */
  forEach(visit: (slot: number, arrival: number, position: number) => void): void {
    this.forEachQueued(visit);
    this.heap.forEach((slot, arrival, position) => {
      if (!this.voids.has(slot, arrival)) visit(slot, arrival, position);
    });
  }
}
