import { AT, BLOCK, Chains, ENTER, ENTER_AT, FIRST_WINDOW, FLIP, HEAD, HEAD_STATE, PATCHED, TAIL, WINDOW_FIELDS } from './chains.ts';
import { NONE, SMALLEST_BLOCK, pageOf, type EventStore } from './eventStore.ts';
import { HeldEvents } from './heldEvents.ts';
import type { Summaries } from './window.ts';

/**
 * The windows of every key, all lookbacks over the same events.
 *
 * One block: fold from AT to ENTER. Several: head of the block with the cursor, suffix of the next block, back, partial
 * of the enter block. The partial of the enter block is shared by all lookbacks, so an arriving event costs one fold
 * however many there are; only a completed block is merged into every back. When a head reaches its FLIP, suffixes are
 * built anew up to the enter block and the back starts empty: two stacks with blocks for elements, each block visited once
 * per flip (Tangwongsan, Hirzel & Schneider 2017 call the scheme Two-Stacks).
 */
export class BlockWindows extends Chains {
  readonly held: HeldEvents;
  protected readonly summaries: Summaries;
  protected readonly hasLifetime: boolean;
  /** The lower edges at the frontier, one per lookback: whoever moves the frontier writes them. */
  protected readonly cutoffs: Float64Array;
  private readonly scratch: number;

  constructor(store: EventStore, summaries: Summaries, cutoffs: Float64Array, hasLifetime: boolean) {
    super(store, summaries.kernels, cutoffs.length);
    this.held = new HeldEvents(store);
    this.summaries = summaries;
    this.cutoffs = cutoffs;
    this.hasLifetime = hasLifetime;
    this.scratch = store.allocate(SMALLEST_BLOCK);
  }

  open(slot: number): void {
    this.openChain(slot);
    this.held.open(slot);
    for (const summary of this.summaries.running) summary.clear(slot);
    if (this.hasLifetime) for (const kernel of this.kernels) kernel.clearLifetime(slot);
  }

  /** Forgets a key, whatever it holds. */
  drop(slot: number): void {
    this.releaseChain(slot * this.stride);
    this.held.drop(slot);
    for (const summary of this.summaries.running) summary.clear(slot); // lets go of what its state refers to
  }

  /** Whether the key has no event left that a window could still meet. */
  isEmpty(slot: number): boolean {
    return this.chains[slot * this.stride + HEAD] === NONE && !this.held.has(slot);
  }

  /** Events that a window holds or that wait to enter. */
  get events(): number {
    return this.stored + this.held.count;
  }

  override get bytes(): number {
    return super.bytes + this.held.bytes;
  }

  /** Counts an event that only a lifetime window can still hold. */
  insertIntoLifetime(slot: number, time: number, numbers: Float64Array, cells: readonly unknown[]): void {
    this.store.write(this.scratch, time, numbers, cells);
    for (const kernel of this.kernels) kernel.foldLifetime(slot, this.scratch, this.scratch + 1);
    for (const summary of this.summaries.running) if (summary.lookback === this.lookbacks) summary.enter(slot, this.scratch, this.scratch + 1);
  }

  /**
   * Moves every cursor of the key to the frontier. Apart from `answer`, so that all changed keys can first be settled in
   * a tight loop, where the processor overlaps the cache misses of one key with those of the next.
   */
  settle(slot: number): void {
    const { chains, cutoffs } = this;
    const k = slot * this.stride;
    if (chains[k + HEAD] === NONE) return;
    this.enter(k, slot);
    for (let l = 0; l < cutoffs.length; l++) {
      const w = k + FIRST_WINDOW + l * WINDOW_FIELDS;
      if (this.summaries.running.length > 0) this.leaveRunning(k, w, l, slot);
      const left = this.expire(k, w, cutoffs[l]!);
      if (l === cutoffs.length - 1) this.stored -= left;
    }
    this.releaseDead(k);
  }

  /** Leaves one result per lookback, and the lifetime's, in each kernel. The key is settled. */
  answer(slot: number): void {
    const { chains, kernels, lookbacks } = this;
    const k = slot * this.stride;
    if (chains[k + HEAD] === NONE) {
      for (let l = 0; l < lookbacks; l++) for (const kernel of kernels) kernel.clearResult(l);
    } else {
      const enter = chains[k + ENTER]!, end = enter + chains[k + ENTER_AT]!;
      let shorter = NONE, shorterFrom = end; // windows inside the enter block lie within each other
      for (let l = 0; l < lookbacks; l++) {
        const w = k + FIRST_WINDOW + l * WINDOW_FIELDS;
        if (chains[w + BLOCK] !== enter) {
          this.answerAcross(k, w, l);
          continue;
        }
        const from = enter + chains[w + AT]!;
        if (from > shorterFrom) shorter = NONE;
        for (const kernel of kernels) kernel.windowResult(l, from, end, shorter, shorterFrom);
        shorter = l;
        shorterFrom = from;
        chains[w + FLIP] = NONE;
      }
    }
    if (this.hasLifetime) for (const kernel of kernels) kernel.lifetimeResult(slot);
  }

