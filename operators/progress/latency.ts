import { Bins } from './bins.ts';
import { narrow, roomPerEvent, wide } from './instants.ts';
import type { LatencyPercentiles } from './queryProgress.ts';

/** What is shorter counts as nothing. It is a picosecond, and more than where the first bin begins. */
const shortest = 1e-9;

const shares = [0.5, 0.9, 0.95, 0.99] as const;

/**
 * Latencies of one kind.
 *
 * Clocks show whole milliseconds, and what one evaluation took is the same for all its events: latencies with one fraction
 * in common are counted by the millisecond, which is exact, and only others, and very long ones, go into bins. Where there
 * are some, these get the counts at the report.
 */
export class Latency {
  private readonly bins = new Bins();
  /** How many took no time. */
  private nothing = 0;
  /** How many took so many milliseconds and the fraction. */
  private cells: Float64Array = new Float64Array(narrow);
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
    if (this.end === 0) this.fraction = ms - whole;
    if (ms - whole === this.fraction && (whole < this.end || this.reaches(whole))) {
      this.cells[whole]! += count;
      this.counted += count;
    } else this.bins.add(ms, count);
  }

  /** Each took the time since one of these, of a list from here to there. */
  addSince(at: number, instants: Float64Array, start: number, end: number): void {
    for (let i = start; i < end; i++) this.add(at - instants[i]!, 1);
  }

  /** Their percentiles, null where there is nothing; from here on a new distribution begins. */
  take(): LatencyPercentiles | null {
    const count = this.nothing + this.counted + this.bins.count;
    if (count === 0) return null;
    return this.bins.count === 0 ? this.takeCounted(count) : this.takeAll(count);
  }

  private reaches(whole: number): boolean {
    if (!(whole < narrow || (whole < wide && whole < this.counted * roomPerEvent))) return false;
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
    const { cells, end, fraction } = this;
    let passed = this.nothing;
    let whole = -1;
    const atRank = (rank: number): number => {
      while (passed < rank && whole < end - 1) passed += cells[++whole]!;
      return whole < 0 ? 0 : whole + fraction;
    };
    const P0 = atRank(1);
    const [P50, P90, P95, P99] = [atRank(Math.ceil(shares[0] * count)), atRank(Math.ceil(shares[1] * count)), atRank(Math.ceil(shares[2] * count)), atRank(Math.ceil(shares[3] * count))];
    this.clear();
    return { P0, P50, P90, P95, P99 };
  }

  private takeAll(count: number): LatencyPercentiles {
    const { bins, cells, end, fraction, nothing } = this;
    for (let whole = 0; whole < end; whole++) if (cells[whole]! > 0) bins.add(whole + fraction, cells[whole]!);
    const P0 = nothing > 0 ? 0 : bins.min;
    const [P50, P90, P95, P99] = bins.atRanks(shares.map((share) => Math.ceil(share * count)), nothing) as [number, number, number, number];
    bins.clear();
    this.clear();
    return { P0, P50, P90, P95, P99 };
  }

  private clear(): void {
    this.cells.fill(0, 0, this.end);
    this.nothing = this.end = this.counted = 0;
  }
}
