import { asyncScheduler, Subscription, type SchedulerAction, type SchedulerLike } from 'rxjs';
import { RollingWindowError, shown } from '../../src/index.ts';
import { requireObject, type Fields } from '../../src/internals.ts';
import { mustHave } from '../mustHave.ts';

export interface FastForwardOptions {
  /** What the clock shows at first use, in epoch milliseconds. */
  readonly from: number;
  /** Stream milliseconds per millisecond of the scheduler behind it. */
  readonly speed: number;
  /** What really waits. Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
}

const fields: Fields<FastForwardOptions> = { from: true, speed: true, scheduler: true };

/**
 * A scheduler whose time starts at `from` and passes `speed` times as fast: replays a recorded stream.
 *
 * It starts when it is first asked. Delays shrink with the speed, so timers are as exact as those of the scheduler
 * behind it, times the speed.
 *
 * @throws RollingWindowError `invalid-config` for a `from` that is no number, a speed that is not positive, a `scheduler` that
 * is none, and other options.
 * @example rollingWindow({ ..., scheduler: fastForward({ from: Date.UTC(2001, 0, 1), speed: 3600 }) })
 */
export function fastForward(options: FastForwardOptions): SchedulerLike {
  requireObject(options, 'an object with from and speed', fields);
  const { from, speed, scheduler = asyncScheduler } = options;
  mustHave('scheduler', scheduler, 'now', 'schedule');
  if (!Number.isFinite(from)) throw new RollingWindowError('invalid-config', { expected: '`from` in epoch milliseconds', given: shown(from) });
  if (!(speed > 0 && speed < Infinity)) throw new RollingWindowError('invalid-config', { expected: 'a positive `speed`', given: shown(speed) });

  let start: number | undefined;
  const elapsed = (): number => {
    const now = scheduler.now();
    return now - (start ??= now);
  };
  return {
    now: () => from + elapsed() * speed,
    schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
      elapsed();
      return scheduler.schedule<T>(
        function (now) {
          work.call(shrunk(this, speed), now);
        },
        delay / speed,
        state,
      );
    },
  };
}

/** The action as its work sees it: scheduling itself again, it waits in the faster time too. */
function shrunk<T>(action: SchedulerAction<T>, speed: number): SchedulerAction<T> {
  const schedule = (state?: T, delay = 0): Subscription => action.schedule(state, delay / speed);
  return Object.assign(new Subscription(() => action.unsubscribe()), { schedule });
}
