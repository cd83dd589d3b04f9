import type { DirtyKeys } from '../keys/dirtyKeys.ts';
import type { LowerEdge } from '../time/lowerEdge.ts';
import { BoundaryHeap } from './boundaryHeap.ts';
import { BoundaryRing } from './boundaryRing.ts';
import { NONE } from './eventStore.ts';

/**
 * The instants at which some key's window changes by itself: an event leaves one lookback after its time.
 *
 *      ring  | t t t t t t t t t t t t |
 *            ^ 7 days    ^ 1 hour        one cursor per lookback: what it passes leaves that window
 *
 * Entries are (time, slot) for all keys together, so a quiet evaluation costs one comparison per cursor whatever the
 * number of keys, and the next boundary is a minimum over cursors. (A scan of one next expiry per key is 2 ms at a
 * million keys, a heap of keys 0.7 ms.)
 *
 * Events are noted as they enter, that is in order of time. Only one that came behind the frontier, and is older than the
 * newest entry, is kept in the `late` heap, once per boundary that it still has.
 */
export class Boundaries {
  private readonly ring: BoundaryRing;
  private newestSlot: number = NONE;
  private readonly late = new BoundaryHeap();
  private readonly edges: readonly LowerEdge[];
  private readonly dirty: DirtyKeys;

  /** `edges`: at which events leave a lookback, or enter one that ends before the frontier; none passes an event later than the last one does. */
  constructor(edges: readonly LowerEdge[], dirty: DirtyKeys) {
    this.edges = edges;
    this.dirty = dirty;
    this.ring = new BoundaryRing(Math.max(1, edges.length));
  }

  /** An event of a key has entered. `cutoffs`: the lower edges at the frontier. */
  add(time: number, slot: number, cutoffs: Float64Array): void {
    const { ring } = this;
    if (time === ring.newest && slot === this.newestSlot) return; // it is noted: bursts of a key are common
    if (time >= ring.newest) this.append(time, slot);
    else for (let l = 0; l < cutoffs.length; l++) if (time > cutoffs[l]!) this.late.push(this.edges[l]!.leavesAt(time), time, slot, l);
  }

  /** Marks every key that has a boundary at or before the frontier. */
  sweep(cutoffs: Float64Array): void {
    const { ring, late, dirty } = this;
    for (let l = 0; l < cutoffs.length; l++) ring.sweep(l, cutoffs[l]!, dirty);
    while (late.size > 0 && late.order() <= cutoffs[late.lookback()]!) {
      dirty.mark(late.slot());
      late.pop();
    }
  }

  /** The frontier at which the next key changes by itself, or infinity. */
  next(): number {
    const { ring, late, edges } = this;
    let next = late.size > 0 ? late.due() : Infinity;
    for (let l = 0; l < edges.length; l++) {
      const time = ring.at(l);
      if (time < Infinity) next = Math.min(next, edges[l]!.leavesAt(time));
    }
    return next;
  }

  /** No key is left: whatever is still noted is of keys that were evicted. */
  clear(): void {
    this.ring.clear();
    this.late.size = 0;
  }

  get bytes(): number {
    return this.ring.bytes + this.late.bytes;
  }

  private append(time: number, slot: number): void {
    if (this.edges.length === 0) return;
    this.ring.append(time, slot);
    this.newestSlot = slot;
  }
}
