import { enlarged, roomFor } from '../keys/enlarged.ts';
import type { NumericAnswer } from '../aggregates/aggregate.ts';
import { addMoment, mergeMoments, MOMENT_LANES } from './moments.ts';
import { NONE, PAGE, type EventStore } from './eventStore.ts';
import { NumericAnswers } from './numericAnswers.ts';
import type { Extremes } from './measureKernel.ts';
import type { Kernel } from './window.ts';

/** What measures of a column need; a kernel keeps only that. */
const SUM = 1;
const EXTREMES = 2;
const MOMENTS = 4;

/** What an aggregate that asks for the extremes needs besides its own state. */
export const extremesNeed: number = EXTREMES;

export const needsOf = (answer: NumericAnswer): number =>
  answer === 'count' ? 0 : answer === 'sum' || answer === 'avg' ? SUM : answer === 'min' || answer === 'max' ? EXTREMES : MOMENTS;

const COUNT = 0, HI = 1, LO = 2;
/** Powers of two take huge sums out of reach of the largest double, and back, without rounding. */
const DOWN = 2 ** -64, UP = 2 ** 64;

/** In a head block: one pre-merged suffix every RUNG events. One per event would cost 40 bytes an event in small windows. */
const RUNG_BITS = 3;
const RUNG = 1 << RUNG_BITS;
const RUNGS = PAGE / RUNG + 1;

type Doubles = Float64Array<ArrayBuffer>;

/**
 * Everything that counts, sums, extremes and moments of one number column need, as a state of a few doubles at an offset of
 * a flat array. One class with flags, not one object per aggregate: five virtual calls per event cost more than the sums.
 *
 *     count | hi lo | min max | mean meanLo m2 m2Lo          what no measure needs is left out
 *
 * - hi + lo is the sum: each addition's rounding error is computed (Knuth's TwoSum) and kept, which is as good as twice
 *   the precision (Ogita, Rump & Oishi 2005) whatever left the window before, since what left was never in the state.
 * - A negative count says that hi and lo are scaled down, since the sum left the range of doubles on its way. It may come
 *   back: 1.5e308 + 1.2e308 - 1.4e308 is a double. Only a state that needs it is scaled, so no stream pays for it.
 * - The moments are kept in double-double: see moments.ts.
 */
export class NumericKernel implements Kernel, Extremes {
  /** Doubles of a state. */
  readonly width: number;
  private partials: Doubles = new Float64Array(0);
  private readonly suffixes: Doubles[];
  private backs: Doubles = new Float64Array(0);
  private rungs: Doubles = new Float64Array(0);
  private lifetimes: Doubles = new Float64Array(0);
  private readonly results: Doubles;
  private readonly minAt: number;
  private readonly meanAt: number;

  /** What measures read of it. */
  readonly answers: NumericAnswers;

  private readonly store: EventStore;
  private readonly lane: number;
  readonly flags: number;
  private readonly lookbacks: number;

  /** `lane`: where the values stand in the store, or NONE to count events. `flags`: what is needed of them. */
  constructor(store: EventStore, lane: number, flags: number, lookbacks: number) {
    this.store = store;
    this.lane = lane;
    this.flags = flags;
    this.lookbacks = lookbacks;
    this.minAt = 1 + (flags & SUM ? 2 : 0);
    this.meanAt = this.minAt + (flags & EXTREMES ? 2 : 0);
    this.width = this.meanAt + (flags & MOMENTS ? MOMENT_LANES : 0);
    this.suffixes = Array.from({ length: lookbacks }, () => new Float64Array(0));
    this.results = new Float64Array((lookbacks + 1) * this.width);
    const { width, minAt, meanAt } = this;
    const lanes = { sumAt: flags & SUM ? HI : NONE, minAt: flags & EXTREMES ? minAt : NONE, meanAt: flags & MOMENTS ? meanAt : NONE };
    this.answers = new NumericAnswers({ width, up: UP, ...lanes });
  }

  // ---- one state --------------------------------------------------------------------------------------------------
  private reset(into: Doubles, at: number): void {
    for (let i = 0; i < this.width; i++) into[at + i] = 0;
    if (this.flags & EXTREMES) {
      // NaN is larger than every number, so the identity of min is NaN, and that of max is minus infinity.
      into[at + this.minAt] = NaN;
      into[at + this.minAt + 1] = -Infinity;
    }
  }

