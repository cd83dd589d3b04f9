import { Observable, type OperatorFunction } from 'rxjs';
import { areChanges, LiveWindows } from '../../src/liveTable/core.ts';
import type { RowChange } from '../../src/liveTable/index.ts';
import type { AnyWindowColumn, WindowConfig, WindowRow } from '../../src/windowFunctions/index.ts';
import { extendedRows, windowPlan, type Row } from '../../src/windowFunctions/core.ts';
import { Outlet } from '../outlet.ts';
import type { RollingBatch } from '../rollingBatches.ts';

/** What `windowFunctions` takes: arrays of rows, as `bufferTime` emits them, batches of `rollingBatches`, or the changes of a `liveTable`. */
export type RowsIn = readonly unknown[] | RollingBatch<unknown>;

/** The rows of an array, a batch, or changes. */
export type RowIn<In> = In extends readonly (infer Row)[] ? (Row extends RowChange<infer Changed> ? Changed : Row) : In extends RollingBatch<infer Row> ? Row : never;

/** The same array, batch or changes, with longer rows. */
export type RowsOut<In, Columns extends readonly AnyWindowColumn[]> =
  In extends RollingBatch<infer Row, infer Key>
    ? RollingBatch<WindowRow<Row, Columns>, Key>
    : In extends readonly RowChange<infer Row>[]
      ? readonly RowChange<WindowRow<Row, Columns>>[]
      : WindowRow<RowIn<In>, Columns>[];

/**
 * Adds columns of window functions to rows: what each is among the others of its array or batch.
 *
 * Takes arrays of rows, as `bufferTime` and `toArray` emit them, and batches of `rollingBatches`, and emits the same with new
 * rows, in the order in which they came: their own columns and the new ones. What a row lacks is null.
 *
 * Takes the changes of a `liveTable`, too, and emits changes: of rows whose own columns or new columns are others than before,
 * each with the row as it left last. Only the partitions concerned are computed anew, once for each array of changes. Rows
 * that are equal in the order of a window stand in the order in which their keys came, as in `table.rows`. There is nothing to
 * save: over a table that was restored, this begins with the rows that it had.
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
  return (source) =>
    new Observable((subscriber) => {
      const outlet = new Outlet<unknown>(subscriber), live = new LiveWindows(plan);
      outlet.listen(source, (given) => {
        if (!Array.isArray(given) || !areChanges(given)) return outlet.emit(extended(given, (rows) => extendedRows(plan, rows)));
        const changes = live.take(given);
        if (changes.length > 0) outlet.emit(changes);
      });
    });
}

function extended(given: RowsIn, extend: (rows: readonly Row[]) => Row[]): unknown {
  if (!isBatch(given)) return extend(given as readonly Row[]);
  // What is not enumerable of a batch, its key columns, belongs to it, too.
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(given), rows: { value: extend(given.rows as readonly Row[]), enumerable: true } });
}

/** Whatever else comes is looked at as rows, and refused where it is none. */
const isBatch = (given: RowsIn): given is RollingBatch<unknown> => 'rows' in Object(given);
