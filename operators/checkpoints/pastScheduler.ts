import { Subscription, type SchedulerAction, type SchedulerLike } from 'rxjs';

/**
 * A scheduler that can live through what has passed, at the times at which it was: what happened while a checkpoint was
 * loading is made up for as though it had been there at once. Before and after that it is the scheduler behind it.
 */
export class PastScheduler implements SchedulerLike {
  private readonly present: SchedulerLike;
  /** The time that it lives through; undefined: the present. */
  private time: number | undefined = undefined;
  private readonly waiting = new Set<PastAction<unknown>>();

  constructor(present: SchedulerLike) {
    this.present = present;
  }

  now(): number {
    return this.time ?? this.present.now();
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    if (this.time === undefined) return this.present.schedule(work, delay, state);
    const action = new PastAction<T>((again, later) => this.put(again as PastAction<unknown>, later), work);
    return action.schedule(state, delay);
  }

  /** Goes to a time, and fires on the way what is due. A time before the last one: the clock was set back. */
  moveTo(time: number): void {
    this.time ??= time;
    for (let next = this.earliest(time); next; next = this.earliest(time)) {
      this.time = Math.max(this.time, next.due);
      this.waiting.delete(next);
      next.fire();
    }
    this.time = time;
  }

  /** Goes on to the present: whatever still waits does so there. */
  end(): void {
    this.moveTo(this.present.now());
    this.time = undefined;
    for (const action of this.waiting) this.put(action, action.due - this.now());
    this.waiting.clear();
  }

  private earliest(until: number): PastAction<unknown> | undefined {
    let earliest: PastAction<unknown> | undefined;
    for (const action of this.waiting) if (action.due <= until && (!earliest || action.due < earliest.due)) earliest = action;
    return earliest;
  }

  private put(action: PastAction<unknown>, delay: number): void {
    if (this.time === undefined) {
      action.add(this.present.schedule(() => action.fire(), delay));
      return;
    }
    action.due = this.time + delay;
    this.waiting.add(action);
    action.add(() => this.waiting.delete(action));
  }
}

class PastAction<T> extends Subscription implements SchedulerAction<T> {
  due = 0;
  private state: T | undefined = undefined;
  private readonly put: (action: PastAction<T>, delay: number) => void;
  private readonly work: (this: SchedulerAction<T>, state?: T) => void;

  constructor(put: (action: PastAction<T>, delay: number) => void, work: (this: SchedulerAction<T>, state?: T) => void) {
    super();
    this.put = put;
    this.work = work;
  }

  schedule(state?: T, delay = 0): Subscription {
    this.state = state;
    if (!this.closed) this.put(this, delay);
    return this;
  }

  fire(): void {
    this.work.call(this, this.state);
  }
}
