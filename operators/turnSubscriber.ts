import { Subscription, type Observer } from 'rxjs';
import type { Turns } from './turns.ts';

/** What happens by turns with what an observable gives. */
export interface TurnActions<T> {
  readonly next: (value: T) => void;
  readonly error: (error: unknown) => void;
  readonly complete: () => void;
}

/**
 * Gives each value of an observable its turn.
 *
 * A subscription that is an observer too is subscribed as it is; any other observer is wrapped, which would cost each event
 * as much again as its turn. And it exists before it is subscribed, so that it can be closed while a synchronous source emits.
 */
export class TurnSubscriber<T> extends Subscription implements Observer<T> {
  private readonly turns: Pick<Turns, 'take'>;
  private readonly actions: TurnActions<T>;
  private stopped = false;

  constructor(turns: Pick<Turns, 'take'>, actions: TurnActions<T>) {
    super();
    this.turns = turns;
    this.actions = actions;
  }

  next(value: T): void {
    if (!this.stopped) this.turns.take(this.actions.next, value);
  }

  error(error: unknown): void {
    if (this.stopped) return;
    this.stopped = true;
    this.actions.error(error);
    this.unsubscribe();
  }

  complete(): void {
    if (this.stopped) return;
    this.stopped = true;
    this.actions.complete();
    this.unsubscribe();
  }

  override unsubscribe(): void {
    this.stopped = true;
    super.unsubscribe();
  }
}
