/** A clock that a test moves. */
export interface ManualClock {
  /** The reading, in epoch milliseconds. */
  now(): number;
  /** Sets the reading, also backwards, as when a wall clock is set. */
  moveTo(ms: number): void;
  advanceBy(ms: number): void;
}

/**
 * A clock that stands still until it is moved: readings for `push` and `advance` in a test.
 *
 * @param start The first reading, in epoch milliseconds. Default 0.
 * @example
 * const clock = manualClock(1000);
 * clock.advanceBy(50);
 * engine.advance(clock.now()); // at 1050
 */
export function manualClock(start = 0): ManualClock {
  let reading = start;
  return {
    now: () => reading,
    moveTo(ms) {
      reading = ms;
    },
    advanceBy(ms) {
      reading += ms;
    },
  };
}
