import { VirtualAction, VirtualTimeScheduler } from 'rxjs';

/** A scheduler for operators that look at the clock: time stands still but in `moveTo`. */
export function virtualTime() {
  const scheduler = new VirtualTimeScheduler(VirtualAction, 0);
  return {
    scheduler,
    moveTo(ms) {
      scheduler.maxFrames = ms;
      scheduler.flush();
    },
  };
}

/** Overlapping windows of RxJS open at ticks, so they are whole ticks long. */
export function wholeTicks({ window, tick }) {
  return Math.round(window / tick) * tick;
}

/** Why overlapping windows can't answer, if they can't. */
export function refusal({ lookbacks, window, tick }) {
  if (lookbacks.length > 1) return 'one window length only';
  return window < tick ? 'for a window shorter than the tick, one would have to open between ticks' : undefined;
}
