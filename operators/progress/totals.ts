import type { EngineStats } from '../../src/index.ts';
import type { Reported } from '../progress.ts';
import type { Notes } from './notes.ts';
import type { QueryProgress } from './queryProgress.ts';
import type { Reads } from './reads.ts';
import { perSecond, stateBetween } from './reports.ts';

/** What happened since the last report, as far as it is counted. */
export class Totals {
  numInputRows = 0;
  /** The reading since which rows are counted; minus infinity where the clock showed none. */
  since: number = -Infinity;
  private numOutputRows = 0;
  private numRemoved = 0;
  private busy = 0;
  private readonly engine: Reported['engine'];
  private before: EngineStats | undefined = undefined;
  private readonly name: string | null;
  private readonly reported: Reported;

  constructor(name: string | null, reported: Reported) {
    this.name = name;
    this.reported = reported;
    this.engine = reported.engine;
  }

  /** Something is about to happen to the engine. */
  begin(): void {
    this.before ??= this.engine.stats;
  }

  /** An evaluation gave so many rows. */
  addRows(rows: number): void {
    this.numOutputRows += rows;
    this.numRemoved += this.engine.removed.length;
  }

  /** Evaluations of which nobody looked at each gave rows, and left keys without anything. */
  addNoted(notes: Notes): void {
    this.numOutputRows += notes.rows;
    this.numRemoved += notes.removed;
    notes.rows = notes.removed = 0;
  }

  /** Evaluations took so many milliseconds. */
  addTime(ms: number): void {
    this.busy += ms;
  }

  get isEmpty(): boolean {
    return this.numInputRows + this.numOutputRows + this.numRemoved === 0;
  }

  /** The report; from here on everything begins anew. */
  take(timestamp: number, reads: Reads): QueryProgress {
    const { numInputRows, numOutputRows, numRemoved, busy, since } = this;
    const { frontier, watermark, stats } = this.engine, { eventTime, rtmMetrics } = reads.take(watermark);
    const report: QueryProgress = {
      name: this.name,
      batchId: this.reported.internals.batch,
      timestamp,
      frontier,
      watermark,
      numInputRows,
      numOutputRows,
      numRemoved,
      inputRowsPerSecond: perSecond(numInputRows, timestamp - since),
      processedRowsPerSecond: perSecond(numInputRows, busy),
      durationMs: { triggerExecution: busy },
      eventTime,
      rtmMetrics,
      stateOperators: [stateBetween(this.before ?? stats, stats, numRemoved)],
      stats,
    };
    this.numInputRows = this.numOutputRows = this.numRemoved = this.busy = 0;
    this.before = stats;
    this.since = timestamp;
    return report;
  }
}
