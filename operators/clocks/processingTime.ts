import type { Clock } from './clock.ts';

/**
 * The clock of the machine: what the configured scheduler's `now` says, in epoch milliseconds. The default.
 *
 * @example rollingWindow({ ..., clock: processingTime() })
 */
export function processingTime(): Clock<never> {
  return {
    start({ scheduler }) {
      const reading = (): number => scheduler.now();
      return { eventTime: false, ofScheduler: true, reading, arrival: reading, last: reading, reaches: (at) => at };
    },
  };
}
