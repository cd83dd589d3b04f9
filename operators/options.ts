import type { Observable, SchedulerLike } from 'rxjs';
import type { Listener } from '../src/index.ts';
import type { CheckpointOptions } from './checkpoints/checkpointOptions.ts';
import type { Clock } from './clocks/clock.ts';
import type { Progress, ProgressMeter } from './progress.ts';
import type { Trigger } from './triggers/trigger.ts';

/** What the operator adds to the engine's configuration. `Column` is what the clock may read. */
export interface OperatorOptions<Column extends string = string> {
  /** When to evaluate. Default `realTime()`. */
  readonly trigger?: Trigger | undefined;
  /** What time it is. Default `processingTime()`; `manual` brings its own. */
  readonly clock?: Clock<Column> | undefined;
  /** The only source of processing time and timers. Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
  /**
   * Gets a report after each evaluation, the idle ones included, before its rows leave. Silence without an evaluation
   * reports nothing. Or `detailedProgress(...)` of the progress entry, which reports rates and latencies.
   */
  readonly progress?: Listener<Progress> | ProgressMeter<Column> | undefined;
  /**
   * Loads the state from a store before the first event is counted, and saves it there as it changes. A source that is
   * subscribed for each state's position takes `rollingWindowFrom`.
   */
  readonly checkpoint?: CheckpointOptions | undefined;
  /** Each value is one evaluation now. Its error is the operator's, its completion is nothing. */
  readonly flush$?: Observable<unknown> | undefined;
}
