import type { Observable, ObservableInput } from 'rxjs';
import { RollingWindowError, shown, type AnyMeasure, type ColumnHolding, type Engine, type FrontierSpec, type KeyValue, type PlainTime, type Position, type RollingRow, type TimeAdapter } from '../src/index.ts';
import type { CheckpointOptions } from './checkpoints/checkpointOptions.ts';
import { driveFrom } from './drive.ts';
import { engineSource } from './engineSource.ts';
import type { OperatorOptions } from './options.ts';
import { eachRow } from './eachRow.ts';
import type { RollingWindowConfig } from './rollingWindowConfig.ts';

/**
 * The configuration of `rollingWindowFrom`: that of `rollingWindow`, and a checkpoint.
 *
 * The compiler looks at it twice: first without the function before it, of which it does not know yet what it returns. Then
 * there is no event to check columns against, and anything must go.
 */
export type RollingWindowFromConfig<E, PartitionBy extends string | readonly string[], Measures extends readonly AnyMeasure[], Alias extends string, Time, Frontier> = {
  readonly checkpoint: CheckpointOptions;
} & (unknown extends E
  ? UncheckedConfig<PartitionBy, Measures, Alias, Time, Frontier>
  : PartitionBy extends ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[]
    ? RollingWindowConfig<E, PartitionBy, Measures, Alias, Time, Frontier>
    : { readonly partitionBy: ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[] });

interface UncheckedConfig<PartitionBy, Measures, Alias extends string, Time, Frontier> {
  readonly partitionBy: PartitionBy;
  readonly measures: Measures;
  readonly frontierSpec?: FrontierSpec<Alias> | undefined;
  readonly time?: TimeAdapter<Time, Frontier> | undefined;
  readonly [other: string]: unknown;
}

/**
 * `rollingWindow` over a source that can be read from any position: nothing is counted twice and nothing is left out, however
 * often the program is restarted.
 *
 * Each subscription loads the checkpoint, restores the state, and only then subscribes what the function returns for its
 * position: `{ events: 0, offsets: empty }` where nothing was saved yet. Rows that had left before a crash may come once more:
 * write them by key.
 *
 * @param sourceAt The events after a position, in the same order each time: an observable, a promise or an async iterable.
 * @throws RollingWindowError at once for a wrong configuration. What goes wrong later, the load included, is an error of the
 * stream.
 * @example
 * rollingWindowFrom(({ events }) => from(readLines('sales.log')).pipe(skip(events), map(parse)), {
 *   partitionBy: 'region',
 *   orderBy: 'at',
 *   measures: [sum('revenue').over(preceding(range('1 hour')))],
 *   checkpoint: { store: fileStore('state') },
 * }).subscribe(upsert);
 */
export function rollingWindowFrom<
  E,
  const PartitionBy extends string | readonly string[],
  const Measures extends readonly AnyMeasure[],
  const Alias extends string = '__frontier',
  Time = PlainTime,
  Frontier = number,
>(
  sourceAt: (position: Position) => ObservableInput<E>,
  config: RollingWindowFromConfig<E, PartitionBy, Measures, Alias, Time, Frontier>,
): Observable<RollingRow<E, PartitionBy, Measures, Alias, Frontier>>;
/** The same over an engine that the caller owns. Without a checkpoint it goes on at the position that the engine has. */
export function rollingWindowFrom<E, Row, Key>(sourceAt: (position: Position) => ObservableInput<E>, engine: Engine<E, Row, Key>, options: OperatorOptions): Observable<Row>;
export function rollingWindowFrom<E, Row>(sourceAt: (position: Position) => ObservableInput<E>, given: object, options?: OperatorOptions): Observable<Row> {
  if (typeof sourceAt !== 'function') {
    throw new RollingWindowError('invalid-config', { expected: 'a function from a position to the source', given: shown(sourceAt) });
  }
  const source = engineSource<E, Row, unknown>(given, options);
  if (!source.owned && !source.options.checkpoint) {
    throw new RollingWindowError('invalid-config', { expected: '`checkpoint`, where the position comes from', given: 'none', remedy: 'Add checkpoint: { store }, or use rollingWindow(...)' });
  }
  return driveFrom(source, eachRow, sourceAt);
}
