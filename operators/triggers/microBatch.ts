import { durationMs, type CheckedDuration, type Duration } from '../../src/index.ts';
import type { Drive, Rhythm, Trigger } from './trigger.ts';

/**
 * Events gather, and each interval is one evaluation: a key gives at most one row per interval.
 *
 * In processing time the ticks fall on subscription + k times the interval, and are left out while nothing can change;
 * after a gap there is one, not many. In event time they fall on the multiples of the interval since 1970: the first
 * event at or past the next one closes the batch before it, and belongs to the next batch.
 *
 * @throws RollingWindowError `invalid-duration` for an interval that is not positive.
 * @example rollingWindow({ ..., trigger: microBatch('1 second') })
 */
export function microBatch<const Length>(interval: CheckedDuration<Length>): Trigger {
  const length = durationMs(interval as Duration, { positive: true });
  return { start: (drive) => startMicroBatch(drive, length) };
}

function startMicroBatch(drive: Drive, length: number): Rhythm {
  const clock = drive.startClock();
  const origin = clock.eventTime ? 0 : clock.reading();

  /** Which tick is the last at or before a reading: the quotient is rounded and may fall one short. */
  const index = (reading: number): number => {
    const count = Math.floor((reading - origin) / length);
    return origin + (count + 1) * length <= reading ? count + 1 : count;
  };
  const tickBefore = (reading: number): number => origin + index(reading) * length;
  const tickAfter = (reading: number): number => origin + (index(reading) + 1) * length;
  const tickFrom = (reading: number): number => (tickBefore(reading) === reading ? reading : tickAfter(reading));

  /** The first tick from `next` on at which something can have changed. */
  const firstTick = (next: number): number => {
    if (drive.owing) return next;
    const boundary = drive.nextBoundary();
    return boundary === undefined ? Infinity : Math.max(next, tickFrom(boundary));
  };

  /** Of the events' own clock: the first of them at or past a tick evaluates what came before it. */
  const closeBatch = (before: number, now: number): void => {
    const tick = tickBefore(now);
    if (before > -Infinity && tick > before) drive.evaluate(tick);
  };

  // Kept until it is evaluated: an event that comes while the timer of a tick is late must not put that tick off.
  let planned = Infinity;

  return {
    clock,
    arrived(event) {
      const before = drive.shown;
      const now = clock.arrival(event);
      if (clock.eventTime) closeBatch(before, now);
      drive.push(event, now);
    },
    due() {
      const next = tickAfter(drive.shown);
      if (drive.shown > -Infinity && planned > next) planned = firstTick(next);
      return planned < Infinity ? planned : undefined;
    },
    woken: (now) => drive.evaluate(clock.eventTime ? tickBefore(now) : now),
    evaluated: () => (planned = Infinity),
  };
}
