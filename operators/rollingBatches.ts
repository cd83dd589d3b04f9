import type { OperatorFunction } from 'rxjs';
import type { AnyMeasure, ColumnHolding, Engine, KeyOf, KeyValue, PlainTime, RollingRow } from '../src/index.ts';
import { drive } from './drive.ts';
import { engineSource } from './engineSource.ts';
import type { OperatorOptions } from './options.ts';
import type { QueryProgress } from './progress/queryProgress.ts';
import type { RollingWindowConfig } from './rollingWindowConfig.ts';

/** What one evaluation gave. */
export interface RollingBatch<Row, Key = unknown> {
  /** The number of the evaluation: 1 for the first; in snapshots, so it repeats after a crash. */
  readonly batchId: number;
  /** Epoch milliseconds, as is the watermark; minus infinity where there is none yet. */
  readonly frontier: number;
  readonly watermark: number;
  readonly rows: readonly Row[];
  /** The keys whose state was dropped: emptied, or evicted. */
  readonly removed: readonly Key[];
  /** With `detailedProgress`: the report that came with this evaluation. */
  readonly progress?: QueryProgress;
  /** The partition columns. Not enumerable: a copy of a batch does not have them. */
  readonly keyColumns?: readonly string[];
}

/**
 * `rollingWindow` before its rows are told apart: one value for each evaluation that changed rows or dropped keys.
 *
 * @throws RollingWindowError at once for a wrong configuration. What goes wrong later is an error of the stream.
 * @example purchases$.pipe(rollingBatches({ ... }), concatMap(({ rows, removed }) => writeToTable(rows, removed)))
 */
export function rollingBatches<
  E,
  const PartitionBy extends ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[],
  const Measures extends readonly AnyMeasure[],
  const Alias extends string = '__frontier',
  Time = PlainTime,
  Frontier = number,
>(
  config: RollingWindowConfig<E, PartitionBy, Measures, Alias, Time, Frontier>,
): OperatorFunction<E, RollingBatch<RollingRow<E, PartitionBy, Measures, Alias, Frontier>, KeyOf<E, PartitionBy>>>;
/** The same over an engine that the caller owns. */
export function rollingBatches<E, Row, Key>(engine: Engine<E, Row, Key>, options: OperatorOptions): OperatorFunction<E, RollingBatch<Row, Key>>;
export function rollingBatches<E, Row, Key>(given: object, options?: OperatorOptions): OperatorFunction<E, RollingBatch<Row, Key>> {
  return drive(engineSource<E, Row, Key>(given, options), (rows, subscriber, engine, { batch, keyColumns }, progress) => {
    const { frontier, watermark, removed } = engine;
    if (rows.length === 0 && removed.length === 0) return;
    const evaluation = { batchId: batch, frontier, watermark, rows, removed, ...(progress && { progress }) };
    subscriber.next(Object.defineProperty(evaluation, 'keyColumns', { value: keyColumns }));
  });
}
