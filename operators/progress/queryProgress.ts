import type { SaveFailure } from '../checkpoints/saves.ts';
import type { Ending, Progress } from '../progress.ts';

/** A distribution of latencies, in milliseconds: nearest ranks, each within 1 % of the true one. `P0` is the smallest, exactly. */
export interface LatencyPercentiles {
  readonly P0: number;
  readonly P50: number;
  readonly P90: number;
  readonly P95: number;
  readonly P99: number;
}

/**
 * How long events took, all on the scheduler's clock; null where there was none to measure. What lies before its own
 * beginning, because a sender's clock is ahead, took 0.
 */
export interface RealTimeMetrics {
  /**
   * From the operator reading an event to the end of the evaluation that follows, when rows leave. Where each event is an
   * evaluation and they come faster than one in a millisecond, about one of fifty is timed and stands for those up to the next.
   */
  readonly processingLatencyMs: LatencyPercentiles | null;
  /** From the time in the column `queuedSince`, the event time by default, to the operator reading the event. */
  readonly sourceQueuingLatencyMs: LatencyPercentiles | null;
  /** Both together. */
  readonly e2eLatencyMs: LatencyPercentiles | null;
}

/** The times of the events that came, the late ones included; epoch milliseconds, null where no event had a time. */
export interface EventTimeProgress {
  readonly min: number | null;
  readonly max: number | null;
  readonly avg: number | null;
  /** Null where there is none yet. */
  readonly watermark: number | null;
}

/** The state of the windows. The first five are counted as by Spark; differences are since the report before. */
export interface StateOperatorProgress {
  readonly operatorName: 'rollingWindow';
  /** Keys with state. */
  readonly numRowsTotal: number;
  /** Update rows that left. */
  readonly numRowsUpdated: number;
  /** Keys whose state was dropped. */
  readonly numRowsRemoved: number;
  /** Without the key strings. */
  readonly memoryUsedBytes: number;
  /** Late events. */
  readonly numRowsDroppedByWatermark: number;
  /** Events that wait for the frontier, at this moment. */
  readonly pending: number;
  /** Events that came from beyond `maxFutureSkew`. */
  readonly future: number;
  /** Events without a valid time, key or value. */
  readonly invalid: number;
  /** Events that lay before every window. */
  readonly outside: number;
  /** Keys that limits dropped, which are among the removed ones. */
  readonly evicted: number;
  /** Events refused by `onLimit: 'drop-new'`. */
  readonly limited: number;
}

/** A report in the terms of Spark's `StreamingQueryProgress`. Plain values throughout: fit for `JSON.stringify` and `postMessage`. */
export interface QueryProgress extends Progress {
  readonly name: string | null;
  /**
   * Per second of the clock since the report before, or since the last silence was told; at first, since the subscription.
   * Null where the clock has not moved, or showed nothing before, as with `manual` and for the first report under the
   * event-time clock.
   */
  readonly inputRowsPerSecond: number | null;
  /** Per second spent on evaluations. Null where the clock that measured them saw none of it pass. */
  readonly processedRowsPerSecond: number | null;
  /** `triggerExecution`: milliseconds spent on evaluations, without what subscribers did with the rows; estimated as latencies are, where not each is timed. */
  readonly durationMs: { readonly triggerExecution: number };
  readonly eventTime: EventTimeProgress;
  /** One, in a list as Spark's. */
  readonly stateOperators: readonly [StateOperatorProgress];
  readonly rtmMetrics: RealTimeMetrics;
}

/** What stands in each event. */
export interface Moment {
  readonly name: string | null;
  /** What the scheduler shows, in epoch milliseconds. */
  readonly timestamp: number;
  /** The number of the last evaluation; 0 before the first. */
  readonly batchId: number;
}

/** What happens to one subscription: it starts, makes progress or is idle, and terminates; and a checkpoint may not be saved. */
export type QueryEvent =
  | (Moment & { readonly kind: 'started' })
  | { readonly kind: 'progress'; readonly progress: QueryProgress }
  | (Moment & { readonly kind: 'idle' })
  | (Moment & { readonly kind: 'saveFailed'; readonly checkpointError: SaveFailure })
  | (Moment & { readonly kind: 'terminated' } & Ending);
