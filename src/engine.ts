import { arrive } from './arrival.ts';
import { arriveAll } from './arrivals.ts';
import { comparePlans } from './atRest/planChange.ts';
import { GradualPart } from './atRest/gradualPart.ts';
import { load } from './atRest/load.ts';
import { mapState } from './atRest/stateMap.ts';
import { infoOf, takeBase, takeDelta, type LastPart, type Taken } from './atRest/takePart.ts';
import { haveSameColumns, readChain, type Chain } from './checkpoint/chain.ts';
import type { AnyEngineConfig, EngineConfig, PlainTime } from './config.ts';
import { Core, type Key } from './core.ts';
import type { Engine, EngineStats, Position, PushResult, RestoreOptions, SnapshotOptions } from './engineTypes.ts';
import { evaluate } from './evaluation.ts';
import { INTERNALS, type PartInSteps, type Driven, type EngineInternals } from './internals.ts';
import { planOf, type Plan } from './plan.ts';
import { requireObject, type Fields } from './settings.ts';
import type { Row } from './emission/row.ts';
import { ChangedKeys } from './keys/changedKeys.ts';
import type { ColumnHolding, KeyValue } from './measures/columns.ts';
import type { AnyMeasure } from './measures/measure.ts';
import type { KeyOf, RollingRow } from './measures/rowType.ts';
import { nextBoundary, query, queryAll, statsOf } from './questions.ts';

export { internalsOf, type PartInSteps, type EngineInternals } from './internals.ts';

const snapshotFields: Fields<SnapshotOptions> = { delta: true };
const restoreFields: Fields<RestoreOptions> = { allowWarmUp: true, dropRemoved: true };

/** The engine that users hold: a core, which a restore replaces as a whole. */
class RollingEngine implements Engine<unknown, Row, Key>, Driven {
  core: Core;
  /** The part that was taken or restored last, and what changed since. */
  private last: LastPart | undefined;

  constructor(plan: Plan) {
    this.core = new Core(plan);
  }

  push(event: unknown, now: number): PushResult {
    return arrive(this, event, now);
  }

  pushAll(events: Iterable<unknown>, now: number): void {
    arriveAll(this, events, now);
  }

  advance(now: number): Row[] {
    const rows = evaluate(this.core, now);
    if (this.core.isSparse) this.compact();
    return rows;
  }

  get removed(): readonly Key[] {
    return this.core.removed;
  }

  nextBoundary(key?: Key): number | undefined {
    return nextBoundary(this.core, key);
  }

  query(key: Key, now?: number): Row {
    return query(this.core, key, now);
  }

  queryAll(now?: number): Row[] {
    return queryAll(this.core, now);
  }

  snapshot(options: SnapshotOptions = {}): Uint8Array {
    requireObject(options, 'an object of options', snapshotFields);
    const { delta = false } = options, { core } = this, last = delta ? this.lastPart : undefined;
    return this.follow(last === undefined ? takeBase(core) : takeDelta(core, last));
  }

  restore(snapshot: Uint8Array | readonly Uint8Array[], options: RestoreOptions = {}): void {
    requireObject(options, 'an object of options', restoreFields);
    const { plan, eventTimeClock } = this.core;
    const chain = readChain(Array.isArray(snapshot) && snapshot.length > 0 ? (snapshot as readonly Uint8Array[]) : [snapshot]);
    const core = restored(plan, chain, options);
    core.eventTimeClock = eventTimeClock;
    this.core.stirred++; // an event that is being looked at goes to the new one
    this.core = core;
    this.followFrom(chain.header.id);
    if (!haveSameColumns(chain.header, infoOf(core, null, 0))) this.last?.changed.lose();
  }

  /** A part that is taken in steps, from now on. */
  startPart(delta: boolean): PartInSteps {
    const part = new GradualPart(() => this.core, delta ? this.lastPart : undefined);
    return {
      get parent() {
        return part.parent;
      },
      step: () => part.step(),
      finish: () => this.follow(part.finish()),
      stop: () => part.stop(),
    };
  }

  /** What a delta can go on from. */
  private get lastPart(): LastPart | undefined {
    return this.last?.changed.isLost ? undefined : this.last;
  }

  /** The same state in no more memory than it needs: put to rest and taken up again, as a snapshot does. */
  private compact(): void {
    const { core, last } = this;
    this.core = restored(core.plan, readChain([takeBase(core).bytes]), {});
    this.core.eventTimeClock = core.eventTimeClock;
    this.core.removed = core.removed;
    last?.changed.lose(); // keys have other slots now
  }

  private follow({ id, bytes }: Taken): Uint8Array {
    this.followFrom(id);
    return bytes;
  }

  private followFrom(id: string): void {
    const { changes } = this.core, at = this.last === undefined ? -1 : changes.indexOf(this.last.changed);
    if (at >= 0) changes.splice(at, 1);
    this.last = { id, changed: new ChangedKeys() };
    changes.push(this.last.changed);
  }

  get frontier(): number {
    return this.core.frontier.value;
  }

  get watermark(): number {
    return this.core.watermarks?.value ?? -Infinity;
  }

  get position(): Position {
    return { events: this.core.position, offsets: new Map(this.core.offsets) };
  }

  get stats(): EngineStats {
    return statsOf(this.core);
  }

  get [INTERNALS](): EngineInternals {
    return internalsOfRolling(this);
  }
}

/** A core of the plan that goes on where a snapshot ended. */
function restored(plan: Plan, chain: Chain, options: RestoreOptions): Core {
  const change = comparePlans(chain.header, plan.text, options);
  const core = new Core(plan, change.since);
  load(core, chain, mapState(core, chain, change, options));
  return core;
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
  return (config) => new RollingEngine(planOf(config as unknown as AnyEngineConfig)) as never;
}

function internalsOfRolling(engine: RollingEngine): EngineInternals {
  const { keyColumns, orderBy, time, emit, limits, watermark, columns } = engine.core.plan;
  return {
    keyColumns,
    columns: [...new Set([...keyColumns, orderBy, ...(watermark?.by === undefined ? [] : [watermark.by]), ...columns.map(({ name }) => name)])],
    orderBy,
    time,
    emit,
    maxEvents: limits?.maxEvents ?? Infinity,
    startPart: ({ delta }) => engine.startPart(delta),
    get batch() {
      return engine.core.batch;
    },
    get reading() {
      return engine.core.frontier.reading;
    },
    get readingForLatest() {
      const { latest, frontier } = engine.core;
      return latest === -Infinity ? latest : frontier.readingFor(latest);
    },
    get watermarkPending() {
      return engine.core.watermarks?.pending ?? false;
    },
    get eventTimeClock() {
      return engine.core.eventTimeClock;
    },
    set eventTimeClock(on) {
      engine.core.eventTimeClock = on;
    },
  };
}
