import { Subscription, type SchedulerAction, type SchedulerLike } from 'rxjs';

interface Timer {
  readonly due: number;
  readonly fire: () => void;
}

/**
 * A scheduler as in a hidden tab or a laptop that slept: the clock shows what it is set to, and timers fire only when
 * the machine wakes, however long they have been due.
 */
export class SleepyScheduler implements SchedulerLike {
  /** The delays that were asked for. */
  readonly asked: number[] = [];
  private readonly timers = new Set<Timer>();
  private time: number;

  constructor(time: number) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    const action: SchedulerAction<T> = Object.assign(new Subscription(), {
      schedule: (again?: T, later = 0): Subscription => {
        this.asked.push(later);
        const timer: Timer = { due: this.time + later, fire: () => work.call(action, again) };
        this.timers.add(timer);
        action.add(() => this.timers.delete(timer));
        return action;
      },
    });
    return action.schedule(state, delay);
  }

  /** How many timers wait. */
  get pending(): number {
    return this.timers.size;
  }

  /** The clock goes on, and nobody wakes. */
  sleepUntil(time: number): void {
    this.time = time;
  }

  /** The clock goes on, and each timer that is due by now fires, once. */
  wakeAt(time: number): void {
    this.time = time;
    for (const timer of [...this.timers].filter(({ due }) => due <= time)) {
      if (this.timers.delete(timer)) timer.fire();
    }
  }
}
