import { enlarged, roomFor } from '../keys/enlarged.ts';
import type { MomentArithmetic } from '../aggregates/aggregate.ts';
import { NONE, PAGE, type EventStore } from './eventStore.ts';
import type { Extremes } from './measureKernel.ts';
import { COUNT, EXTREMES, HI, LO, MOMENTS, NumericState, SUM, type Doubles } from './numericState.ts';
import type { Kernel } from './window.ts';

/** In a head block: one pre-merged suffix every RUNG events. One per event would cost 40 bytes an event in small windows. */
const RUNG_BITS = 3;
const RUNG = 1 << RUNG_BITS;
const RUNGS = PAGE / RUNG + 1;

/** The fused states of one number column over all windows of the engine. */
export class NumericKernel extends NumericState implements Kernel, Extremes {
  private partials: Doubles = new Float64Array(0);
  private readonly suffixes: Doubles[];
  private backs: Doubles = new Float64Array(0);
  private rungs: Doubles = new Float64Array(0);
  private lifetimes: Doubles = new Float64Array(0);
  private readonly results: Doubles;

  private readonly store: EventStore;
  private readonly lane: number;
  private readonly lookbacks: number;

  /** `lane`: where the values stand in the store, or NONE to count events. `flags`: what is needed of them. */
  constructor(store: EventStore, lane: number, flags: number, moments: MomentArithmetic | undefined, lookbacks: number) {
    super(flags, moments);
    this.store = store;
    this.lane = lane;
    this.lookbacks = lookbacks;
    this.suffixes = Array.from({ length: lookbacks }, () => new Float64Array(0));
    this.results = new Float64Array((lookbacks + 1) * this.width);
  }

  // ---- one state --------------------------------------------------------------------------------------------------
  /** Adds the events at positions [from, to). */
  private fold(into: Doubles, at: number, from: number, to: number): void {
    if (this.lane === NONE) {
      into[at] = into[at]! + (to - from);
      return;
    }
    const mask = this.store.present[this.lane];
    if (mask === undefined) return this.foldRun(into, at, from, to);
    for (let start = from; start < to; start++) {
      if (mask[start] === 0) continue;
      let end = start + 1;
      while (end < to && mask[end] !== 0) end++;
      this.foldRun(into, at, start, end);
      start = end;
    }
  }

  /** Adds a run of events that all have a value. */
  private foldRun(into: Doubles, at: number, from: number, to: number): void {
    const { store } = this;
    if (to > from) this.foldValues(into, at, store.slabOf(from), store.offsetOf(from) + 1 + this.lane, to - from, store.stride);
  }

  // ---- blocks -----------------------------------------------------------------------------------------------------
  clearPartial(page: number): void {
    const at = page * this.width;
    if (at + this.width > this.partials.length) {
      const size = roomFor(page) * this.width;
      this.partials = enlarged(this.partials, size);
      for (let l = 0; l < this.lookbacks; l++) this.suffixes[l] = enlarged(this.suffixes[l]!, size);
    }
    this.reset(this.partials, at);
  }

  foldPartial(page: number, from: number, to: number): void {
    this.fold(this.partials, page * this.width, from, to);
  }

  /** Numbers can be added in any order. */
  patchPartial(page: number, position: number): void {
    this.foldPartial(page, position, position + 1);
  }

  buildSuffix(lookback: number, page: number, next: number): void {
    const suffix = this.suffixes[lookback]!, { width } = this;
    this.copy(suffix, page * width, this.partials, page * width);
    if (next !== NONE) this.merge(suffix, page * width, suffix, next * width);
  }

  foldSuffix(lookback: number, page: number, position: number): void {
    this.fold(this.suffixes[lookback]!, page * this.width, position, position + 1);
  }

  // ---- windows over several blocks ----------------------------------------------------------------------------------
  reserveRecord(record: number): void {
    const { width, lookbacks } = this;
    if ((record + 1) * lookbacks * width <= this.backs.length) return;
    const windows = roomFor(record) * lookbacks;
    this.backs = enlarged(this.backs, windows * width);
    this.rungs = enlarged(this.rungs, windows * RUNGS * width);
  }

  clearBack(window: number): void {
    this.reset(this.backs, window * this.width);
  }

  mergeBack(window: number, page: number): void {
    this.merge(this.backs, window * this.width, this.partials, page * this.width);
  }

  foldBack(window: number, position: number): void {
    this.fold(this.backs, window * this.width, position, position + 1);
  }

  /** rung(i) = the block from its event RUNG * i on, and all later blocks before the flip. */
  buildHead(lookback: number, window: number, block: number, first: number, length: number, next: number): void {
    const { width, rungs } = this;
    const base = window * RUNGS * width;
    const top = (length + RUNG - 1) >> RUNG_BITS; // beyond the block's last event: the suffix alone
    if (next !== NONE) this.copy(rungs, base + top * width, this.suffixes[lookback]!, next * width);
    else this.reset(rungs, base + top * width);
    for (let rung = top - 1; rung >= first >> RUNG_BITS; rung--) {
      const at = base + rung * width;
      this.copy(rungs, at, rungs, at + width);
      this.fold(rungs, at, block + rung * RUNG, block + Math.min(length, (rung + 1) * RUNG));
    }
  }

