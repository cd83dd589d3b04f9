import { shown } from '../errors.ts';
import type { ColumnHolding, KeyValue } from '../measures/columns.ts';
import { columnNames, invalidConfig, limitsOf, requireObject, type Fields, type PlannedLimits } from '../settings.ts';
import type { StateLimits } from '../state/settings.ts';
import { codecOf, type StateCodec } from '../state/stateCodec.ts';

/** What tells the rows of a table apart, and how many there may be. */
export interface LiveTableConfig<Row, By extends ColumnHolding<Row, KeyValue> | readonly ColumnHolding<Row, KeyValue>[]> {
  /** The key column, or the list of them: a row takes the place of the one with the same key. Of `rollingBatches`, the partition columns. */
  readonly key: By;
  /** Whether a row says that its key is gone: such rows are not kept, and delete the row that is there. */
  readonly deleted?: ((row: NoInfer<Row>) => boolean) | undefined;
  /** How many rows there may be. `'evict-idle'` deletes the one for which nothing came for longest, `'drop-new'` takes no row of another key. */
  readonly limits?: StateLimits | undefined;
  /** How a row is saved that holds more than plain values; `decode` undoes it. */
  readonly encode?: ((row: NoInfer<Row>) => unknown) | undefined;
  readonly decode?: ((saved: unknown) => NoInfer<Row>) | undefined;
}

/** A configuration as it comes from a caller, whatever its types. */
export interface AnyLiveTableConfig {
  readonly key: unknown;
  readonly deleted?: unknown;
  readonly limits?: StateLimits | undefined;
  readonly encode?: unknown;
  readonly decode?: unknown;
}

const fields: Fields<AnyLiveTableConfig> = { key: true, deleted: true, limits: true, encode: true, decode: true };

export interface LiveTablePlan {
  readonly keyColumns: readonly string[];
  readonly deleted: ((row: object) => unknown) | undefined;
  readonly limits: PlannedLimits | undefined;
  readonly row: StateCodec;
  readonly fingerprint: object;
}

/**
 * Checks a configuration.
 *
 * @throws RollingWindowError `invalid-config` for whatever is wrong with it.
 */
export function liveTablePlanOf(config: AnyLiveTableConfig): LiveTablePlan {
  requireObject(config, 'a configuration object', fields);
  const { key, deleted, limits, encode, decode } = config;
  if (deleted !== undefined && typeof deleted !== 'function') throw invalidConfig({ expected: 'a function in deleted', given: shown(deleted) });
  const keyColumns = columnNames(key, 'key');
  return { keyColumns, deleted: deleted as LiveTablePlan['deleted'], limits: limitsOf(limits), row: codecOf('encode', encode, 'decode', decode), fingerprint: { liveTable: keyColumns } };
}
