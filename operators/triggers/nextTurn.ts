import type { SchedulerLike, Subscription } from 'rxjs';
import { isHidden, thisPage } from '../page.ts';
import type { Drive } from './trigger.ts';

/** As long as a frame at 60 a second. A browser stretches the timers of a hidden page as it sees fit. */
const HIDDEN_TURN = 16;

/** A scheduler's next turn, for one subscription. */
export interface NextTurn {
  /** Whether it was asked for and has not come. */
  readonly asked: boolean;
  readonly ask: () => void;
  /** What it was asked for is done. */
  readonly cancel: () => void;
}

/**
 * Asks for the next turn of a scheduler, one at a time.
 *
 * While the page is hidden no frame comes, and what waits for one would wait until somebody looks: then a timer is set
 * besides, and whichever comes first is the turn. Besides, since schedulers that need no page go on as they did. A page
 * that is looked at again does without the timer.
 */
export function nextTurnOf(scheduler: SchedulerLike, drive: Pick<Drive, 'scheduler' | 'turn' | 'onClose'>, act: () => void): NextTurn {
  const page = thisPage();
  let asked = false;
  let closed = false;
  let turn: Subscription | undefined;
  let timer: Subscription | undefined;

  const come = (): void => {
    cancel();
    drive.turn(act);
  };
  const cancel = (): void => {
    asked = false;
    turn?.unsubscribe();
    timer?.unsubscribe();
    turn = timer = undefined;
  };
  const ask = (): void => {
    if (asked || closed) return; // whoever was told of an event may have unsubscribed
    asked = true;
    turn = scheduler.schedule(come); // which need not wait
    watch();
  };
  const watch = (): void => {
    timer?.unsubscribe();
    timer = asked && isHidden(page) ? drive.scheduler.schedule(come, HIDDEN_TURN) : undefined;
  };

  page?.addEventListener('visibilitychange', watch);
  drive.onClose(() => {
    closed = true;
    page?.removeEventListener('visibilitychange', watch);
    cancel();
  });
  return {
    get asked() {
      return asked;
    },
    ask,
    cancel,
  };
}
