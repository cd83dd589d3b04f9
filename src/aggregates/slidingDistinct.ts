import { indexOf, type KeyPart } from '../keys/partitionKey.ts';
import { precisionFor, rankOf, registerOf } from './hyperLogLog.ts';
import { RecentValues, type Indexed } from './recentValues.ts';
import { SlidingRegisters } from './slidingRegisters.ts';
import { hashValue, valueHash } from './valueHash.ts';

/** So many distinct values are counted exactly. */
export const EXACT = 64;
/** So many are remembered at most. */
const ROOM = 2 * EXACT;

export const indexed = (value: unknown): Indexed => indexOf(value as KeyPart)!;

/** At rest. */
interface DistinctAtRest {
  readonly values: readonly Indexed[];
  readonly times: readonly number[];
  readonly forgotten: number;
  readonly cutoff: number;
  /** Register, rank, time, and so on; null without a sketch. */
  readonly met: readonly number[] | null;
}

/**
 * The distinct values of a window, each with the time when it was there last: the latest few themselves, and a sketch of
 * all of them while there are more.
 *
 * What was forgotten is older than what is remembered. So once the latest of it has left the window, all that is left is
 * remembered, and few enough of it can be counted again. Whether the count is exact therefore depends on nothing but the
 * window, and so does the sketch's answer: whatever came and left before, and in which order, shows nowhere.
 */
export class SlidingDistinct {
  /** Some have left already: they are dropped where room is needed. */
  private readonly recent = new RecentValues();
  /** At so many it is looked which of them have left. */
  private room = 8;
  /** The latest time that was forgotten. */
  private forgotten: number = -Infinity;
  private cutoff: number = -Infinity;
  /** There whenever more than `EXACT` values are in the window. */
  private sketch: SlidingRegisters | undefined = undefined;
  private readonly precision: number;

  constructor(rsd: number) {
    this.precision = precisionFor(rsd);
  }

  get count(): number {
    const { forgotten, cutoff } = this;
    const count = forgotten <= cutoff ? this.recent.countAfter(cutoff) : Infinity;
    return count <= EXACT ? count : Math.max(EXACT + 1, Math.round(this.sketch!.estimate(cutoff)));
  }

  add(value: Indexed, time: number): void {
    if (time <= this.cutoff) return;
    hashValue(value);
    const { high, low } = valueHash;
    if (this.sketch !== undefined) this.note(this.sketch, high, low, time);
    if (time <= this.forgotten) return;
    this.recent.add(value, low, time);
    if (this.recent.size > (this.sketch === undefined ? this.room : ROOM)) this.makeRoom();
  }

  merge(from: SlidingDistinct): void {
    if (from.sketch !== undefined) {
      this.sketch ??= this.sketched();
      for (const { register, rank, time } of from.sketch.met(from.cutoff)) this.sketch.add(register, rank, time, this.cutoff);
      this.forgotten = Math.max(this.forgotten, from.forgotten);
      this.recent.drop(this.forgotten);
    }
    from.recent.values.forEach((value, i) => this.add(value, from.recent.timeAt(i)));
    this.expire(from.cutoff);
  }

  expire(cutoff: number): void {
    if (cutoff <= this.cutoff) return;
    this.cutoff = cutoff;
    if (this.sketch === undefined || this.forgotten > cutoff) return;
    this.recent.drop(cutoff);
    if (this.recent.size <= EXACT) this.sketch = undefined;
  }

  encode(): DistinctAtRest {
    const { recent, forgotten, cutoff, sketch } = this;
    const met = sketch === undefined ? null : Array.from(sketch.met(cutoff), ({ register, rank, time }) => [register, rank, time]).flat();
    return { values: [...recent.values], times: recent.values.map((_, i) => recent.timeAt(i)), forgotten, cutoff, met };
  }

  static decode(rsd: number, encoded: unknown): SlidingDistinct {
    const { values, times, forgotten, cutoff, met } = encoded as DistinctAtRest;
    const state = new SlidingDistinct(rsd);
    values.forEach((value, i) => {
      hashValue(value);
      state.recent.add(value, valueHash.low, times[i]!);
    });
    state.forgotten = forgotten;
    state.cutoff = cutoff;
    if (met !== null) {
      state.sketch = new SlidingRegisters(state.precision);
      for (let i = 0; i < met.length; i += 3) state.sketch.add(met[i]!, met[i + 1]!, met[i + 2]!, cutoff);
    }
    return state;
  }

  private makeRoom(): void {
    const { recent, cutoff } = this;
    recent.drop(cutoff);
    if (recent.size * 2 > this.room) this.room = Math.min(this.room * 2, EXACT);
    if (recent.size <= EXACT) return;
    this.sketch ??= this.sketched();
    if (recent.size <= ROOM) return;
    // About half at once: one by one, each would cost a search for the oldest. And of equal times all, so that no value is
    // forgotten that was there later than one that is remembered.
    this.forgotten = recent.latestBut(EXACT);
    recent.drop(this.forgotten);
  }

  /** A sketch of what is remembered: without one, that is everything. */
  private sketched(): SlidingRegisters {
    const sketch = new SlidingRegisters(this.precision);
    this.recent.values.forEach((value, i) => {
      hashValue(value);
      this.note(sketch, valueHash.high, valueHash.low, this.recent.timeAt(i));
    });
    return sketch;
  }

  private note(sketch: SlidingRegisters, high: number, low: number, time: number): void {
    sketch.add(registerOf(high, this.precision), rankOf(low), time, this.cutoff);
  }
}