  private copy(into: Doubles, at: number, from: Doubles, fromAt: number): void {
    for (let i = 0; i < this.width; i++) into[at + i] = from[fromAt + i]!;
  }

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
    if (to === from) return;
    const { flags, store } = this;
    const { stride } = store, slab = store.slabOf(from);
    const first = store.offsetOf(from) + 1 + this.lane, end = first + (to - from) * stride;
    const before = into[at + COUNT]!;
    into[at + COUNT] = before < 0 ? before - (to - from) : before + (to - from);
    if (flags & (SUM | EXTREMES)) {
      const sums = flags & SUM, extremes = flags & EXTREMES, m = at + this.minAt;
      let hi = sums ? into[at + HI]! : 0, lo = sums ? into[at + LO]! : 0;
      let min = extremes ? into[m]! : 0, max = extremes ? into[m + 1]! : 0;
      for (let i = first; i < end; i += stride) {
        const value = slab[i]!;
        if (sums) {
          const sum = hi + value, part = sum - hi;
          lo += hi - (sum - part) + (value - part);
          hi = sum;
        }
        if (extremes) {
          if (value < min || min !== min) min = value;
          if (value > max || value !== value) max = value;
        }
      }
      if (extremes) {
        into[m] = min;
        into[m + 1] = max;
      }
      if (sums) {
        if (before >= 0 && lo === lo) {
          into[at + HI] = hi;
          into[at + LO] = lo;
        } else for (let i = first; i < end; i += stride) this.addWild(into, at, slab[i]!, 0, false);
      }
    }
    if (flags & MOMENTS) for (let i = first, n = Math.abs(before); i < end; i += stride) addMoment(into, at + this.meanAt, n++, slab[i]!);
  }

  /** into = into, then from. */
  private merge(into: Doubles, at: number, from: Doubles, fromAt: number): void {
    const { flags } = this;
    const n1 = into[at + COUNT]!, n2 = from[fromAt + COUNT]!;
    if (n2 === 0) return;
    into[at + COUNT] = n1 < 0 ? n1 - Math.abs(n2) : n1 + Math.abs(n2);
    if (flags & SUM) {
      const hi = into[at + HI]!, value = from[fromAt + HI]!, sum = hi + value, part = sum - hi;
      const lo = into[at + LO]! + (hi - (sum - part) + (value - part) + from[fromAt + LO]!);
      if (n1 >= 0 && n2 > 0 && lo === lo) {
        into[at + HI] = sum;
        into[at + LO] = lo;
      } else this.addWild(into, at, value, from[fromAt + LO]!, n2 < 0);
    }
    if (flags & EXTREMES) {
      const m = at + this.minAt, f = fromAt + this.minAt;
      const min = into[m]!, max = into[m + 1]!, otherMin = from[f]!, otherMax = from[f + 1]!;
      if (otherMin < min || min !== min) into[m] = otherMin;
      if (otherMax > max || otherMax !== otherMax) into[m + 1] = otherMax;
    }
    if (flags & MOMENTS) mergeMoments(into, at + this.meanAt, Math.abs(n1), from, fromAt + this.meanAt, Math.abs(n2));
  }

  /** Adds to a sum where an infinity or an overflow is in play. The count is that after the addition. */
  private addWild(into: Doubles, at: number, value: number, low: number, scaled: boolean): void {
    if (scaled && into[at + COUNT]! > 0) this.scale(into, at);
    else if (!scaled && into[at + COUNT]! < 0) {
      value *= DOWN;
      low *= DOWN;
    }
    const hi = into[at + HI]!, sum = hi + value, part = sum - hi, error = hi - (sum - part) + (value - part) + low;
    if (error === error) { // not if the sum is finite: close to the largest double, `part` may not be
      into[at + HI] = sum;
      into[at + LO] = into[at + LO]! + error;
    } else if (isFinite(hi) && isFinite(value)) {
      this.scale(into, at);
      this.addWild(into, at, value, low, false);
    } else {
      // An infinity or a NaN says all there is to say, while its rounding error would be NaN.
      into[at + HI] = sum;
      into[at + LO] = 0;
    }
  }

  private scale(into: Doubles, at: number): void {
    into[at + COUNT] = -into[at + COUNT]!;
    into[at + HI] = into[at + HI]! * DOWN;
    into[at + LO] = into[at + LO]! * DOWN;
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
    if (parts & MOMENTS) lifetimes.set(saved.subarray(from, from + MOMENT_LANES), into + this.meanAt);
  }

  get bytes(): number {
    // Each suffix is as long as the partials. Not `byteLength`, which is a call.
    return (this.partials.length * (1 + this.lookbacks) + this.backs.length + this.rungs.length + this.lifetimes.length) * 8;
  }
}
