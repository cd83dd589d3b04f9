/** Between two evaluations that are timed are at least so many others, where they come fast; and at most 15 more. */
const fewest = 12;

/**
 * How long evaluations take.
 *
 * Two looks at a clock cost as much as a tenth of an event. Where each event is an evaluation and they come faster than one
 * in a millisecond, one of twenty is timed, and stands for those up to the next. Which ones goes by their number, and by no
 * rhythm: an evaluation that is chosen since a millisecond has begun is not one across which it ends.
 */
export class Timing {
  /** Milliseconds of the last evaluation of an event that was timed. */
  took = 0;
  /** How many evaluations come before the next one that is timed. */
  skip = 0;
  /** Whether an evaluation is under way that is timed. */
  isRunning = false;
  /** What the stopwatch showed when it began. */
  private begun = 0;
  private endedAt: number = NaN;
  private stride = 1;
  private draw = 0;
  /** What `skip` was when the others were counted last. */
  private counted = 0;

  begin(stopwatch: number): void {
    this.begun = stopwatch;
    this.isRunning = true;
  }

  /** Milliseconds since the beginning. A stopwatch that goes back saw nothing of it. */
  stop(stopwatch: number): number {
    this.isRunning = false;
    return Math.max(0, stopwatch - this.begun);
  }

  /** Milliseconds of the evaluations that were not timed, of those since the last time. */
  takeOthers(): number {
    const others = this.counted - this.skip;
    this.counted = this.skip;
    return others * this.took;
  }

  /** The evaluation of an event took so long, that began at this time of the scheduler. */
  learn(took: number, at: number): void {
    this.took = took;
    this.skip = this.counted = this.areFast(at) ? this.drawn() : 0;
    this.stride = this.skip + 1;
  }

  /** The next one is timed. Those before it are counted. */
  timeNext(): void {
    this.skip = this.counted = 0;
  }

  private areFast(at: number): boolean {
    const passed = at - this.endedAt;
    this.endedAt = at;
    return passed >= 0 && passed < this.stride;
  }

  private drawn(): number {
    this.draw = (this.draw * 37 + 11) & 63;
    return fewest + (this.draw >> 2);
  }
}
