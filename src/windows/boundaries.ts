import type { DirtyKeys } from '../keys/dirtyKeys.ts';
import type { LowerEdge } from '../time/lowerEdge.ts';
import { BoundaryHeap } from './boundaryHeap.ts';
import { BoundaryRing } from './boundaryRing.ts';
import { NONE } from './eventStore.ts';

/**
 * The instants at which some key's window changes: an event enters at its time and leaves one lookback later.
 *
 *      held ring     | t t t t          sorted by arrival in order; what comes out of order waits in a heap
 *                      v enters when the frontier reaches it
 *      entered ring  | t t t t t t t t t t t t |
 *                      ^ 7 days    ^ 1 hour      one cursor per lookback: what it passes leaves that window
 *
 * Entries are (time, slot) for all keys together, so a quiet evaluation costs one comparison per cursor whatever the
 * number of keys, and the next boundary is a minimum over cursors. (A scan of one next expiry per key is 2 ms at a
 * million keys, a heap of keys 0.7 ms.)
 *
 * Two rings, not one with a cursor for entering: events that arrive out of order, yet ahead of the frontier, need
 * sorting only until they enter. With one ring each of them stays in a heap until its last boundary, and 10 ms of
 * disorder already put 97% of all live events there. Only an event that is behind the frontier when it arrives, and
 * older than the newest entered one, is kept in the `late` heap, once per boundary that it still has.
 */
export class Boundaries {
  private readonly held = new BoundaryRing(1);
  private readonly heldOutOfOrder = new BoundaryHeap();
  private readonly entered: BoundaryRing;
  private readonly late = new BoundaryHeap();
  private readonly edges: readonly LowerEdge[];
  private readonly dirty: DirtyKeys;

  /** `edges`: one per lookback; the last one holds whatever another holds. */
  constructor(edges: readonly LowerEdge[], dirty: DirtyKeys) {
    this.edges = edges;
    this.dirty = dirty;
    this.entered = new BoundaryRing(Math.max(1, edges.length));
  }

  /** An event was stored. `cutoffs`: the lower edges at the frontier. */
  add(time: number, slot: number, frontier: number, cutoffs: Float64Array): void {
    if (time > frontier) {
      if (time >= this.held.newest) this.held.append(time, slot);
      else this.heldOutOfOrder.push(time, time, slot, NONE);
    } else if (time >= this.entered.newest) this.entered.append(time, slot);
    else for (let l = 0; l < cutoffs.length; l++) if (time > cutoffs[l]!) this.late.push(this.edges[l]!.leavesAt(time), time, slot, l);
  }

  /** Marks every key that has a boundary at or before the frontier. */
  sweep(frontier: number, cutoffs: Float64Array): void {
    this.enter(frontier);
    const { entered, late, dirty } = this;
    for (let l = 0; l < cutoffs.length; l++) entered.sweep(l, cutoffs[l]!, dirty);
    while (late.size > 0 && late.time() <= cutoffs[late.lookback()]!) {
      dirty.mark(late.slot());
      late.pop();
    }
  }

  /** The frontier at which the next key changes by itself, or infinity. */
  next(): number {
    const { held, heldOutOfOrder, entered, late, edges } = this;
    let next = held.at(0);
    if (heldOutOfOrder.size > 0) next = Math.min(next, heldOutOfOrder.due());
    if (late.size > 0) next = Math.min(next, late.due());
    for (let l = 0; l < edges.length; l++) {
      const time = entered.at(l);
      if (time < Infinity) next = Math.min(next, edges[l]!.leavesAt(time));
    }
    return next;
  }

  /** No key is left: whatever is still noted is of keys that were evicted. */
  clear(): void {
    this.held.clear();
    this.entered.clear();
    this.heldOutOfOrder.size = this.late.size = 0;
  }

  /** How many events wait beyond an instant that is not before the frontier. */
  heldBeyond(instant: number): number {
    return this.held.countBeyond(instant) + this.heldOutOfOrder.countBeyond(instant);
  }

  get bytes(): number {
    return this.held.bytes + this.entered.bytes + this.late.bytes + this.heldOutOfOrder.bytes;
  }

  private enter(frontier: number): void {
    const { held, heldOutOfOrder: heap, entered, dirty } = this;
    const bounded = this.edges.length > 0;
    for (;;) {
      const first = held.at(0);
      const fromHeap = heap.size > 0 && heap.due() < first;
      const time = fromHeap ? heap.due() : first;
      if (!(time <= frontier)) return;
      const slot = fromHeap ? heap.slot() : held.slotAt(0);
      if (fromHeap) heap.pop();
      else held.step(0);
      dirty.mark(slot);
      if (bounded) entered.append(time, slot);
    }
  }
}
