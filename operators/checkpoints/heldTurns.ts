import { RollingWindowError } from '../../src/index.ts';
import { Turns, type TurnTaker } from '../turns.ts';
import type { PastScheduler } from './pastScheduler.ts';

interface HeldTurn {
  readonly at: number;
  readonly take: () => void;
}

/**
 * Turns that wait until a checkpoint is loaded, each with the time at which it came, and are then taken at those times:
 * rows are the same as if the store had answered at once, only later.
 */
export class HeldTurns extends Turns {
  private held: HeldTurn[] | undefined = [];
  private readonly past: PastScheduler;
  private readonly limit: number;
  /** How many of them came from outside. */
  private count = 0;

  constructor(taker: TurnTaker, past: PastScheduler, limit: number) {
    super(taker);
    this.past = past;
    this.limit = limit;
  }

  override take<T>(action: (value: T) => void, value: T): void {
    if (this.held === undefined) super.take(action, value);
    else if (!this.taker.closed) {
      // Turns of the operator's own have no value: the first one, and those of a reporter.
      if (value !== undefined) this.count += 1;
      this.hold(this.held, () => super.take(action, value));
    }
  }

  /** @param first What has to be done before, at the time of the first turn. */
  release(first: () => void): void {
    const { held = [], past } = this;
    this.held = undefined;
    past.moveTo(held[0]?.at ?? past.now());
    try {
      first();
    } catch (error) {
      this.taker.fail(error);
    }
    for (const { at, take } of held) {
      if (this.taker.closed) break;
      past.moveTo(at);
      take();
    }
    past.end();
  }

  private hold(held: HeldTurn[], take: () => void): void {
    if (this.count <= this.limit) held.push({ at: this.past.now(), take });
    else this.taker.fail(tooManyHeld(this.limit));
  }
}

/** Whatever the policy of the limits: an event that was dropped before it is counted would be missing from the position. */
function tooManyHeld(limit: number): RollingWindowError {
  return new RollingWindowError('limit-exceeded', {
    expected: `at most ${String(limit)} events while the checkpoint is loading`,
    given: 'one more',
    remedy: 'Raise limits.maxEvents, or subscribe the source when the checkpoint is there, with rollingWindowFrom(...)',
  });
}
