import { map, type OperatorFunction } from 'rxjs';
import type { AnyWindowColumn, WindowConfig, WindowRow } from '../../src/windowFunctions/index.ts';
import { extendedRows, windowPlan, type Row } from '../../src/windowFunctions/core.ts';
import type { RollingBatch } from '../rollingBatches.ts';

/** What `windowFunctions` takes: arrays of rows, as `bufferTime` emits them, or batches of `rollingBatches`. */
export type RowsIn = readonly unknown[] | RollingBatch<unknown>;

/** The rows of an array or a batch. */
export type RowIn<In> = In extends readonly (infer Row)[] ? Row : In extends RollingBatch<infer Row> ? Row : never;

/** The same array or batch, with longer rows. */
export type RowsOut<In, Columns extends readonly AnyWindowColumn[]> =
  In extends RollingBatch<infer Row, infer Key> ? RollingBatch<WindowRow<Row, Columns>, Key> : WindowRow<RowIn<In>, Columns>[];

/**
 * Adds columns of window functions to rows: what each is among the others of its array or batch.
 *
 * Takes arrays of rows, as `bufferTime` and `toArray` emit them, and batches of `rollingBatches`, and emits the same with new
 * rows, in the order in which they came: their own columns and the new ones. What a row lacks is null.
 *
 * @throws RollingWindowError `invalid-window` for what is no column over a window, `duplicate-column` for two of one name. What
 * goes wrong later is an error of the stream: `invalid-key`, `invalid-value`, a name that rows have already, `user-code`.
 * @example
 * rollingBatches({ ... }),
 * windowFunctions({ columns: [rank().over(Window.partitionBy('category').orderBy(desc('revenue')))] })
 */
export function windowFunctions<In extends RowsIn, const Columns extends readonly AnyWindowColumn[]>(
  config: WindowConfig<RowIn<In>, Columns>,
): OperatorFunction<In, RowsOut<In, Columns>> {
  const plan = windowPlan(config);
  return map((given) => extended(given, (rows) => extendedRows(plan, rows)) as RowsOut<In, Columns>);
}

function extended(given: RowsIn, extend: (rows: readonly Row[]) => Row[]): unknown {
  if (!('rows' in given)) return extend(given as readonly Row[]);
  // What is not enumerable of a batch, its key columns, belongs to it, too.
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(given), rows: { value: extend(given.rows as readonly Row[]), enumerable: true } });
}
