import { enlarged, roomFor } from '../keys/enlarged.ts';
import { NONE, PAGE, SMALLEST_BLOCK, pageOf, type EventStore } from './eventStore.ts';
import { Landmarks } from './landmarks.ts';
import { AT, BLOCK, ENTER, ENTER_AT, FIRST_WINDOW, FLIP, HEAD, HEAD_STATE, RECORD, TAIL, TAIL_CAPACITY, TAIL_LENGTH, WINDOW_FIELDS, type RecordLayout } from './record.ts';
import type { Kernel } from './window.ts';

/**
 * The blocks of every key: one small block while its events fit, full pages in a chain after that. Cursors run along it:
 *
 *      oldest                                                                              newest
 *      [ dead | dead . . a b | c d e f | g h i j | k l m n | o p q . ]
 *                        ^AT  (BLOCK)             ^FLIP     ^ENTER
 *               head block     suffixes ---------> back ---> enter block
 *
 *  - ENTER: everything before it is summed; what is behind it was stored since the key was settled last.
 *  - per window, AT in BLOCK: the first event still inside. The keeper stands where the earliest of them does.
 *  - a window that ends before the frontier has an enter cursor of its own, which is never ahead of ENTER.
 *
 * This file is about room: where events go and when blocks are given back. What windows hold is in blockWindows.ts.
 */
export abstract class Chains {
  chains: Int32Array<ArrayBuffer> = new Int32Array(0);
  readonly stride: number;
  readonly store: EventStore;
  readonly kernels: readonly Kernel[];
  readonly lookbacks: number;
  readonly layout: RecordLayout;
  /** Events that a window holds or that wait in a block for the next settling. */
  protected stored = 0;
  /** Records number the keys with several blocks: only these have backs and heads. */
  private readonly freeRecords: number[] = [];
  private usedRecords = 0;
  protected readonly landmarks: Landmarks;

  constructor(store: EventStore, kernels: readonly Kernel[], layout: RecordLayout) {
    this.store = store;
    this.landmarks = new Landmarks(store);
    this.kernels = kernels;
    this.layout = layout;
    this.lookbacks = layout.lookbacks;
    this.stride = layout.stride;
  }

  /** Starts a key without events. */
  protected openChain(slot: number): void {
    const at = slot * this.stride;
    if (at + this.stride > this.chains.length) this.chains = enlarged(this.chains, roomFor(slot) * this.stride);
    this.chains[at + HEAD] = NONE;
    this.chains[at + RECORD] = NONE;
  }

  get bytes(): number {
    return this.chains.length * 4 + this.landmarks.bytes;
  }

  lengthOf(k: number, block: number): number {
    return block === this.chains[k + TAIL] ? this.chains[k + TAIL_LENGTH]! : this.store.lengthOf(block);
  }

  isChained(k: number): boolean {
    return this.chains[k + RECORD] !== NONE;
  }

  protected windowOf(k: number, lookback: number): number {
    return this.chains[k + RECORD]! * this.lookbacks + lookback;
  }

  /** Events at the front of the only block that no window holds any more. */
  protected deadEvents(k: number): number {
    return this.chains[k + this.layout.keeper + 1]!;
  }

  protected begin(k: number): void {
    const { chains } = this;
    const block = this.store.allocate(SMALLEST_BLOCK);
    chains[k + HEAD] = chains[k + TAIL] = chains[k + ENTER] = block;
    chains[k + ENTER_AT] = chains[k + TAIL_LENGTH] = 0;
    chains[k + TAIL_CAPACITY] = SMALLEST_BLOCK;
    for (let w = k + FIRST_WINDOW; w < k + this.layout.windowsEnd; w += WINDOW_FIELDS) {
      chains[w + BLOCK] = block;
      chains[w + AT] = 0;
      chains[w + FLIP] = chains[w + HEAD_STATE] = NONE;
    }
    for (let i = this.layout.windowsEnd; i < this.stride; i++) chains[k + i] = 0;
    for (const cursor of this.layout.apart) chains[k + cursor] = block;
  }

  /** Appends events without content: gives the position of the first. There is room for them in the tail. */
  protected append(k: number, count: number): number {
    const { chains } = this, length = chains[k + TAIL_LENGTH]!;
    this.stored += count;
    chains[k + TAIL_LENGTH] = length + count;
    return chains[k + TAIL]! + length;
  }

  /** Makes the tail able to take some of so many events more: gives how many. */
  protected makeRoomFor(k: number, count: number): number {
    const { chains } = this;
    if (chains[k + HEAD] === NONE) this.begin(k);
    if (chains[k + TAIL_LENGTH] === chains[k + TAIL_CAPACITY]) this.makeRoom(k);
    return Math.min(count, chains[k + TAIL_CAPACITY]! - chains[k + TAIL_LENGTH]!);
  }

