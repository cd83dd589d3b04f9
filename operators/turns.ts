/** Whose turns they are. */
export interface TurnTaker {
  readonly closed: boolean;
  /** Nothing is waiting any more. */
  settled(): void;
  /** A turn has thrown. */
  fail(error: unknown): void;
}

/**
 * One action at a time, in order: what arises inside an action, say an event pushed by whoever receives a row, waits
 * until that one has ended, in a queue and not on the stack.
 */
export class Turns {
  protected readonly taker: TurnTaker;
  private taken = false;
  private waiting: (() => void)[] = [];

  constructor(taker: TurnTaker) {
    this.taker = taker;
  }

  /** Runs an action now, or after the one under way. */
  take<T>(action: (value: T) => void, value: T): void {
    if (this.taker.closed) return;
    if (this.taken) {
      this.waiting.push(() => action(value));
      return;
    }
    this.taken = true;
    try {
      action(value);
      this.settle();
    } catch (error) {
      this.taker.fail(error);
    }
    this.taken = false;
  }

  private settle(): void {
    const { taker } = this;
    do {
      while (this.waiting.length > 0) this.takeWaiting();
      if (!taker.closed) taker.settled(); // may set off a timer that does not wait
    } while (this.waiting.length > 0);
  }

  private takeWaiting(): void {
    const round = this.waiting;
    this.waiting = [];
    for (const action of round) {
      if (this.taker.closed) return;
      action();
    }
  }
}
