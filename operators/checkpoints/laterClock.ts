import type { Clock, ClockSurroundings, RunningClock } from '../clocks/clock.ts';

/** A clock of which it is not known yet where it goes on: the checkpoint that says so is still being loaded. */
export class LaterClock implements Clock {
  readonly column: string | undefined;
  private readonly clock: Clock;
  private surroundings: ClockSurroundings | undefined = undefined;
  private running: RunningClock | undefined = undefined;

  constructor(clock: Clock) {
    this.clock = clock;
    this.column = clock.column;
  }

  start(surroundings: ClockSurroundings): RunningClock {
    this.surroundings = surroundings;
    const { eventTime } = (this.running = this.clock.start(surroundings));
    return {
      eventTime,
      reading: () => this.running!.reading(),
      arrival: (event) => this.running!.arrival(event),
      last: () => this.running!.last(),
      reaches: (reading) => this.running!.reaches(reading),
    };
  }

  /** Starts anew from a reading; gives what it shows, and undefined where the trigger has brought a clock of its own. */
  goOn(from: number): number | undefined {
    if (this.surroundings === undefined) return undefined;
    this.running = this.clock.start({ ...this.surroundings, from });
    return this.running.reading();
  }
}
