/** From one evaluation that is timed to the next are at least so many, where they come fast; and at most 15 more. */
const fewest = 40;

/**
 * How long evaluations take.
 *
 * Two looks at a clock cost as much as a tenth of an event. Where each event is an evaluation and they come faster than one
 * in a millisecond, one of fifty is timed, and stands for those up to the next. Which ones goes by their number, and by no
 * rhythm: an evaluation that is chosen since a millisecond has begun is not one across which it ends.
 */
export class Timing {
  /** Milliseconds of the last evaluation of an event that was timed. */
  took = 0;
  /** The number of the evaluation that is timed next. */
  next = 0;
  /** Whether an evaluation is under way that is timed. */
  isRunning = false;
  /** What the stopwatch showed when it began. */
  private begun = 0;
  private endedAt: number = NaN;
  private stride = 1;
  private draw = 0;
  /** Milliseconds from one to the next below which they come fast. */
  private readonly gap: number;

  constructor(gap: number) {
    this.gap = gap;
  }

  begin(stopwatch: number): void {
    this.begun = stopwatch;
    this.isRunning = true;
  }

  /** Milliseconds since the beginning. A stopwatch that goes back saw nothing of it. */
  stop(stopwatch: number): number {
    this.isRunning = false;
    return Math.max(0, stopwatch - this.begun);
  }

  /** The evaluation of this number took so long, that began at this time of the scheduler. */
  learn(took: number, at: number, number: number): void {
    this.took = took;
    this.stride = this.areFast(at) ? this.drawn() : 1;
    this.next = number + this.stride;
  }

  /** Whatever comes next is timed. */
  timeNext(): void {
    this.next = 0;
  }

  private areFast(at: number): boolean {
    const passed = at - this.endedAt;
    this.endedAt = at;
    return passed >= 0 && passed < this.stride * this.gap;
  }

  private drawn(): number {
    this.draw = (this.draw * 37 + 11) & 63;
    return fewest + (this.draw >> 2);
  }
}
