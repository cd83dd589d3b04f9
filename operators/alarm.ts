import type { SchedulerLike, Subscription } from 'rxjs';

/** The longest that browsers and Node wait: a longer timeout overflows and fires at once. */
const longest = 2 ** 31 - 1;

/** The one timer of an operator. */
export interface Alarm {
  /** Rings at this time of the scheduler or earlier; `undefined`: not at all. */
  set(at: number | undefined): void;
}

/**
 * Rings too early rather than too late: real timers truncate, long waits are split, and an alarm that is put off stays
 * where it is, since moving a timer with every event costs more than one idle ring. Whoever is rung checks the clock,
 * and sets the alarm again.
 */
export function alarmOn(scheduler: SchedulerLike, ring: () => void): Alarm {
  let timer: Subscription | undefined;
  let aim = 0;
  let wanted: number | undefined;

  return {
    set(at) {
      if (timer && at !== undefined && aim <= at) return;
      timer?.unsubscribe();
      timer = undefined;
      if (at !== undefined) {
        const now = scheduler.now();
        // It rang for this, and that was too early, by less than a timer can tell apart: the rest alone would spin.
        const least = at === wanted ? 1 : 0;
        const wait = Math.min(Math.max(at - now, least), longest);
        aim = now + wait;
        timer = scheduler.schedule(() => {
          timer = undefined;
          ring();
        }, wait);
      }
      wanted = at;
    },
  };
}
