import type { SchedulerLike, Subscription } from 'rxjs';

/** The longest that browsers and Node wait: a longer timeout overflows and fires at once. */
const longest = 2 ** 31 - 1;

/** The last instant that a `Date` holds: no clock shows a later one, and waiting for it in virtual time would not end. */
const lastInstant = 8.64e15;

/** The one timer of an operator. */
export interface Alarm {
  /**
   * Rings at this time of the scheduler or earlier; `undefined`: not at all.
   *
   * @param shown What the scheduler was last seen to show, where that spares asking it.
   */
  set(at: number | undefined, shown?: number): void;
}

/**
 * Rings too early rather than too late: real timers truncate, long waits are split, and an alarm that is put off stays
 * where it is, since moving a timer with every event costs more than one idle ring. Whoever is rung checks the clock,
 * and sets the alarm again.
 */
export function alarmOn(scheduler: SchedulerLike, ring: () => void): Alarm {
  let timer: Subscription | undefined;
  let aim = 0;
  let wait = 0;
  let rangFor: number | undefined;
  let rings = 0;

  /** Where the clock was set ahead, a timer may still wait for what has long been due. One without a wait is only late. */
  const suits = (at: number, shown?: number): boolean => wait === 0 || (aim <= at && (shown ?? scheduler.now()) <= aim);

  const start = (at: number): void => {
    const now = scheduler.now();
    // It rang for this, and that was too early, by less than a timer can tell apart: the rest alone would spin.
    const least = at === rangFor ? 1 : 0;
    wait = Math.min(Math.max(at - now, least), longest);
    aim = now + wait;
    const before = rings;
    const started = scheduler.schedule(() => {
      rings += 1;
      rangFor = at;
      timer = undefined;
      ring();
    }, wait);
    if (rings === before) timer = started; // a scheduler need not wait
  };

  return {
    set(at, shown) {
      if (timer && at !== undefined && suits(at, shown)) return;
      timer?.unsubscribe();
      timer = undefined;
      if (at !== undefined && at <= lastInstant) start(at);
    },
  };
}