  // ---- results ------------------------------------------------------------------------------------------------------
  /**
   * Written out over locals for sums and extremes, because as copy, merge, merge, fold it is a third of the cost of a row
   * at 1,000 events a window: every step would store five doubles that the next one loads.
   */
  answer(lookback: number, window: number, block: number, at: number, length: number, enterPage: number): void {
    const { width, flags, results, partials, backs, rungs } = this;
    const into = lookback * width, rung = (at + RUNG - 1) >> RUNG_BITS;
    const p = enterPage * width, b = window * width, r = (window * RUNGS + rung) * width;
    const from = block + at, to = block + Math.min(length, rung * RUNG);
    const n1 = partials[p + COUNT]!, n2 = backs[b + COUNT]!, n3 = rungs[r + COUNT]!;
    if (flags & MOMENTS || n1 < 0 || n2 < 0 || n3 < 0 || this.lane === NONE || this.store.present[this.lane] !== undefined) {
      return this.answerInSteps(into, p, b, r, from, to);
    }
    const { store } = this, { stride } = store, slab = store.slabOf(from);
    const first = store.offsetOf(from) + 1 + this.lane, end = first + (to - from) * stride;
    results[into + COUNT] = n1 + n2 + n3 + (to - from);
    if (flags & SUM) {
      const a = partials[p + HI]!, c = backs[b + HI]!, e = rungs[r + HI]!;
      const ac = a + c, acPart = ac - a, ace = ac + e, acePart = ace - ac;
      let hi = ace, lo = partials[p + LO]! + backs[b + LO]! + rungs[r + LO]!;
      lo += a - (ac - acPart) + (c - acPart) + (ac - (ace - acePart) + (e - acePart));
      for (let i = first; i < end; i += stride) {
        const value = slab[i]!, sum = hi + value, part = sum - hi;
        lo += hi - (sum - part) + (value - part);
        hi = sum;
      }
      if (lo !== lo) return this.answerInSteps(into, p, b, r, from, to);
      results[into + HI] = hi;
      results[into + LO] = lo;
    }
    if (flags & EXTREMES) {
      const m = this.minAt;
      let min = partials[p + m]!, max = partials[p + m + 1]!;
      const backMin = backs[b + m]!, backMax = backs[b + m + 1]!, rungMin = rungs[r + m]!, rungMax = rungs[r + m + 1]!;
      if (backMin < min || min !== min) min = backMin;
      if (backMax > max || backMax !== backMax) max = backMax;
      if (rungMin < min || min !== min) min = rungMin;
      if (rungMax > max || rungMax !== rungMax) max = rungMax;
      for (let i = first; i < end; i += stride) {
        const value = slab[i]!;
        if (value < min || min !== min) min = value;
        if (value > max || value !== value) max = value;
      }
      results[into + m] = min;
      results[into + m + 1] = max;
    }
  }

  private answerInSteps(into: number, p: number, b: number, r: number, from: number, to: number): void {
    this.copy(this.results, into, this.partials, p);
    this.merge(this.results, into, this.backs, b);
    this.merge(this.results, into, this.rungs, r);
    this.fold(this.results, into, from, to);
  }

  clearResult(lookback: number): void {
    this.reset(this.results, lookback * this.width);
  }

  windowResult(lookback: number, from: number, end: number, shorter: number, shorterFrom: number): void {
    const { width, results } = this;
    if (shorter === NONE) this.reset(results, lookback * width);
    else this.copy(results, lookback * width, results, shorter * width);
    this.foldResult(lookback, from, shorter === NONE ? end : shorterFrom);
  }

  foldResult(lookback: number, from: number, to: number): void {
    this.fold(this.results, lookback * this.width, from, to);
  }

  mergeResult(lookback: number, page: number): void {
    this.merge(this.results, lookback * this.width, this.partials, page * this.width);
  }

  smallest(lookback: number): number {
    return this.results[lookback * this.width + this.minAt]!;
  }

  largest(lookback: number): number {
    return this.results[lookback * this.width + this.minAt + 1]!;
  }

  /** Writes each measure's answer at its place among the outputs behind `base`: whether one is another than before. */
  readInto(outputs: Float64Array, base: number): boolean {
    return this.answers.readInto(outputs, base, this.results);
  }

  // ---- lifetimes ----------------------------------------------------------------------------------------------------
  clearLifetime(slot: number): void {
    const at = slot * this.width;
    if (at + this.width > this.lifetimes.length) this.lifetimes = enlarged(this.lifetimes, roomFor(slot) * this.width);
    this.reset(this.lifetimes, at);
  }

  foldLifetime(slot: number, from: number, to: number): void {
    this.fold(this.lifetimes, slot * this.width, from, to);
  }

  lifetimeResult(slot: number): void {
    this.copy(this.results, this.lookbacks * this.width, this.lifetimes, slot * this.width);
  }

  /** Copies the lifetime of a key out. */
  copyLifetime(slot: number, into: Float64Array, at: number): void {
    const { width, lifetimes } = this;
    for (let i = 0, from = slot * width; i < width; i++) into[at + i] = lifetimes[from + i]!;
  }

  /** Takes one over that `keeps` says the parts of: what it lacks is as if nothing had come yet. */
  takeLifetime(slot: number, saved: Float64Array, at: number, keeps: number): void {
    const { lifetimes, flags } = this, into = slot * this.width, parts = flags & keeps;
    this.clearLifetime(slot);
    lifetimes[into + COUNT] = saved[at + COUNT]!;
    let from = at + 1;
    if (parts & SUM) lifetimes.set(saved.subarray(from, from + 2), into + HI);
    if (keeps & SUM) from += 2;
    if (parts & EXTREMES) lifetimes.set(saved.subarray(from, from + 2), into + this.minAt);
    if (keeps & EXTREMES) from += 2;
    if (parts & MOMENTS) lifetimes.set(saved.subarray(from, from + this.width - this.meanAt), into + this.meanAt);
  }

  get bytes(): number {
    // Each suffix is as long as the partials. Not `byteLength`, which is a call.
    return (this.partials.length * (1 + this.lookbacks) + this.backs.length + this.rungs.length + this.lifetimes.length) * 8;
  }
}
