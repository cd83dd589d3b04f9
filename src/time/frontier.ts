import { RollingWindowError, shown } from '../errors.ts';
import { firstReaching } from './lowerEdge.ts';

/** The operator's now: it follows the clock with a delay and never goes back, even where the clock does. */
export class Frontier {
  value: number = -Infinity;
  /** The last clock reading, of an arrival or of an evaluation. */
  reading: number = -Infinity;
  regressions = 0;
  readonly delay: number;

  constructor(delay: number) {
    this.delay = delay;
  }

  /** Takes note of a clock reading without moving the frontier. */
  read(now: number): void {
    if (now < this.reading) this.regressions++;
    this.reading = now;
  }

  advance(now: number): void {
    this.read(now);
    this.value = this.at(now);
  }

  /** Where an evaluation at this reading would put the frontier. */
  at(now: number): number {
    return Math.max(this.value, now - this.delay);
  }

  /** The first clock reading at which the frontier is at least `frontier`. */
  readingFor(frontier: number): number {
    return firstReaching(frontier, this.delay);
  }
}

/** Refuses what no clock can read. Minus infinity is a clock that was not read yet. */
export function checkReading(now: number): void {
  if (!(typeof (now as unknown) === 'number' && now < Infinity)) {
    throw new RollingWindowError('invalid-clock', {
      expected: 'a clock reading in epoch milliseconds',
      given: shown(now),
      remedy: 'Pass the reading of one and the same clock with every push and advance',
    });
  }
}
