import { indexOf, type KeyPart } from '../keys/partitionKey.ts';
import { precisionFor, rankOf, registerOf } from './hyperLogLog.ts';
import { SlidingRegisters } from './slidingRegisters.ts';
import { hashValue, valueHash } from './valueHash.ts';

/** So many distinct values are counted exactly. */
export const EXACT = 64;
/** So many are remembered at most. */
const ROOM = 2 * EXACT;

/** What stands for a value in a `Map`, and is hashed. */
export type Indexed = Exclude<ReturnType<typeof indexOf>, null>;

export const indexed = (value: unknown): Indexed => indexOf(value as KeyPart)!;

/** At rest. */
interface DistinctAtRest {
  readonly recent: readonly (readonly [Indexed, number])[];
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
  private readonly recent = new Map<Indexed, number>();
  /** The latest time that was forgotten. */
  private forgotten: number = -Infinity;
  private cutoff: number = -Infinity;
  /** There whenever more than `EXACT` values are in the window. */
  private sketch: SlidingRegisters | undefined;
  private readonly precision: number;

  constructor(rsd: number) {
    this.precision = precisionFor(rsd);
  }

  get count(): number {
    const { forgotten, cutoff, recent } = this;
    let count = 0;
    if (forgotten <= cutoff) for (const time of recent.values()) if (time > cutoff) count++;
    return forgotten <= cutoff && count <= EXACT ? count : Math.max(EXACT + 1, Math.round(this.sketch!.estimate(cutoff)));
  }

  add(value: Indexed, time: number): void {
    if (time <= this.cutoff) return;
    if (this.sketch !== undefined) this.note(this.sketch, value, time);
    if (time > this.forgotten) this.remember(value, time);
  }

  merge(from: SlidingDistinct): void {
    if (from.sketch !== undefined) {
      this.sketch ??= this.sketched();
      for (const { register, rank, time } of from.sketch.met(from.cutoff)) this.sketch.add(register, rank, time, this.cutoff);
      this.forgotten = Math.max(this.forgotten, from.forgotten);
    }
    for (const [value, time] of from.recent) this.add(value, time);
    this.expire(from.cutoff);
  }

  expire(cutoff: number): void {
    if (cutoff <= this.cutoff) return;
    this.cutoff = cutoff;
    if (this.sketch === undefined || this.forgotten > cutoff) return;
    this.dropExpired();
    if (this.recent.size <= EXACT) this.sketch = undefined;
  }

  encode(): DistinctAtRest {
    const { recent, forgotten, cutoff, sketch } = this;
    const met = sketch === undefined ? null : Array.from(sketch.met(cutoff), ({ register, rank, time }) => [register, rank, time]).flat();
    return { recent: [...recent], forgotten, cutoff, met };
  }

  static decode(rsd: number, encoded: unknown): SlidingDistinct {
    const { recent, forgotten, cutoff, met } = encoded as DistinctAtRest;
    const state = new SlidingDistinct(rsd);
    for (const [value, time] of recent) state.recent.set(value, time);
    state.forgotten = forgotten;
    state.cutoff = cutoff;
    if (met !== null) {
      state.sketch = new SlidingRegisters(state.precision);
      for (let i = 0; i < met.length; i += 3) state.sketch.add(met[i]!, met[i + 1]!, met[i + 2]!, cutoff);
    }
    return state;
  }

  private remember(value: Indexed, time: number): void {
    const { recent } = this;
    const before = recent.get(value);
    if (before !== undefined && before >= time) return;
    recent.set(value, time);
    if (recent.size > (this.sketch === undefined ? EXACT : ROOM)) this.makeRoom();
  }

  private makeRoom(): void {
    this.dropExpired();
    if (this.recent.size <= EXACT) return;
    this.sketch ??= this.sketched();
    if (this.recent.size > ROOM) this.forgetOldest();
  }

  private dropExpired(): void {
    for (const [value, time] of this.recent) if (time <= this.cutoff) this.recent.delete(value);
  }

  /** About half of the room at once: one by one, each would cost a search for the oldest. */
  private forgetOldest(): void {
    const { recent } = this;
    const times = new Float64Array(recent.size);
    let n = 0;
    for (const time of recent.values()) times[n++] = time;
    times.sort();
    // Of equal times all go, so that no value is forgotten that was there later than one that is remembered.
    this.forgotten = times[times.length - EXACT - 1]!;
    for (const [value, time] of recent) if (time <= this.forgotten) recent.delete(value);
  }

  /** A sketch of what is remembered: without one, that is everything. */
  private sketched(): SlidingRegisters {
    const sketch = new SlidingRegisters(this.precision);
    for (const [value, time] of this.recent) this.note(sketch, value, time);
    return sketch;
  }

  private note(sketch: SlidingRegisters, value: Indexed, time: number): void {
    hashValue(value);
    sketch.add(registerOf(valueHash.high, this.precision), rankOf(valueHash.low), time, this.cutoff);
  }
}
