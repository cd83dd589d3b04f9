import type { Observable } from 'rxjs';
import type { RunningClock } from '../clocks/clock.ts';
import { mustHave } from '../mustHave.ts';
import type { Trigger } from './trigger.ts';

/**
 * Each value of a notifier, in epoch milliseconds, is one evaluation at that reading. It replaces the clock.
 *
 * Events between two values arrive at the last one; before the first value no clock was read yet, so nothing is ahead
 * of it. When the notifier completes the ticks end, not the stream; its error is the operator's. A value that is no
 * instant is the error `invalid-clock`.
 *
 * @example rollingWindow({ ..., trigger: manual(interval(1000).pipe(map(() => Date.now()))) })
 */
export function manual(clock$: Observable<number>): Trigger {
  mustHave('clock$', clock$, 'subscribe');
  return {
    start(drive) {
      let shown = -Infinity;
      const reading = (): number => shown;
      const clock: RunningClock = { eventTime: false, reading, arrival: reading, last: reading, reaches: () => undefined };
      drive.listen(clock$, (value) => {
        shown = value;
        drive.evaluate(value);
      });
      return { clock, arrived: (event) => drive.push(event, shown) };
    },
  };
}
