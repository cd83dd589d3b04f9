import { NONE } from './eventStore.ts';
import { MeasureKernel } from './measureKernel.ts';
import type { Kernel } from './window.ts';

/**
 * One measure over a bounded window whose aggregate can't take values out again: one state per block, merged.
 *
 * Values reach `reduce` and `merge` in order of (time, arrival). So what a late event changes is folded anew from its
 * block, and suffixes are dropped rather than added to (`inOrder`).
 */
export class MergedKernel extends MeasureKernel implements Kernel {
  private readonly partials: unknown[] = [];
  private readonly suffixes: unknown[] = [];
  private readonly backs: unknown[] = [];
  /** By window: the page of the suffix that follows the head block, or NONE. */
  private readonly nexts: number[] = [];
  private result: unknown = undefined;

  clearPartial(page: number): void {
    this.partials[page] = undefined;
  }

  foldPartial(page: number, from: number, to: number): void {
    this.partials[page] = this.fold(this.or(this.partials[page]), from, to);
  }

  patchPartial(page: number, _position: number, block: number, end: number): void {
    this.partials[page] = this.fold(this.aggregate.zero(), block, end);
  }

  buildSuffix(lookback: number, page: number, next: number): void {
    if (lookback !== this.lookback) return;
    const { aggregate } = this;
    const alone = aggregate.merge(aggregate.zero(), this.or(this.partials[page]));
    this.suffixes[page] = next === NONE ? alone : aggregate.merge(alone, this.or(this.suffixes[next]));
  }

  /** Never needed: what a late event changes is built anew. */
  foldSuffix(): void {
    throw new Error('a suffix of merged states is built, not added to');
  }

  reserveRecord(): void {
    // Arrays grow by themselves.
  }

  clearBack(window: number): void {
    this.backs[window] = undefined;
  }

  mergeBack(window: number, page: number): void {
    this.backs[window] = this.aggregate.merge(this.or(this.backs[window]), this.or(this.partials[page]));
  }

  foldBack(): void {
    throw new Error('a back of merged states is merged, not added to');
  }

  buildHead(lookback: number, window: number, _block: number, _first: number, _length: number, next: number): void {
    if (lookback === this.lookback) this.nexts[window] = next;
  }

  answer(lookback: number, window: number, block: number, at: number, length: number, enterPage: number): void {
    if (lookback !== this.lookback) return;
    const { aggregate } = this;
    const next = this.nexts[window] ?? NONE;
    let state = this.fold(aggregate.zero(), block + at, block + length);
    if (next !== NONE) state = aggregate.merge(state, this.or(this.suffixes[next]));
    state = aggregate.merge(state, this.or(this.backs[window]));
    this.result = aggregate.merge(state, this.or(this.partials[enterPage]));
  }

  clearResult(lookback: number): void {
    if (lookback === this.lookback) this.result = this.aggregate.zero();
  }

  windowResult(lookback: number, from: number, end: number): void {
    if (lookback === this.lookback) this.result = this.fold(this.aggregate.zero(), from, end);
  }

  foldResult(lookback: number, from: number, to: number): void {
    if (lookback === this.lookback) this.result = this.fold(this.result, from, to);
  }

  mergeResult(lookback: number, page: number): void {
    if (lookback === this.lookback) this.result = this.aggregate.merge(this.result, this.or(this.partials[page]));
  }

  clearLifetime(): void {
    // A lifetime is a running summary.
  }

  foldLifetime(): void {
    // As above.
  }

  lifetimeResult(): void {
    // As above.
  }

  /** The answer put together last. */
  read(): unknown {
    return this.finish(this.result);
  }

  get bytes(): number {
    return (this.partials.length + this.suffixes.length + this.backs.length) * 8;
  }
}

