import type { Observable, Subscriber } from 'rxjs';
import { Turns, type TurnTaker } from './turns.ts';
import { TurnSubscriber } from './turnSubscriber.ts';

/**
 * Lets values leave one at a time, in order. For what moves with each value of a source at once, and only then emits: whoever
 * calls back from inside `next` moves it on, and gets what came of that after what is leaving now.
 */
export class Outlet<T> implements TurnTaker {
  private readonly subscriber: Subscriber<T>;
  private readonly turns = new Turns(this);
  private readonly ending: (() => void) | undefined;

  /** `ending` runs right before the subscriber is told of the end. */
  constructor(subscriber: Subscriber<T>, ending?: () => void) {
    this.subscriber = subscriber;
    this.ending = ending;
  }

  get closed(): boolean {
    return this.subscriber.closed;
  }

  emit(value: T): void {
    this.turns.take((value) => this.subscriber.next(value), value);
  }

  /** Subscribes the source; what `next` throws is an error of the stream, after what was emitted before. */
  listen<In>(source: Observable<In>, next: (value: In) => void): void {
    const attempt = (value: In): void => {
      try {
        next(value);
      } catch (error) {
        listener.unsubscribe(); // nothing moves behind an error, also where that has to wait for its turn
        this.turns.take(() => this.fail(error), undefined);
      }
    };
    const listener = new TurnSubscriber<In>({ take: (action, value) => action(value) }, {
      next: attempt,
      error: (error) => this.fail(error),
      complete: () => this.turns.take(() => this.complete(), undefined),
    });
    this.subscriber.add(listener);
    if (this.closed) return;
    listener.add(source.subscribe(listener)); // another one where it was wrapped nevertheless
  }

  settled(): void {
    // Nothing waits for the end of a turn here.
  }

  fail(error: unknown): void {
    this.ending?.();
    this.subscriber.error(error);
  }

  private complete(): void {
    this.ending?.();
    this.subscriber.complete();
  }
}
