import type { OperatorFunction } from 'rxjs';
import type { AnyMeasure, ColumnHolding, Engine, KeyValue, PlainTime, RollingRow } from '../src/index.ts';
import { drive } from './drive.ts';
import { eachRow } from './eachRow.ts';
import { engineSource } from './engineSource.ts';
import type { OperatorOptions } from './options.ts';
import type { RollingWindowConfig } from './rollingWindowConfig.ts';

/**
 * Rolling aggregates per key: for each event stream a stream of update rows, where a row replaces its key's earlier row.
 *
 * A row holds the partition columns, the frontier (epoch milliseconds, or what the time adapter writes) and the measures
 * in order. It leaves when a value in it changed, by an event or by one that left the window; an emptied window gives one
 * last row. State belongs to the subscription, so that the operator may be reused. When the source completes there is
 * one last evaluation; an error of the source passes at once.
 *
 * @throws RollingWindowError at once for a wrong configuration. What goes wrong later is an error of the stream.
 * @example
 * purchases$.pipe(
 *   rollingWindow({
 *     partitionBy: 'region',
 *     orderBy: 'eventTime',
 *     measures: [sum('revenue').over(preceding(range('1 hour')))],
 *   }),
 * ) // Observable<{ region: string; __frontier: number; 'sum(revenue)': number | null }>
 */
export function rollingWindow<
  E,
  const PartitionBy extends ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[],
  const Measures extends readonly AnyMeasure[],
  const Alias extends string = '__frontier',
  Time = PlainTime,
  Frontier = number,
>(
  config: RollingWindowConfig<E, PartitionBy, Measures, Alias, Time, Frontier>,
): OperatorFunction<E, RollingRow<E, PartitionBy, Measures, Alias, Frontier>>;
/**
 * The same over an engine that the caller owns, so that `query`, `snapshot`, `restore` and `stats` work beside the pipe.
 *
 * A second subscription while one runs gets the error `engine-in-use`.
 *
 * @example
 * const engine = createEngine<Purchase>()(config);
 * purchases$.pipe(rollingWindow(engine, { trigger: microBatch('1 second') })).subscribe(show);
 * engine.query({ region: 'eu' });
 */
export function rollingWindow<E, Row, Key>(engine: Engine<E, Row, Key>, options: OperatorOptions): OperatorFunction<E, Row>;
export function rollingWindow<E, Row>(given: object, options?: OperatorOptions): OperatorFunction<E, Row> {
  return drive(engineSource<E, Row, unknown>(given, options), eachRow);
}

/**
 * `rollingWindow` where no `pipe` gives the event type.
 *
 * @example const perRegion = rollingWindowOf<Purchase>()({ partitionBy: 'region', ... });
 */
export function rollingWindowOf<E>(): <
  const PartitionBy extends ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[],
  const Measures extends readonly AnyMeasure[],
  const Alias extends string = '__frontier',
  Time = PlainTime,
  Frontier = number,
>(
  config: RollingWindowConfig<E, PartitionBy, Measures, Alias, Time, Frontier>,
) => OperatorFunction<E, RollingRow<E, PartitionBy, Measures, Alias, Frontier>> {
  return rollingWindow;
}
