import type { SaveFailure } from './checkpoints/saves.ts';
import type { Engine, EngineStats, Listener } from '../src/index.ts';

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
  readonly stats: EngineStats;
  /** Only in a report of its own, which a checkpoint that could not be saved gives at once: why, and what comes next. */
  readonly checkpointError?: SaveFailure;
}

/** Is told of what happens. */
export interface Witness {
  offered(): void;
  evaluated(now: number, rows: number, last: boolean): void;
}

/** Adds up what happens, and tells a listener. */
export interface Reporter extends Witness {
  saveFailed(failure: SaveFailure): void;
}

/** @param batch Milliseconds of the clock that a report covers; 0 is one evaluation. The last evaluation always reports. */
export function reporterTo(listener: Listener<Progress>, batch: number, engine: Engine<never, unknown, unknown>, batchId: () => number): Reporter {
  let numInputRows = 0;
  let numOutputRows = 0;
  let numRemoved = 0;
  let due: number | undefined;
  let timestamp = -Infinity;

  const report = (checkpointError?: SaveFailure): void => {
    const { frontier, watermark, stats } = engine;
    const counted = { batchId: batchId(), timestamp, frontier, watermark, numInputRows, numOutputRows, numRemoved, stats };
    numInputRows = numOutputRows = numRemoved = 0;
    listener.next(checkpointError ? { ...counted, checkpointError } : counted);
  };

  return {
    offered: () => (numInputRows += 1),
    evaluated(now, rows, last) {
      timestamp = now;
      numOutputRows += rows;
      numRemoved += engine.removed.length;
      if (batch > 0 && !last && timestamp < (due ??= timestamp + batch)) return;
      due = timestamp + batch;
      report();
    },
    saveFailed: report,
  };
}

/** One witness of two. */
export function both(one: Witness | undefined, other: Witness | undefined): Witness | undefined {
  if (!one || !other) return one ?? other;
  return {
    offered() {
      one.offered();
      other.offered();
    },
    evaluated(now, rows, last) {
      one.evaluated(now, rows, last);
      other.evaluated(now, rows, last);
    },
  };
}
