import { durationMs, type Duration } from '../../src/index.ts';
import { columnName, requireObject, type Fields } from '../../src/internals.ts';
import type { Clock, ClockSurroundings, RunningClock } from './clock.ts';

export interface EventTimeOptions<Column extends string> {
  /** The column that moves the clock, for instance the broker's arrival time. Default: `orderBy`. */
  readonly column?: Column | undefined;
  /** After this much silence, on the scheduler, the clock runs on at the scheduler's pace. Default: it stands still. */
  readonly idleAfter?: Duration | undefined;
}

const fields: Fields<EventTimeOptions<string>> = { column: true, idleAfter: true };

/**
 * A clock that the events move: it shows the largest time seen in a column, so that a recorded stream gives the same
 * rows at any speed.
 *
 * A value that is no time leaves it where it is. When the source completes, the frontier moves to the largest event time.
 *
 * @throws RollingWindowError `invalid-duration` for an `idleAfter` that is not positive, `invalid-config` for a `column` that
 * is no name and for other options.
 * @example rollingWindow({ ..., clock: eventTime({ column: 'receivedAt', idleAfter: '30 seconds' }) })
 */
export function eventTime(options?: { readonly column?: undefined; readonly idleAfter?: Duration | undefined }): Clock<never>;
// Not one signature: without a column there is nothing to infer, or it would come from a configuration whose events are not known yet.
export function eventTime<const Column extends string>(options?: EventTimeOptions<Column>): Clock<Column>;
export function eventTime<Column extends string>(options: EventTimeOptions<Column> = {}): Clock<Column> {
  requireObject(options, 'an object of options', fields);
  const { column, idleAfter } = options;
  if (column !== undefined) columnName(column, 'eventTime');
  const silence = idleAfter === undefined ? Infinity : durationMs(idleAfter, { positive: true });
  return { column, start: (surroundings) => startEventTime(surroundings, column ?? surroundings.orderBy, silence) };
}

function startEventTime({ scheduler, from, readingForLatest, read }: ClockSurroundings, column: string, silence: number): RunningClock {
  let seen = from;
  let silentFrom = scheduler.now() + silence;

  const reading = (): number => (silence < Infinity ? seen + Math.max(0, scheduler.now() - silentFrom) : seen);

  return {
    eventTime: true,
    reading,
    arrival(event) {
      const time = instant(read(event, column));
      // What ran on in silence is not taken back by an event that is older.
      seen = Math.max(reading(), time);
      if (silence < Infinity) silentFrom = scheduler.now() + silence;
      return seen;
    },
    last: () => Math.max(reading(), readingForLatest()),
    reaches(at) {
      const due = silentFrom + (at - seen);
      return due < Infinity ? due : undefined; // nothing seen yet, or silence does not move it
    },
  };
}

const instant = (time: number): number => (Number.isFinite(time) ? time : -Infinity);
