import { arriveAll } from './arrivals.ts';
import { takeBase, takeDelta } from './atRest/takePart.ts';
import type { AnyEngineConfig, EngineConfig, PlainTime } from './config.ts';
import type { Key } from './core.ts';
import { DrivenEngine } from './drivenEngine.ts';
import type { Row } from './emission/row.ts';
import type { Engine, RestoreOptions, SnapshotOptions } from './engineTypes.ts';
import type { ColumnHolding, KeyValue } from './measures/columns.ts';
import type { AnyMeasure } from './measures/measure.ts';
import type { KeyOf, RollingRow } from './measures/rowType.ts';
import { nextBoundaryOf, query, queryAll } from './questions.ts';
import { requireObject, type Fields } from './settings.ts';

const snapshotFields: Fields<SnapshotOptions> = { delta: true };
const restoreFields: Fields<RestoreOptions> = { allowWarmUp: true, dropRemoved: true };

/** The engine that users hold: what a pipe drives, and whatever they ask. */
class RollingEngine extends DrivenEngine implements Engine<unknown, Row, Key> {
  pushAll(events: Iterable<unknown>, now: number): void {
    arriveAll(this, events, now);
  }

  override nextBoundary(key?: Key): number | undefined {
    return key === undefined ? super.nextBoundary() : nextBoundaryOf(this.core, key);
  }

  query(key: Key, now?: number): Row {
    return query(this.core, key, now);
  }

  queryAll(now?: number): Row[] {
    return queryAll(this.core, now);
  }

  snapshot(options: SnapshotOptions = {}): Uint8Array {
    requireObject(options, 'an object of options', snapshotFields);
    const { core } = this, last = options.delta ? this.lastPart : undefined;
    return this.follow(last ? takeDelta(core, last) : takeBase(core));
  }

  override restore(snapshot: Uint8Array | readonly Uint8Array[], options: RestoreOptions = {}): void {
    requireObject(options, 'an object of options', restoreFields);
    super.restore(snapshot, options);
  }
}

/**
 * Makes an engine: rolling windows without a pipe, for whoever moves the clock by hand.
 *
 * @returns A function of the configuration, so that the event type can be given and the rest inferred.
 * @throws RollingWindowError for whatever is wrong with the configuration.
 * @example
 * const engine = createEngine<Sale>()({ partitionBy: 'region', orderBy: 'time', measures: [sum('revenue')] });
 * engine.push({ region: 'eu', revenue: 5, time: 1_000 }, 1_000);
 * engine.advance(1_000); // [{ region: 'eu', __frontier: 1000, 'sum(revenue)': 5 }]
 */
export function createEngine<E>(): <
  const PartitionBy extends ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[],
  const Measures extends readonly AnyMeasure[],
  const Alias extends string = '__frontier',
  Time = PlainTime,
  Frontier = number,
>(
  config: EngineConfig<E, PartitionBy, Measures, Alias, Time, Frontier>,
) => Engine<E, RollingRow<E, PartitionBy, Measures, Alias, Frontier>, KeyOf<E, PartitionBy>> {
  return (config) => new RollingEngine(config as unknown as AnyEngineConfig) as never;
}