  /** Takes in what was stored since: nothing is stored before the frontier has reached it. */
  private enter(k: number, slot: number): void {
    const { chains, store, kernels } = this;
    const chained = this.isChained(k);
    let block = chains[k + ENTER]!, at = chains[k + ENTER_AT]!;
    for (;;) {
      const length = this.lengthOf(k, block);
      if (length > at) {
        for (const kernel of kernels) {
          if (chained) kernel.foldPartial(pageOf(block), block + at, block + length);
          if (this.hasLifetime) kernel.foldLifetime(slot, block + at, block + length);
        }
        for (const summary of this.summaries.running) summary.enter(slot, block + at, block + length);
        if (this.lookbacks === 0) {
          this.stored -= length - at;
          chains[k + ENTER] = block; // at once: user code that throws over a later block must not find them counted twice
          chains[k + ENTER_AT] = length;
        }
        at = length;
      }
      if (block === chains[k + TAIL]) break;
      this.completeBlock(k, block);
      block = store.next(block);
      at = 0;
    }
    chains[k + ENTER] = block;
    chains[k + ENTER_AT] = at;
  }

  /** The enter cursor leaves a block: from now on every window's back holds it. */
  private completeBlock(k: number, block: number): void {
    const { chains, lookbacks, kernels } = this;
    for (let l = 0; l < lookbacks; l++) {
      if (chains[k + FIRST_WINDOW + l * WINDOW_FIELDS + FLIP] === NONE) continue; // will be built anew from the partials
      for (const kernel of kernels) kernel.mergeBack(this.windowOf(k, l), pageOf(block));
    }
  }

  /** How far a block's events have entered. */
  protected enteredOf(k: number, block: number): number {
    return block === this.chains[k + ENTER] ? this.chains[k + ENTER_AT]! : this.store.lengthOf(block);
  }

  /** Moves a window's cursor and tells how many events it passed. */
  private expire(k: number, w: number, cutoff: number): number {
    const { chains, store } = this;
    const { stride } = store, enter = chains[k + ENTER]!;
    let block = chains[w + BLOCK]!, at = chains[w + AT]!, passed = 0 - at; // not -at: that may be -0, and makes doubles of all that follows
    for (;;) {
      const end = this.enteredOf(k, block), slab = store.slabOf(block), offset = store.offsetOf(block);
      while (at < end && slab[offset + at * stride]! <= cutoff) at++;
      if (at < end || block === enter) break;
      do { // whole blocks, by their last event
        passed += store.lengthOf(block);
        block = store.next(block);
        if (block === chains[w + FLIP]) chains[w + FLIP] = NONE;
      } while (block !== enter && store.timeAt(block + store.lengthOf(block) - 1) <= cutoff);
      at = 0;
      chains[w + HEAD_STATE] = NONE; // comparing block numbers is not enough: a freed block can come back as this key's newest
      chains[w + BLOCK] = block;
    }
    chains[w + AT] = at;
    return passed + at;
  }

  /** The same walk for what takes values out one by one, before the cursor moves. */
  private leaveRunning(k: number, w: number, l: number, slot: number): void {
    const { chains, store } = this;
    const cutoff = this.cutoffs[l]!;
    let block = chains[w + BLOCK]!, at = chains[w + AT]!;
    for (;;) {
      const end = this.enteredOf(k, block);
      let to = at;
      while (to < end && store.timeAt(block + to) <= cutoff) to++;
      if (to > at) for (const summary of this.summaries.running) if (summary.lookback === l) summary.leave(slot, block + at, block + to);
      if (to < end || block === chains[k + ENTER]) return;
      block = store.next(block);
      at = 0;
    }
  }

  private answerAcross(k: number, w: number, l: number): void {
    const { chains, store, kernels } = this;
    const block = chains[w + BLOCK]!, at = chains[w + AT]!, enterPage = pageOf(chains[k + ENTER]!);
    const window = this.windowOf(k, l), length = store.lengthOf(block);
    if (chains[w + FLIP] === NONE) this.flip(k, w, l);
    if (chains[w + HEAD_STATE] !== block) {
      const next = store.next(block), nextPage = next === chains[w + FLIP] ? NONE : pageOf(next);
      for (const kernel of kernels) kernel.buildHead(l, window, block, at, length, nextPage);
      chains[w + HEAD_STATE] = block;
    }
    chains[w + PATCHED] = 0;
    for (const kernel of kernels) kernel.answer(l, window, block, at, length, enterPage);
  }

