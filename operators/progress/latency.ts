import { DDSketch } from '@datadog/sketches-js';
import { narrow, roomPerEvent, wide, type Instants } from './instants.ts';
import type { LatencyPercentiles } from './queryProgress.ts';

/** A picosecond: what is shorter counts as nothing, and spares the sketch bins down to the smallest double. */
const shortest = 1e-9;

const shares = [0.5, 0.9, 0.95, 0.99] as const;

/**
 * Latencies of one kind.
 *
 * A sketch costs as much per value as a quarter of an event. But clocks show whole milliseconds, and what one evaluation
 * took is the same for all its events: latencies with one fraction in common are counted by the millisecond, and only
 * others, and very long ones, go into the sketch. Where there are some, it gets the counts at the report.
 */
export class Latency {
  private readonly sketch: DDSketch = new DDSketch({ relativeAccuracy: 0.01 });
  /** How many took no time. */
  private nothing = 0;
  /** How many took so many milliseconds and the fraction. */
  cells: Float64Array = new Float64Array(narrow);
  /** Behind the longest that was counted. */
  private end = 0;
  private counted = 0;
  private fraction = 0;

  /** `count` events took so many milliseconds; fewer than none is none. */
  add(ms: number, count: number): void {
    if (!(ms > shortest)) {
      this.nothing += count;
      return;
    }
    const whole = Math.floor(ms);
    const fraction = ms - whole;
    if (this.fits(whole, fraction, 0)) {
      this.cells[whole]! += count;
      this.counted += count;
    } else this.sketch.accept(ms, count);
  }

  /** Each of these events took the time from its instant to this one. */
  addUpTo(at: number, instants: Instants): void {
    const { cells, low, high } = instants, mask = cells.length - 1;
    const longest = at - low, whole = Math.floor(longest);
    let instant = low;
    if (longest > shortest && this.fits(whole, longest - whole, instants.count)) {
      const own = this.cells, passed = Math.floor(Math.min(high, at - shortest)) - low + 1;
      let counted = 0, place = low & mask;
      for (let i = 0, ms = whole; i < passed; i++, ms--) {
        const count = cells[place]!;
        own[ms]! += count;
        counted += count;
        place = (place + 1) & mask;
      }
      this.counted += counted;
      instant += passed;
    }
    for (; instant <= high; instant++) if (cells[instant & mask]! > 0) this.add(at - instant, cells[instant & mask]!);
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Their percentiles, null where there is nothing; from here on a new distribution begins. */
  take(): LatencyPercentiles | null {
    const { count } = this;
    if (count === 0) return null;
    if (this.sketch.count === 0) return this.takeCounted(count);
    this.pour();
    return takeSketched(this.sketch);
  }

  /** Whole milliseconds below this have their places. */
  get wholes(): number {
    return this.fraction === 0 ? this.end : 0;
  }

  /** So many were counted in their places, and so many took no time. */
  added(counted: number, nothing: number): void {
    this.counted += counted;
    this.nothing += nothing;
  }

  private get count(): number {
    return this.nothing + this.counted + this.sketch.count;
  }

  /** Whether so many milliseconds and the fraction have their place, where so many events are about to come. */
  private fits(whole: number, fraction: number, coming: number): boolean {
    return (this.end === 0 || fraction === this.fraction) && (whole < this.end || this.reaches(whole, fraction, coming));
  }

  private reaches(whole: number, fraction: number, coming: number): boolean {
    if (this.end === 0) this.fraction = fraction;
    if (!(whole < narrow || (whole < wide && whole < (this.counted + coming) * roomPerEvent))) return false;
    if (whole >= this.cells.length) this.grow(whole);
    this.end = whole + 1;
    return true;
  }

  private grow(whole: number): void {
    let { length } = this.cells;
    while (length <= whole) length *= 2;
    const cells = new Float64Array(length);
    cells.set(this.cells);
    this.cells = cells;
  }

  private takeCounted(count: number): LatencyPercentiles {
    const { cells, end, fraction, nothing } = this, percentiles = percentilesOf(cells, 0, 1, fraction, nothing, count);
    cells.fill(0, 0, end);
    this.nothing = this.end = this.counted = 0;
    return percentiles;
  }

  /** What was counted goes into the sketch. */
  private pour(): void {
    const { sketch, cells, end, fraction } = this;
    if (this.nothing > 0) sketch.accept(0, this.nothing);
    for (let whole = 0; whole < end; whole++) if (cells[whole]! > 0) sketch.accept(whole + fraction, cells[whole]);
    cells.fill(0, 0, end);
    this.nothing = this.end = this.counted = 0;
  }
}

/** Percentiles of the times from each of these instants to one: nothing else is to be in the distribution. */
export function percentilesUpTo(at: number, { cells, high, count }: Instants): LatencyPercentiles {
  return percentilesOf(cells, high & (cells.length - 1), -1, at - high, 0, count);
}

/**
 * Percentiles where events are counted by place: so many took the time of the first place, and so on, each a millisecond more;
 * `nothing` took no time. Its turn comes when the caches hold other things: what counts is how little code it is.
 */
function percentilesOf(cells: Float64Array, first: number, stride: number, ofFirst: number, nothing: number, count: number): LatencyPercentiles {
  const mask = cells.length - 1, found = [0, 0, 0, 0, 0];
  let passed = nothing, place = first, ms = ofFirst - 1;
  for (let i = 0; i < found.length; i++) {
    const rank = i === 0 ? 1 : Math.ceil(shares[i - 1]! * count);
    for (; passed < rank; ms++) {
      passed += cells[place]!;
      place = (place + stride) & mask;
    }
    found[i] = ms > shortest ? ms : 0;
  }
  return { P0: found[0]!, P50: found[1]!, P90: found[2]!, P95: found[3]!, P99: found[4]! };
}

function takeSketched(sketch: DDSketch): LatencyPercentiles {
  const { count, min, max } = sketch;
  const [P50, P90, P95, P99] = atRanks(sketch, shares.map((share) => Math.ceil(share * count)));
  empty(sketch);
  const clamped = (value: number | undefined): number => Math.min(Math.max(value ?? max, min), max);
  return { P0: min, P50: clamped(P50), P90: clamped(P90), P95: clamped(P95), P99: clamped(P99) };
}

/** The values at ranks that rise, in one walk: the package would walk over all bins for each of them. */
function atRanks({ store: { bins, offset }, mapping, zeroCount }: DDSketch, ranks: readonly number[]): number[] {
  const found: number[] = [];
  let passed = zeroCount;
  let bin = -1;
  for (const rank of ranks) {
    while (passed < rank && bin < bins.length - 1) passed += bins[++bin]!;
    found.push(bin < 0 ? 0 : mapping.value(bin + offset));
  }
  return found;
}

/** A new sketch would move its bins again and again, until the latencies of the next batch have shown how far they reach. */
function empty(sketch: DDSketch): void {
  sketch.store.bins.fill(0);
  sketch.store.count = 0;
  Object.assign(sketch, { zeroCount: 0, count: 0, sum: 0, min: Infinity, max: -Infinity });
}
