import { damaged } from '../checkpoint/byteReader.ts';
import { sealAs, unsealAs, type SealKind } from '../checkpoint/sealed.ts';
import { RollingWindowError } from '../errors.ts';
import { WATCHER, type Watched } from '../internals.ts';
import { keyParts } from '../keys/partitionKey.ts';
import type { ColumnHolding, KeyValue } from '../measures/columns.ts';
import type { KeyOf } from '../measures/rowType.ts';
import { KeyedRows } from './keyedRows.ts';
import { liveTablePlanOf, type LiveTableConfig, type LiveTablePlan } from './liveTableConfig.ts';
import { ownRow, type Row } from './ownRow.ts';
import type { TableInput } from './rowBatch.ts';
import type { RowChange } from './rowChange.ts';
import { askedKey, lastOfEachKey, stagedKeys, stagedRows, type StagedRow } from './stagedRows.ts';

const SEAL: SealKind = { magic: 'RWT1', version: 1 };

/** `rows` is of this moment; the others count since the table was made, restored counts included. */
export interface LiveTableStats {
  readonly rows: number;
  /** Rows deleted by `onLimit: 'evict-idle'`. */
  readonly evicted: number;
  /** Rows refused by `onLimit: 'drop-new'`. */
  readonly limited: number;
}

/** The newest row of each key: the synchronous core of `liveTable`. */
export interface LiveTable<Row, Key> {
  /**
   * Takes in a row, an array of them or a batch, and returns what that changed: at most one change of each key, from what
   * the table was before the input to what it is after. A row that equals the one of its key, column by column, changes
   * nothing. The removals of a batch come after its rows.
   *
   * @throws RollingWindowError `invalid-key` for a row whose key is none, `limit-exceeded` for one key too many, and what
   * `deleted` throws; all stays as it was.
   */
  apply(input: TableInput<Row, Key>): readonly RowChange<Row>[];
  /**
   * Deletes the rows of these keys; those without one are passed over.
   *
   * @throws RollingWindowError `invalid-key` for what is no key, and for one key that is not in a list.
   */
  delete(keys: Iterable<Key>): readonly RowChange<Row>[];
  /**
   * The row of a key, as it is: not a copy. `undefined` where there is none.
   *
   * @throws RollingWindowError `invalid-key` for what is no key.
   */
  get(key: Key): Row | undefined;
  /** All rows, in the order in which their keys came. A new array each time; the rows are not copied. */
  readonly rows: readonly Row[];
  readonly size: number;
  readonly stats: LiveTableStats;
  /** The whole table as bytes. The same table gives the same bytes. */
  snapshot(): Uint8Array;
  /**
   * Takes over a snapshot of a table with the same key columns.
   *
   * @throws SnapshotError for damaged, foreign and newer bytes, and for other key columns; all stays as it was. RollingWindowError
   * `engine-in-use` while a pipe drives the table.
   */
  restore(snapshot: Uint8Array): void;
}

interface TableState {
  readonly rows: readonly unknown[];
  readonly idle: readonly number[];
  readonly evicted: number;
  readonly limited: number;
}

class OwnedLiveTable implements LiveTable<Row, Row>, Watched<readonly RowChange<Row>[]> {
  [WATCHER]: ((changes: readonly RowChange<Row>[]) => void) | undefined = undefined;
  private readonly plan: LiveTablePlan;
  private held: KeyedRows;

  constructor(plan: LiveTablePlan) {
    this.plan = plan;
    this.held = this.empty();
  }

  apply(input: unknown): readonly RowChange<Row>[] {
    return this.put(stagedRows(input, this.plan));
  }

  delete(keys: Iterable<Row>): readonly RowChange<Row>[] {
    return this.put(lastOfEachKey(stagedKeys(keys, this.plan), this.plan));
  }

  get(key: Row): Row | undefined {
    return this.held.find(askedKey(key, this.plan.keyColumns));
  }

  get rows(): readonly Row[] {
    return this.held.all();
  }

  get size(): number {
    return this.held.size;
  }

  get stats(): LiveTableStats {
    const { size, evicted, limited } = this.held;
    return { rows: size, evicted, limited };
  }

  snapshot(): Uint8Array {
    const { held, plan } = this, { evicted, limited } = held;
    const state: TableState = { rows: held.all().map((row) => plan.row.encode(row)), idle: held.idleOrder(), evicted, limited };
    return sealAs(SEAL, plan.fingerprint, state);
  }

  restore(snapshot: Uint8Array): void {
    if (this[WATCHER] !== undefined) throw inUse();
    const { rows, idle, evicted, limited } = unsealAs(SEAL, snapshot, this.plan.fingerprint) as TableState;
    const held = this.empty();
    if (!held.restore(rows.map((saved) => this.decoded(saved)), idle)) throw damaged('two rows of one key');
    this.held = Object.assign(held, { evicted, limited });
  }

  private put(staged: readonly StagedRow[]): readonly RowChange<Row>[] {
    const changes = this.held.put(staged);
    if (changes.length > 0) this[WATCHER]?.(changes);
    return changes;
  }

  private decoded(saved: unknown): StagedRow {
    const row = ownRow(Object(this.plan.row.decode(saved)) as object), key = keyParts(row, this.plan.keyColumns);
    if (key === undefined) throw damaged('a row without a key');
    return { key, row };
  }

  private empty(): KeyedRows {
    return new KeyedRows(this.plan.keyColumns.length, this.plan.limits);
  }
}

function inUse(): RollingWindowError {
  return new RollingWindowError('engine-in-use', {
    expected: 'restore() while no pipe drives the table',
    given: 'a call while one does',
    remedy: 'Restore before you subscribe: the subscriber gets what was restored as inserts',
  });
}

/**
 * Makes the core of `liveTable`, for whoever has no stream, or wants to look at the table and save it beside the pipe.
 *
 * @returns A function of the configuration, so that the row type can be given and the rest inferred.
 * @throws RollingWindowError `invalid-config` for whatever is wrong with the configuration.
 * @example
 * const table = createLiveTable<Standing>()({ key: 'player' });
 * table.apply([{ player: 'ann', points: 7 }, { player: 'bob', points: 5 }]); // two inserts
 * table.apply({ player: 'bob', points: 9 });
 * // [{ kind: 'update', before: { player: 'bob', points: 5 }, after: { player: 'bob', points: 9 } }]
 * table.get({ player: 'bob' }); // { player: 'bob', points: 9 }
 * table.delete([{ player: 'ann' }]); // [{ kind: 'delete', before: { player: 'ann', points: 7 } }]
 */
export function createLiveTable<Row extends object>(): <const By extends ColumnHolding<Row, KeyValue> | readonly ColumnHolding<Row, KeyValue>[]>(
  config: LiveTableConfig<Row, By>,
) => LiveTable<Row, KeyOf<Row, By>> {
  return (config) => new OwnedLiveTable(liveTablePlanOf(config)) as never;
}
