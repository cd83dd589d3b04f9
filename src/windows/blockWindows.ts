import type { Bounds } from './bounds.ts';
import { Cursors } from './cursors.ts';
import { NONE, SMALLEST_BLOCK, pageOf, type EventStore } from './eventStore.ts';
import { HeldEvents } from './heldEvents.ts';
import { AT, BLOCK, ENTER, ENTER_AT, FLIP, HEAD, HEAD_STATE, PATCHED, TAIL, windowAt } from './record.ts';
import type { Summaries } from './window.ts';

/**
 * The windows of every key, all lookbacks over the same events.
 *
 * One block: fold from AT to ENTER. Several: head of the block with the cursor, suffix of the next block, back, partial
 * of the enter block. The partial of the enter block is shared by all lookbacks, so an arriving event costs one fold
 * however many there are; only a completed block is merged into every back. When a head reaches its FLIP, suffixes are
 * built anew up to the enter block and the back starts empty: two stacks with blocks for elements, each block visited once
 * per flip (Tangwongsan, Hirzel & Schneider 2017 call the scheme Two-Stacks).
 *
 * A window that ends before the frontier goes by an enter cursor of its own. The partial of the block it stands in holds
 * later events too, so there the few that have entered are folded one by one.
 */
export class BlockWindows extends Cursors {
  readonly held: HeldEvents;
  private readonly scratch: number;

  constructor(store: EventStore, summaries: Summaries, bounds: Bounds, plan: { readonly nested: boolean; readonly hasLifetime: boolean }) {
    super(store, summaries, bounds, plan);
    this.held = new HeldEvents(store);
    this.scratch = store.allocate(SMALLEST_BLOCK);
    // Small blocks have no partial, so that of their page stays empty: what a window has that no enter block adds to.
    if (this.layout.stepped.length > 0) for (const kernel of summaries.kernels) kernel.clearPartial(pageOf(this.scratch));
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
    const { chains, lookbacks, layout } = this;
    const k = slot * this.stride;
    if (chains[k + HEAD] === NONE) return;
    const entered = this.enter(k, slot);
    let left = 0;
    for (let l = 0; l < lookbacks; l++) left = this.moveWindow(k, l, slot, entered);
    this.stored -= layout.keepsApart ? this.keep(k) : left;
    this.releaseDead(k);
  }

  /** Leaves one result per lookback, and the lifetime's, in each kernel. The key is settled. */
  answer(slot: number): void {
    const { chains, kernels, lookbacks, layout } = this;
    const k = slot * this.stride;
    if (chains[k + HEAD] === NONE) {
      for (let l = 0; l < lookbacks; l++) for (const kernel of kernels) kernel.clearResult(l);
    } else {
      const enter = chains[k + ENTER]!, end = enter + chains[k + ENTER_AT]!;
      let shorter = NONE, shorterFrom = end; // windows inside the enter block lie within each other
      for (let l = 0; l < lookbacks; l++) {
        const w = k + windowAt(l);
        if (layout.enters[l]! !== ENTER) {
          this.answerStepped(k, w, l);
          continue;
        }
        if (chains[w + BLOCK] !== enter) {
          this.answerAcross(k, w, l, enter, pageOf(enter));
          continue;
        }
        const from = enter + chains[w + AT]!;
        if (from > shorterFrom) shorter = NONE;
        for (const kernel of kernels) kernel.windowResult(l, from, end, shorter, shorterFrom);
        shorter = l;
        shorterFrom = from;
        if (chains[w + FLIP] !== NONE) chains[w + FLIP] = NONE; // a question must not make the line one that has to be written back
      }
    }
    if (this.hasLifetime) for (const kernel of kernels) kernel.lifetimeResult(slot);
  }

  /** Of a window that ends before the frontier. */
  private answerStepped(k: number, w: number, l: number): void {
    const { chains, kernels } = this;
    const enter = chains[k + this.layout.enters[l]!]!, end = enter + chains[k + this.layout.enters[l]! + 1]!;
    if (chains[w + BLOCK] === enter) {
      for (const kernel of kernels) kernel.windowResult(l, enter + chains[w + AT]!, end, NONE, end);
      chains[w + FLIP] = NONE;
    } else {
      this.answerAcross(k, w, l, enter, pageOf(this.scratch));
      for (const kernel of kernels) kernel.foldResult(l, enter, end);
    }
  }

  private answerAcross(k: number, w: number, l: number, enter: number, enterPage: number): void {
    const { chains, store, kernels } = this;
    const block = chains[w + BLOCK]!, at = chains[w + AT]!;
    const window = this.windowOf(k, l), length = store.lengthOf(block);
    if (chains[w + FLIP] === NONE) this.flip(k, w, l, enter);
    if (chains[w + HEAD_STATE] !== block) {
      const next = store.next(block), nextPage = next === chains[w + FLIP] ? NONE : pageOf(next);
      for (const kernel of kernels) kernel.buildHead(l, window, block, at, length, nextPage);
      chains[w + HEAD_STATE] = block;
    }
    chains[w + PATCHED] = 0;
    for (const kernel of kernels) kernel.answer(l, window, block, at, length, enterPage);
  }

  private flip(k: number, w: number, l: number, enter: number): void {
    const { chains, store, kernels } = this;
    const head = chains[w + BLOCK]!, window = this.windowOf(k, l);
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

  /** Visits the events in the key's blocks that a window holds or that have not entered, block by block: none that is held. */
  scanOwn(slot: number, visit: (from: number, to: number) => void): void {
    const k = slot * this.stride;
    if (this.chains[k + HEAD] !== NONE) this.visitFrom(k, k + this.layout.keeper, visit);
  }

  /** How many of these have not entered. */
  countWaiting(slot: number): number {
    const k = slot * this.stride;
    let count = 0;
    if (this.chains[k + HEAD] !== NONE) this.visitFrom(k, k + ENTER, (from, to) => (count += to - from));
    return count;
  }

  private visitFrom(k: number, cursor: number, visit: (from: number, to: number) => void): void {
    const { chains, store } = this;
    let block = chains[cursor]!, at = chains[cursor + 1]!;
    for (;;) {
      const length = this.lengthOf(k, block);
      if (length > at) visit(block + at, block + length);
      if (block === chains[k + TAIL]) return;
      block = store.next(block);
      at = 0;
    }
  }
}
