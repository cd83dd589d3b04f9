import { asyncScheduler, type SchedulerLike } from 'rxjs';

/**
 * An instant of this page's performance timeline in epoch milliseconds.
 *
 * Entries know their times on this line only. `Date.now()` is another clock: it is set by hand and by servers, and goes on
 * while the machine sleeps, which this one does not everywhere; the two were seen days apart after a suspend.
 */
export const epochTime = (instant: number): number => performance.timeOrigin + instant;

/** The clock of the windows: the one that the measurements have their times from. */
export const pageClock: SchedulerLike = {
  now: () => epochTime(performance.now()),
  schedule: asyncScheduler.schedule.bind(asyncScheduler),
};