  /** Makes the tail able to take one more event. */
  protected makeRoom(k: number): void {
    const { chains } = this;
    if (this.isChained(k)) return this.appendPage(k);
    const capacity = chains[k + TAIL_CAPACITY]!, dead = this.deadEvents(k), live = chains[k + TAIL_LENGTH]! - dead;
    // A slide gains at least an eighth of the block. Sliding sooner is faster by little and leaves blocks half empty.
    if (dead * 8 >= capacity) this.rehouse(k, live * 4 <= capacity ? Math.max(SMALLEST_BLOCK, capacity >> 1) : capacity);
    else if (capacity < PAGE) this.rehouse(k, capacity * 2);
    else {
      this.chain(k);
      this.appendPage(k);
    }
  }

  /** Moves the only block's live events to the front of a block of the given capacity, which may be the same one. */
  private rehouse(k: number, capacity: number): void {
    const { chains, store } = this;
    const block = chains[k + TAIL]!, old = chains[k + TAIL_CAPACITY]!, dead = this.deadEvents(k), live = chains[k + TAIL_LENGTH]! - dead;
    let home = block;
    if (capacity === old) store.move(block + dead, home, live);
    else {
      home = store.allocate(capacity);
      store.copy(block + dead, home, live);
      store.release(block, old);
    }
    chains[k + TAIL_LENGTH] = live;
    chains[k + TAIL_CAPACITY] = capacity;
    chains[k + HEAD] = chains[k + TAIL] = chains[k + ENTER] = home;
    chains[k + ENTER_AT]! -= dead;
    for (let w = k + FIRST_WINDOW; w < k + this.layout.windowsEnd; w += WINDOW_FIELDS) {
      chains[w + BLOCK] = home;
      chains[w + AT]! -= dead;
    }
    for (const cursor of this.layout.apart) {
      chains[k + cursor] = home;
      chains[k + cursor + 1]! -= dead;
    }
  }

  /** From one block to several: what is kept per block becomes worth keeping. */
  protected chain(k: number): void {
    const { chains, kernels } = this;
    const record = this.freeRecords.pop() ?? this.usedRecords++;
    const block = chains[k + HEAD]!;
    chains[k + RECORD] = record;
    this.landmarks.open(record);
    for (const kernel of kernels) {
      kernel.reserveRecord(record);
      kernel.clearPartial(pageOf(block));
      kernel.foldPartial(pageOf(block), block, block + chains[k + ENTER_AT]!);
    }
    for (let w = k + FIRST_WINDOW; w < k + this.layout.windowsEnd; w += WINDOW_FIELDS) chains[w + FLIP] = chains[w + HEAD_STATE] = NONE;
  }

  private unchain(k: number): void {
    this.freeRecords.push(this.chains[k + RECORD]!);
    this.chains[k + RECORD] = NONE;
  }

  private appendPage(k: number): void {
    const { chains, store, kernels } = this;
    const page = store.allocate(PAGE);
    store.setLength(chains[k + TAIL]!, chains[k + TAIL_LENGTH]!);
    store.link(chains[k + TAIL]!, page);
    this.landmarks.append(chains[k + RECORD]!, page);
    chains[k + TAIL] = page;
    chains[k + TAIL_LENGTH] = 0;
    for (const kernel of kernels) kernel.clearPartial(pageOf(page));
  }

  /** Gives back the blocks that no window needs. */
  protected releaseDead(k: number): void {
    const { chains, store } = this;
    const oldest = k + this.layout.keeper, keep = chains[oldest]!, keepAt = chains[oldest + 1]!;
    while (chains[k + HEAD] !== keep) this.releaseHead(k);
    if (keep !== chains[k + TAIL]) return;
    if (this.isChained(k)) this.unchain(k);
    if (keepAt !== chains[k + TAIL_LENGTH]) return;
    store.release(keep, chains[k + TAIL_CAPACITY]!);
    chains[k + HEAD] = NONE;
  }

  private releaseHead(k: number): void {
    const { chains, store } = this;
    const head = chains[k + HEAD]!;
    chains[k + HEAD] = store.next(head);
    this.landmarks.release(chains[k + RECORD]!, head);
    store.release(head, PAGE);
  }

  /** Gives back everything of a key. */
  protected releaseChain(k: number): void {
    const { chains, store } = this;
    if (chains[k + HEAD] === NONE) return;
    const oldest = k + this.layout.keeper;
    for (let block = chains[oldest]!; ; block = store.next(block)) {
      this.stored -= this.lengthOf(k, block) - (block === chains[oldest] ? chains[oldest + 1]! : 0);
      if (block === chains[k + TAIL]) break;
    }
    while (chains[k + HEAD] !== chains[k + TAIL]) this.releaseHead(k);
    if (this.isChained(k)) this.unchain(k);
    store.release(chains[k + TAIL]!, chains[k + TAIL_CAPACITY]!);
    chains[k + HEAD] = NONE;
  }
}
