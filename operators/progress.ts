import type { SchedulerLike } from 'rxjs';
import type { EngineInternals } from '../src/internals.ts';
import type { Engine, EngineStats, Listener } from '../src/index.ts';
import type { SaveFailure } from './checkpoints/saves.ts';
import type { RunningClock } from './clocks/clock.ts';
import type { Notes } from './progress/notes.ts';
import type { QueryProgress } from './progress/queryProgress.ts';
import type { Trigger } from './triggers/trigger.ts';

/** What one evaluation, or those of one `realTime({ batch })`, came to. */
export interface Progress {
  /** The number of the last evaluation: 1 for the first; in snapshots, so it repeats after a crash. */
  readonly batchId: number;
  /** The clock reading of the last evaluation, in epoch milliseconds. */
  readonly timestamp: number;
  readonly frontier: number;
  readonly watermark: number;
  /** Events offered, the late and invalid ones included. */
  readonly numInputRows: number;
  readonly numOutputRows: number;
  /** Keys whose state was dropped. */
  readonly numRemoved: number;
  /** As of this report: plain values, which stay as they are for whoever keeps them. */
  readonly stats: EngineStats;
  /** Only in a report of its own, which a checkpoint that could not be saved gives at once: why, and what comes next. */
  readonly checkpointError?: SaveFailure;
}

/** Why a subscription is over. */
export type Ending = { readonly reason: 'completed' | 'unsubscribed' } | { readonly reason: 'failed'; readonly error: unknown };

/** Adds up what happens in one subscription, and tells a listener. */
export interface Reporter {
  /** Nothing was subscribed yet. */
  started?(): void;
  /** The configured clock runs. A trigger that brings its own does not say so. */
  clockStarted?(clock: RunningClock): void;
  /** What follows arrives, or is evaluated, at another reading than what came before. */
  moved?(now: number): void;
  /** Where events, and their evaluations, are written down of which it need not be told. */
  readonly notes?: Notes;
  /** An event arrived that was not noted, and is pushed next. */
  offered(event: unknown): void;
  evaluating?(now: number): void;
  /** State has moved, and the rows leave next. Gives the report, where it is a detailed one and due. */
  evaluated(now: number, rows: number, last: boolean): QueryProgress | undefined;
  /** Whether a micro-batch that changes nothing is to be reported nevertheless. */
  readonly owing?: boolean;
  /** The stream ends by itself; where nobody says so, it was unsubscribed. */
  ending?(ending: Ending): void;
  closed?(): void;
  /** A checkpoint could not be saved. */
  saveFailed(failure: SaveFailure): void;
}

/** What reports tell of an engine. */
type Reportable = Pick<Engine<never, unknown, unknown>, 'frontier' | 'watermark' | 'removed' | 'stats'>;

/** What a reporter can see of the subscription that it follows. */
export interface Reported {
  readonly engine: Reportable;
  readonly internals: EngineInternals;
  readonly trigger: Trigger;
  readonly scheduler: SchedulerLike;
  /** Acts between the actions of the operator, not inside one. */
  readonly turn: (action: () => void) => void;
}

/** What `progress` may be instead of a listener: it has a reporter for each subscription. `Column` is what that reads. */
export interface ProgressMeter<Column extends string = string> {
  readonly column?: Column | undefined;
  reporterFor(reported: Reported): Reporter;
}

export function isMeter(progress: unknown): progress is ProgressMeter {
  return typeof (progress as Partial<ProgressMeter> | null | undefined)?.reporterFor === 'function';
}

export function reporterOf(progress: Listener<Progress> | ProgressMeter, reported: Reported): Reporter {
  return isMeter(progress) ? progress.reporterFor(reported) : new PlainReporter(progress, reported);
}

/**
 * Reports each evaluation, or each batch of the trigger, which is in milliseconds of the clock. The last evaluation always
 * reports.
 *
 * A class, as the driver is, since each event may be an evaluation: numbers stay in place in fields.
 */
class PlainReporter implements Reporter {
  private readonly listener: Listener<Progress>;
  private readonly engine: Reportable;
  private readonly internals: EngineInternals;
  private readonly batch: number;
  private numInputRows = 0;
  private numOutputRows = 0;
  private numRemoved = 0;
  /** NaN before the first evaluation. */
  private due: number = NaN;
  private timestamp: number = -Infinity;

  constructor(listener: Listener<Progress>, { engine, internals, trigger: { batch = 0 } }: Reported) {
    this.listener = listener;
    this.engine = engine;
    this.internals = internals;
    this.batch = batch;
  }

  offered(): void {
    this.numInputRows += 1;
  }

  evaluated(now: number, rows: number, last: boolean): undefined {
    this.timestamp = now;
    this.numOutputRows += rows;
    this.numRemoved += this.engine.removed.length;
    if (this.batch > 0 && !last && this.isEarly(now)) return;
    this.due = now + this.batch;
    this.listener.next(this.count());
  }

  saveFailed(checkpointError: SaveFailure): void {
    this.listener.next({ ...this.count(), checkpointError });
  }

  private isEarly(now: number): boolean {
    if (Number.isNaN(this.due)) this.due = now + this.batch;
    return now < this.due;
  }

  private count(): Progress {
    const { timestamp, numInputRows, numOutputRows, numRemoved } = this;
    const { frontier, watermark, stats } = this.engine;
    this.numInputRows = this.numOutputRows = this.numRemoved = 0;
    return { batchId: this.internals.batch, timestamp, frontier, watermark, numInputRows, numOutputRows, numRemoved, stats };
  }
}
