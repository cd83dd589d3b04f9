import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';
import type { ColumnHolding, KeyValue } from '../../src/index.ts';
import { WATCHER, type Watched } from '../../src/internals.ts';
import { createLiveTable, type LiveTable, type LiveTableConfig, type RowChange, type RowOf, type TableInput } from '../../src/liveTable/index.ts';
import { giveBack, takeForUse } from '../engineUse.ts';
import { Outlet } from '../outlet.ts';

/**
 * Drives a table that the caller owns, so that `get`, `rows`, `snapshot` and `restore` work beside the pipe.
 *
 * A subscriber gets the rows that are there as inserts first, in one array: what begins after a restore begins with the whole
 * table. What the caller applies or deletes by hand leaves here, too. A second subscription while one runs gets the error
 * `engine-in-use`.
 */
export function liveTable<Row, Key>(table: LiveTable<Row, Key>): OperatorFunction<TableInput<Row, Key>, readonly RowChange<Row>[]>;
/**
 * Keeps the newest row of each key, and emits what changes: an array of inserts, updates and deletes for each input.
 *
 * An input is an update row, an array of them, or a batch of `rollingBatches`, whose `removed` deletes. A change has the row
 * as it was in `before`, and as it is in `after`; of one input there is at most one change of each key. A row that equals
 * the one before, column by column, changes nothing, and where nothing changed, nothing leaves. Keys compare by type and
 * value; what is missing is null. Rows are copied once as they come, and are not to be changed after they left.
 *
 * State belongs to the subscription. It moves before anything leaves: whoever calls back from inside `next` sees the whole
 * change.
 *
 * @throws RollingWindowError at once for a wrong configuration. What goes wrong later is an error of the stream: `invalid-key`,
 * `limit-exceeded`, what `deleted` throws.
 * @example
 * rollingBatches({ partitionBy: 'player', ... }), liveTable({ key: 'player' })
 * // Observable<readonly RowChange<{ player: string; ... }>[]>
 */
export function liveTable<Input, const By extends ColumnHolding<RowOf<Input>, KeyValue> | readonly ColumnHolding<RowOf<Input>, KeyValue>[]>(
  config: LiveTableConfig<RowOf<Input>, By>,
): OperatorFunction<Input, readonly RowChange<RowOf<Input>>[]>;
export function liveTable<Input, Row>(given: unknown): OperatorFunction<Input, readonly RowChange<Row>[]> {
  const owned = WATCHER in Object(given ?? {});
  const open = owned ? () => given : () => createLiveTable()(given as never);
  open(); // made now, it shows what is wrong now
  return (source) =>
    new Observable((subscriber) => {
      const table = open() as LiveTable<Row, unknown> & Watched<readonly RowChange<Row>[]>;
      if (owned) takeForUse(table, subscriber);
      drive(source as Observable<never>, table, subscriber);
    });
}

function drive<Row>(source: Observable<never>, table: LiveTable<Row, unknown> & Watched<readonly RowChange<Row>[]>, subscriber: Subscriber<readonly RowChange<Row>[]>): void {
  const watcher = (changes: readonly RowChange<Row>[]): void => outlet.emit(changes);
  const leave = (): void => {
    if (table[WATCHER] === watcher) table[WATCHER] = undefined;
    giveBack(table, subscriber);
  };
  const outlet = new Outlet(subscriber, leave);
  subscriber.add(leave);
  table[WATCHER] = watcher;
  if (table.size > 0) outlet.emit(table.rows.map((after) => ({ kind: 'insert', after })));
  outlet.listen(source, (input) => table.apply(input));
}
