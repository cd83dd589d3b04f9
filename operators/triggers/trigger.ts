import type { Observable, SchedulerLike } from 'rxjs';
import type { RunningClock } from '../clocks/clock.ts';

/** The operator as its trigger sees it, for one subscription. Readings are those of the clock, in epoch milliseconds. */
export interface Drive {
  /** Starts the configured clock. A trigger that brings its own does not. */
  startClock(): RunningClock;
  push(event: unknown, now: number): void;
  /** One evaluation, and its rows. Before the first reading there is none. */
  evaluate(now: number): void;
  /** The reading of the last arrival or evaluation; before the first one, that of the start. */
  readonly shown: number;
  /** The reading at which a row can change without new events. */
  nextBoundary(): number | undefined;
  /** Whether an evaluation at any later reading has work: a watermark to move, rows of every key to give, or events to report. */
  readonly owing: boolean;
  /** Where timers come from. */
  readonly scheduler: SchedulerLike;
  /** Acts on each value; an error is the operator's, completion is nothing. */
  listen<T>(notifier$: Observable<T>, action: (value: T) => void): void;
  /** Acts after the action under way, not inside it. */
  turn(action: () => void): void;
  onClose(teardown: () => void): void;
}

/** A trigger at work. */
export interface Rhythm {
  readonly clock: RunningClock;
  /** An event came: pushes it, and evaluates where it is time. */
  readonly arrived: (event: unknown) => void;
  /** The reading at which to wake; `undefined` where nothing is due. */
  readonly due?: () => number | undefined;
  /** The clock shows what was due, or more. */
  readonly woken?: (now: number) => void;
  /** An evaluation begins, whatever asked for it. */
  readonly evaluated?: () => void;
}

/** When the operator evaluates: `realTime()`, `microBatch(duration)` or `manual(clock$)`. */
export interface Trigger {
  /** Each event is an evaluation of its own, so that rows of all keys at each one make no sense. */
  readonly perEvent?: boolean | undefined;
  /** It evaluates whenever something happens, and has no batches by itself. */
  readonly continuous?: boolean | undefined;
  /** How many milliseconds of the clock one progress report covers. Absent: one evaluation. */
  readonly batch?: number | undefined;
  start(drive: Drive): Rhythm;
}
