import type { Bounds } from './bounds.ts';
import { Chains } from './chains.ts';
import { NONE, pageOf, type EventStore } from './eventStore.ts';
import { AT, BLOCK, ENTER, ENTER_AT, FLIP, HEAD_STATE, RecordLayout, TAIL, windowAt } from './record.ts';
import type { Summaries } from './window.ts';

/** How cursors move along the chain of a key, and what is summed on the way. */
export abstract class Cursors extends Chains {
  protected readonly summaries: Summaries;
  readonly hasLifetime: boolean;
  /** The edges of windows at the frontier: whoever moves the frontier writes them. */
  protected readonly bounds: Bounds;
  protected readonly cutoffs: Float64Array;

  constructor(store: EventStore, summaries: Summaries, bounds: Bounds, { nested, hasLifetime }: { readonly nested: boolean; readonly hasLifetime: boolean }) {
    super(store, summaries.kernels, new RecordLayout(bounds.edges, nested));
    this.summaries = summaries;
    this.bounds = bounds;
    this.cutoffs = bounds.cutoffs;
    this.hasLifetime = hasLifetime;
  }

  /** Moves every cursor of a window to the frontier, `entered` events after it was there last; tells how many left. */
  protected moveWindow(k: number, l: number, slot: number, entered: number): number {
    const { chains, layout } = this, w = k + windowAt(l), enter = k + layout.enters[l]!;
    if (layout.rows[l]! > 0) return this.countOut(k, l, slot, entered);
    if (enter !== k + ENTER) this.step(k, l, slot);
    if (this.summaries.running.length > 0) this.leaveRunning(k, w, l, slot);
    return this.expire(w, this.cutoffs[l]!, chains[enter]!, chains[enter + 1]!);
  }

  /** Takes in what was stored since: nothing is stored before the frontier has reached it. Tells how many there were. */
  protected enter(k: number, slot: number): number {
    const { chains, store, kernels } = this;
    const chained = this.isChained(k);
    let block = chains[k + ENTER]!, at = chains[k + ENTER_AT]!, entered = 0;
    for (;;) {
      const length = this.lengthOf(k, block);
      if (length > at) {
        entered += length - at;
        for (const kernel of kernels) {
          if (chained) kernel.foldPartial(pageOf(block), block + at, block + length);
          if (this.hasLifetime) kernel.foldLifetime(slot, block + at, block + length);
        }
        for (const summary of this.summaries.running) if (!this.isStepped(summary.lookback)) summary.enter(slot, block + at, block + length);
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
    return entered;
  }

  /** Whether a window has an enter cursor of its own. */
  protected isStepped(l: number): boolean {
    return l < this.lookbacks && this.layout.enters[l]! !== ENTER;
  }

  /** The enter cursor leaves a block: from now on the back of every window that goes by it holds the block. */
  private completeBlock(k: number, block: number): void {
    const { chains, lookbacks, layout, kernels } = this;
    for (let l = 0; l < lookbacks; l++) {
      if (chains[k + windowAt(l) + FLIP] === NONE || layout.enters[l]! !== ENTER) continue; // will be built anew from the partials
      for (const kernel of kernels) kernel.mergeBack(this.windowOf(k, l), pageOf(block));
    }
  }

  /** How far a block's events have entered. */
  protected enteredOf(k: number, block: number): number {
    return block === this.chains[k + ENTER] ? this.chains[k + ENTER_AT]! : this.store.lengthOf(block);
  }

  /** Moves the enter cursor of a window that ends before the frontier. */
  private step(k: number, l: number, slot: number): void {
    const { chains, store, kernels } = this;
    const cursor = k + this.layout.enters[l]!, upper = this.bounds.uppers[l]!;
    let block = chains[cursor]!, at = chains[cursor + 1]!;
    for (;;) {
      const end = this.enteredOf(k, block), from = at;
      if (at < end && store.timeAt(block + end - 1) <= upper) at = end;
      while (at < end && store.timeAt(block + at) <= upper) at++;
      if (at > from) for (const summary of this.summaries.running) if (summary.lookback === l) summary.enter(slot, block + from, block + at);
      if (at < end || block === chains[k + ENTER]) break;
      if (chains[k + windowAt(l) + FLIP] !== NONE) for (const kernel of kernels) kernel.mergeBack(this.windowOf(k, l), pageOf(block));
      block = store.next(block);
      at = 0;
    }
    chains[cursor] = block;
    chains[cursor + 1] = at;
  }

  /** Moves a window's cursor, up to its enter cursor, and tells how many events it passed. */
  private expire(w: number, cutoff: number, enter: number, enterAt: number): number {
    const { chains, store } = this;
    const { stride } = store;
    let block = chains[w + BLOCK]!, at = chains[w + AT]!, passed = 0 - at; // not -at: that may be -0, and makes doubles of all that follows
    for (;;) {
      const end = block === enter ? enterAt : store.lengthOf(block), slab = store.slabOf(block), offset = store.offsetOf(block);
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
    const cutoff = this.cutoffs[l]!, cursor = k + this.layout.enters[l]!, enter = chains[cursor]!;
    let block = chains[w + BLOCK]!, at = chains[w + AT]!;
    for (;;) {
      const end = block === enter ? chains[cursor + 1]! : store.lengthOf(block);
      let to = at;
      while (to < end && store.timeAt(block + to) <= cutoff) to++;
      if (to > at) this.leave(l, slot, block + at, block + to);
      if (to < end || block === enter) return;
      block = store.next(block);
      at = 0;
    }
  }

  private leave(l: number, slot: number, from: number, to: number): void {
    for (const summary of this.summaries.running) if (summary.lookback === l) summary.leave(slot, from, to);
  }

  /** A window of rows has taken so many events in: as many as are too many leave. Tells how many. */
  protected countOut(k: number, l: number, slot: number, entered: number): number {
    const { chains, layout, store } = this, w = k + windowAt(l), enter = chains[k + ENTER]!;
    const count = chains[k + layout.counts[l]!]! + entered, left = Math.max(0, count - layout.rows[l]!);
    chains[k + layout.counts[l]!] = count - left;
    for (let more = left; more > 0; ) {
      const block = chains[w + BLOCK]!, at = chains[w + AT]!, rest = this.enteredOf(k, block) - at, passed = Math.min(more, rest);
      this.leave(l, slot, block + at, block + at + passed);
      more -= passed;
      if (passed < rest || block === enter) {
        chains[w + AT] = at + passed;
        continue;
      }
      chains[w + BLOCK] = store.next(block);
      chains[w + AT] = 0;
      chains[w + HEAD_STATE] = NONE;
      if (chains[w + BLOCK] === chains[w + FLIP]) chains[w + FLIP] = NONE;
    }
    return left;
  }

  /** Moves the keeper to the earliest cursor of a window, and tells how many events it passed. */
  protected keep(k: number): number {
    const { chains, store, lookbacks } = this, keeper = k + this.layout.keeper;
    let block = chains[keeper]!, passed = 0 - chains[keeper + 1]!;
    for (;;) {
      const length = this.lengthOf(k, block);
      let at = length + 1;
      for (let l = 0; l < lookbacks; l++) if (chains[k + windowAt(l) + BLOCK] === block) at = Math.min(at, chains[k + windowAt(l) + AT]!);
      if (at <= length) {
        chains[keeper] = block;
        chains[keeper + 1] = at;
        return passed + at;
      }
      passed += length;
      block = store.next(block);
    }
  }
}
