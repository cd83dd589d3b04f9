import { VirtualAction, VirtualTimeScheduler, type SchedulerAction, type SchedulerLike, type Subscription } from 'rxjs';
import type { ManualClock } from '../../src/testing/index.ts';

/** A scheduler whose time a test moves. */
export interface ManualScheduler extends SchedulerLike, ManualClock {
  /** How many timers wait. */
  readonly timers: number;
}

/**
 * A scheduler for tests without marbles: its timers fire in order, each at its own time, while `moveTo` and `advanceBy`
 * move the clock over them. Moving back fires nothing, as when a wall clock is set.
 *
 * @param start The first reading, in epoch milliseconds. Default 0.
 * @example
 * const scheduler = manualScheduler();
 * events$.pipe(rollingWindow({ ..., scheduler })).subscribe(show);
 * scheduler.advanceBy(1000);
 */
export function manualScheduler(start = 0): ManualScheduler {
  const virtual = new VirtualTimeScheduler(VirtualAction, start);
  virtual.frame = start;

  const moveTo = (ms: number): void => {
    virtual.maxFrames = ms;
    virtual.flush();
    virtual.frame = ms;
  };
  return {
    now: () => virtual.now(),
    schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T): Subscription => virtual.schedule(work, delay, state),
    moveTo,
    advanceBy: (ms) => moveTo(virtual.frame + ms),
    get timers() {
      return virtual.actions.length;
    },
  };
}
