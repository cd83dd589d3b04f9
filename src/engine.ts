import { arrive } from './arrival.ts';
import { seal, unseal } from './checkpoint/snapshot.ts';
import type { AnyEngineConfig, EngineConfig, PlainTime } from './config.ts';
import { load, save, type CoreState } from './atRest.ts';
import { Core, type Key } from './core.ts';
import type { Engine, EngineStats, Position, PushResult } from './engineTypes.ts';
import { evaluate } from './evaluation.ts';
import { INTERNALS, type Driven, type EngineInternals } from './internals.ts';
import { planOf, type Plan } from './plan.ts';
import type { Row } from './emission/row.ts';
import type { ColumnHolding, KeyValue } from './measures/columns.ts';
import type { AnyMeasure } from './measures/measure.ts';
import type { KeyOf, RollingRow } from './measures/rowType.ts';
import { nextBoundary, query, statsOf } from './questions.ts';

export { internalsOf, type EngineInternals } from './internals.ts';

/** The engine that users hold: a core, which a restore replaces as a whole. */
class RollingEngine implements Engine<unknown, Row, Key>, Driven {
  core: Core;

  constructor(plan: Plan) {
    this.core = new Core(plan);
  }

  push(event: unknown, now: number): PushResult {
    return arrive(this.core, event, now);
  }

  pushAll(events: Iterable<unknown>, now: number): void {
    for (const event of events) arrive(this.core, event, now);
  }

  advance(now: number): Row[] {
    const rows = evaluate(this.core, now);
    if (this.core.isSparse) this.core = compacted(this.core);
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

  snapshot(): Uint8Array {
    return seal(this.core.plan.fingerprint, save(this.core));
  }

  restore(snapshot: Uint8Array): void {
    const { plan, eventTimeClock } = this.core;
    const core = new Core(plan);
    load(core, unseal(snapshot, plan.fingerprint) as CoreState);
    core.eventTimeClock = eventTimeClock;
    this.core = core;
  }

  get frontier(): number {
    return this.core.frontier.value;
  }

  get watermark(): number {
    return this.core.watermarks?.value ?? -Infinity;
  }

  get position(): Position {
    return { events: this.core.position };
  }

  get stats(): EngineStats {
    return statsOf(this.core);
  }

  get [INTERNALS](): EngineInternals {
    return internalsOfRolling(this);
  }
}

/** The same state in no more memory than it needs: put to rest and taken up again, as a snapshot does. */
function compacted(core: Core): Core {
  const compact = new Core(core.plan);
  load(compact, save(core));
  compact.eventTimeClock = core.eventTimeClock;
  compact.removed = core.removed;
  return compact;
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
  const { keyColumns, orderBy, time, emit } = engine.core.plan;
  return {
    keyColumns,
    orderBy,
    time,
    emit,
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
