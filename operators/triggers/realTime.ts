import type { SchedulerLike } from 'rxjs';
import { durationMs, type Duration } from '../../src/index.ts';
import { requireObject, type Fields } from '../../src/internals.ts';
import { mustHave } from '../mustHave.ts';
import { nextTurnOf } from './nextTurn.ts';
import type { Drive, Rhythm, Trigger } from './trigger.ts';

export interface RealTimeOptions {
  /** Gathers changes until this scheduler's next turn, for instance `animationFrameScheduler`: one evaluation a frame. */
  readonly coalesce?: SchedulerLike | undefined;
  /** How much time one progress report covers, and how long after a change a checkpoint is saved that has no `every` of its own. Default: one evaluation, and 30 seconds. */
  readonly batch?: Duration | undefined;
}

const fields: Fields<RealTimeOptions> = { coalesce: true, batch: true };

/**
 * Rows leave with the event that changed them, and by themselves when an event enters or leaves a window. The default.
 *
 * The operator sleeps until the next such instant, on one timer, and has none where nothing is due. With `coalesce` a
 * turn is asked for only while something is due. While the page is hidden, where frames stand still, a timer takes their
 * place. A worker cannot see that its page is hidden: there take a scheduler that runs on, such as `asyncScheduler`.
 *
 * @throws RollingWindowError `invalid-duration` for a `batch` that is not positive, `invalid-config` for a `coalesce` that
 * is no scheduler and for other options.
 * @example rollingWindow({ ..., trigger: realTime({ coalesce: animationFrameScheduler }) })
 */
export function realTime(options: RealTimeOptions = {}): Trigger {
  requireObject(options, 'an object of options', fields);
  const { coalesce, batch } = options;
  if (coalesce !== undefined) mustHave('coalesce', coalesce, 'schedule');
  return {
    perEvent: coalesce === undefined,
    continuous: true,
    batch: batch === undefined ? undefined : durationMs(batch, { positive: true }),
    start: coalesce === undefined ? eachEvent : (drive) => eachTurn(drive, coalesce),
  };
}

function eachEvent(drive: Drive): Rhythm {
  const clock = drive.startClock();
  return {
    clock,
    arrived(event) {
      const now = clock.arrival(event);
      drive.push(event, now);
      drive.evaluate(now);
    },
    due: () => tellable(drive.nextBoundary()),
    woken: (now) => drive.evaluate(now),
  };
}

function eachTurn(drive: Drive, scheduler: SchedulerLike): Rhythm {
  const clock = drive.startClock();
  const turn = nextTurnOf(scheduler, drive, () => drive.evaluate(clock.reading()));

  return {
    clock,
    arrived(event) {
      drive.push(event, clock.arrival(event));
      turn.ask();
    },
    due: () => (turn.asked ? undefined : tellable(drive.nextBoundary())),
    woken: turn.ask,
    evaluated: turn.cancel,
  };
}

/**
 * `closed: 'both'` makes boundaries one double past a millisecond, and rounding some one double before it. No clock shows
 * those, so the whole millisecond is as early, and a timer that waits for a fraction would find the clock short of it
 * again and again.
 */
export function tellable(boundary: number | undefined): number | undefined {
  if (boundary === undefined) return undefined;
  const nearest = Math.round(boundary);
  return Math.abs(boundary - nearest) < 1e-3 ? Math.ceil(boundary) : boundary;
}