  private flip(k: number, w: number, l: number): void {
    const { chains, store, kernels } = this;
    const enter = chains[k + ENTER]!, head = chains[w + BLOCK]!, window = this.windowOf(k, l);
    for (const kernel of kernels) {
      let later = NONE;
      for (let block = store.prev(enter); block !== head; block = store.prev(block)) {
        kernel.buildSuffix(l, pageOf(block), later);
        later = pageOf(block);
      }
      kernel.clearBack(window);
    }
    chains[w + FLIP] = enter;
    chains[w + HEAD_STATE] = NONE; // it carries the suffix of the next block
  }

  // ---- looking without moving ---------------------------------------------------------------------------------------
  /**
   * Calls `visit` with each run of the key's events that lies in the window up to `frontier` and above `cutoff`, until it
   * answers true. `page` is that of a run which is a whole entered block, else NONE. For `l` past the last lookback: the
   * events that have not entered.
   */
  scan(slot: number, l: number, frontier: number, cutoff: number, visit: (from: number, to: number, page: number) => boolean): void {
    if (this.scanBlocks(slot * this.stride, l, frontier, cutoff, visit)) return;
    if (this.held.next() > frontier) return;
    for (const position of this.held.of(slot)) {
      const time = this.store.timeAt(position);
      if (time > frontier || (time > cutoff && visit(position, position + 1, NONE))) return;
    }
  }

  /** The same for those that entered or are about to. True where the scan is over. */
  private scanBlocks(k: number, l: number, frontier: number, cutoff: number, visit: (from: number, to: number, page: number) => boolean): boolean {
    const { chains, store } = this;
    if (chains[k + HEAD] === NONE) return false;
    const start = l < this.lookbacks ? k + FIRST_WINDOW + l * WINDOW_FIELDS : k + ENTER;
    let block = chains[start]!, at = chains[start + 1]!, entered = this.isChained(k);
    for (;;) {
      const length = this.lengthOf(k, block);
      while (at < length && store.timeAt(block + at) <= cutoff) at++;
      entered &&= block !== chains[k + ENTER];
      if (entered && at === 0) {
        if (visit(block, block + length, pageOf(block))) return true;
      } else {
        let to = at;
        while (to < length && store.timeAt(block + to) <= frontier) to++;
        if (to > at && visit(block + at, block + to, NONE)) return true;
        if (to < length) return true;
      }
      if (block === chains[k + TAIL]) return false;
      block = store.next(block);
      at = 0;
    }
  }

  /** The events of the key up to `frontier` that a window holds or that have not entered. */
  scanStored(slot: number, frontier: number, visit: (from: number, to: number, page: number) => boolean): void {
    const longest = this.lookbacks - 1;
    this.scan(slot, Math.max(longest, 0), frontier, longest < 0 ? -Infinity : this.cutoffs[longest]!, visit);
  }

  /** Leaves results as of a later frontier, without moving a cursor: the key need not be settled. */
  answerAt(slot: number, frontier: number, cutoffs: Float64Array): void {
    const { kernels, lookbacks } = this;
    for (let l = 0; l < lookbacks; l++) {
      for (const kernel of kernels) kernel.clearResult(l);
      this.scan(slot, l, frontier, cutoffs[l]!, (from, to, page) => {
        for (const kernel of kernels) {
          if (page === NONE) kernel.foldResult(l, from, to);
          else kernel.mergeResult(l, page);
        }
        return false;
      });
    }
    if (!this.hasLifetime) return;
    for (const kernel of kernels) kernel.lifetimeResult(slot);
    this.scan(slot, lookbacks, frontier, -Infinity, (from, to) => {
      for (const kernel of kernels) kernel.foldResult(lookbacks, from, to);
      return false;
    });
  }

  /** The time of the first event above `cutoff` in a window, held ones included; or infinity. `l` as for `scan`. */
  firstAbove(slot: number, l: number, cutoff: number): number {
    const { chains, store } = this, k = slot * this.stride;
    if (chains[k + HEAD] !== NONE) {
      const start = l < this.lookbacks ? k + FIRST_WINDOW + l * WINDOW_FIELDS : k + ENTER;
      for (let block = chains[start]!, at = chains[start + 1]!; ; block = store.next(block), at = 0) {
        for (const length = this.lengthOf(k, block); at < length; at++) if (store.timeAt(block + at) > cutoff) return store.timeAt(block + at);
        if (block === chains[k + TAIL]) break;
      }
    }
    return this.held.nextOf(slot); // whatever is held is above all windows
  }
}
