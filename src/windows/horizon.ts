import type { LowerEdge } from '../time/lowerEdge.ts';

/** How long one look at the edge serves arrivals. */
const STEP = 60_000;

/**
 * Which events are too old for every window already when they arrive. An edge by the calendar is dear to compute, while
 * nearly every event is younger than the edge will be a minute from now: that one is computed once a minute.
 */
export class Horizon {
  private until = -Infinity;
  private floor = -Infinity;
  private readonly longest: LowerEdge | undefined;

  /** `longest`: the edge that holds whatever another holds; none where there is no bounded window. */
  constructor(longest: LowerEdge | undefined) {
    this.longest = longest;
  }

  /** Whether an event lies before every window of a frontier. */
  isOutside(time: number, frontier: number): boolean {
    const { longest } = this;
    if (longest === undefined) return true;
    if (frontier === -Infinity) return false;
    if (!(frontier <= this.until && frontier > this.until - STEP)) {
      this.until = frontier + STEP;
      this.floor = longest.lower(this.until);
    }
    return time <= this.floor && time <= longest.lower(frontier);
  }

  /** The edge at a frontier, for many questions about one: what is at or before it is outside. */
  lowerAt(frontier: number): number {
    if (this.longest === undefined) return Infinity;
    return frontier === -Infinity ? frontier : this.longest.lower(frontier);
  }
}
