import type { SchedulerLike } from 'rxjs';

/** What a clock can see of the operator that it runs in. */
export interface ClockSurroundings {
  readonly scheduler: SchedulerLike;
  /** The column that events are ordered by. */
  readonly orderBy: string;
  /** The reading to go on from: the last one of the engine, minus infinity where it is new. */
  readonly from: number;
  /** The first reading at which the frontier has reached all events, those of before a restart too; minus infinity where there is none. */
  readonly readingForLatest: () => number;
  /** Epoch milliseconds of a time column; NaN where it holds no instant. */
  readonly read: (event: unknown, column: string) => number;
}

/** A clock that runs, for one subscription. Readings are epoch milliseconds; minus infinity: nothing was read yet. */
export interface RunningClock {
  /** Whether the events move it. */
  readonly eventTime: boolean;
  /** Whether it shows what the scheduler shows. */
  readonly ofScheduler?: boolean;
  reading(): number;
  /** The reading at which this event arrives. */
  arrival(event: unknown): number;
  /** The reading of the last evaluation, when the source completes. */
  last(): number;
  /** The scheduler's time at which the clock will show a reading by itself; `undefined` where only events move it. */
  reaches(reading: number): number | undefined;
}

/** What time it is: `processingTime()` or `eventTime()`. `Column` is the column that it reads. */
export interface Clock<Column extends string = string> {
  readonly column?: Column | undefined;
  start(surroundings: ClockSurroundings): RunningClock;
}
