import type { AnyAggregate, MomentArithmetic, NumericAnswer } from '../aggregates/aggregate.ts';
import { NONE } from './eventStore.ts';
import { NumericAnswers } from './numericAnswers.ts';

/** What measures of a column need; a state keeps only that. */
export const SUM = 1;
export const EXTREMES = 2;
export const MOMENTS = 4;

export const needsOf = (answer: NumericAnswer): number =>
  answer === 'count' ? 0 : answer === 'sum' || answer === 'avg' ? SUM : answer === 'min' || answer === 'max' ? EXTREMES : MOMENTS;

/** What the aggregates that one state answers do with moments, if any of them needs some. */
export const momentsOf = (aggregates: readonly Pick<AnyAggregate, 'moments'>[]): MomentArithmetic | undefined => aggregates.find(({ moments }) => moments)?.moments;

export const COUNT = 0, HI = 1, LO = 2;
/** Powers of two take huge sums out of reach of the largest double, and back, without rounding. */
const DOWN = 2 ** -64, UP = 2 ** 64;

export type Doubles = Float64Array<ArrayBuffer>;

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
 * - The moments are kept in double-double, by what the aggregates that need them bring along.
 */
export class NumericState {
  /** Doubles of a state. */
  readonly width: number;
  readonly flags: number;
  protected readonly minAt: number;
  protected readonly meanAt: number;
  private readonly moments: MomentArithmetic | undefined;
  /** What measures read of it. */
  readonly answers: NumericAnswers;

  /** `flags`: what is needed of the values. `moments`: where these are. */
  constructor(flags: number, moments: MomentArithmetic | undefined) {
    this.flags = flags;
    this.moments = moments;
    this.minAt = 1 + (flags & SUM ? 2 : 0);
    this.meanAt = this.minAt + (flags & EXTREMES ? 2 : 0);
    this.width = this.meanAt + (moments?.width ?? 0);
    const { width, minAt, meanAt } = this;
    const lanes = { sumAt: flags & SUM ? HI : NONE, minAt: flags & EXTREMES ? minAt : NONE, meanAt: flags & MOMENTS ? meanAt : NONE };
    this.answers = new NumericAnswers({ width, up: UP, ...lanes }, moments);
  }

  protected reset(into: Doubles, at: number): void {
    for (let i = 0; i < this.width; i++) into[at + i] = 0;
    if (this.flags & EXTREMES) {
      // NaN is larger than every number, so the identity of min is NaN, and that of max is minus infinity.
      into[at + this.minAt] = NaN;
      into[at + this.minAt + 1] = -Infinity;
    }
  }

  protected copy(into: Doubles, at: number, from: Doubles, fromAt: number): void {
    for (let i = 0; i < this.width; i++) into[at + i] = from[fromAt + i]!;
  }

  /** Adds so many values, which stand in `values` from `first` on, each `stride` after the one before. */
  protected foldValues(into: Doubles, at: number, values: Float64Array, first: number, count: number, stride: number): void {
    const { flags } = this, end = first + count * stride;
    const before = into[at + COUNT]!;
    into[at + COUNT] = before < 0 ? before - count : before + count;
    if (flags & (SUM | EXTREMES)) {
      const sums = flags & SUM, extremes = flags & EXTREMES, m = at + this.minAt;
      let hi = sums ? into[at + HI]! : 0, lo = sums ? into[at + LO]! : 0;
      let min = extremes ? into[m]! : 0, max = extremes ? into[m + 1]! : 0;
      for (let i = first; i < end; i += stride) {
        const value = values[i]!;
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
        } else for (let i = first; i < end; i += stride) this.addWild(into, at, values[i]!, 0, false);
      }
    }
    if (flags & MOMENTS) this.moments!.fold(into, at + this.meanAt, Math.abs(before), values, first, end, stride);
  }

  /** into = into, then from. */
  protected merge(into: Doubles, at: number, from: Doubles, fromAt: number): void {
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
    if (flags & MOMENTS) this.moments!.merge(into, at + this.meanAt, Math.abs(n1), from, fromAt + this.meanAt, Math.abs(n2));
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
}
