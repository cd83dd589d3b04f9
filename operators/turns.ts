/** Whose turns they are, and where an error of a turn goes. */
export interface TurnTaker {
  readonly isClosed: () => boolean;
  readonly fail: (error: unknown) => void;
}

/** Runs an action now, or after the one under way. */
export type Turns = <T>(action: (value: T) => void, value: T) => void;

/**
 * One action at a time, in order: what arises inside an action, say an event pushed by whoever receives a row, waits
 * until that one has ended, in a queue and not on the stack.
 *
 * @param settled Called when nothing is waiting any more.
 */
export function turnsOf({ isClosed, fail }: TurnTaker, settled: () => void): Turns {
  let taken = false;
  let waiting: (() => void)[] = [];

  return (action, value) => {
    if (isClosed()) return;
    if (taken) {
      waiting.push(() => action(value));
      return;
    }
    taken = true;
    try {
      action(value);
      do {
        while (waiting.length > 0) takeWaiting();
        if (!isClosed()) settled(); // may set off a timer that does not wait
      } while (waiting.length > 0);
    } catch (error) {
      fail(error);
    }
    taken = false;
  };

  function takeWaiting(): void {
    const round = waiting;
    waiting = [];
    for (const action of round) {
      if (isClosed()) return;
      action();
    }
  }
}
