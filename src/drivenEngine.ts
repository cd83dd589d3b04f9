import { arrive } from './arrival.ts';
import { comparePlans } from './atRest/planChange.ts';
import { GradualPart } from './atRest/gradualPart.ts';
import { load } from './atRest/load.ts';
import { mapState } from './atRest/stateMap.ts';
import { infoOf, takeBase, type LastPart, type Taken } from './atRest/takePart.ts';
import { haveSameColumns, readChain, type Chain } from './checkpoint/chain.ts';
import type { AnyEngineConfig } from './config.ts';
import { Core, type Holder, type Key } from './core.ts';
import type { Row } from './emission/row.ts';
import type { Engine, EngineStats, Position, PushResult, RestoreOptions } from './engineTypes.ts';
import { evaluate } from './evaluation.ts';
import { INTERNALS, type PartInSteps, type Driven, type EngineInternals } from './internals.ts';
import { ChangedKeys } from './keys/changedKeys.ts';
import { planOf, type Plan } from './plan.ts';
import { nextBoundary, statsOf } from './questions.ts';

/**
 * An engine as a pipe drives it. Nobody can ask this one for rows, or hand it a batch, so a program that has pipes alone is
 * bundled without what answers.
 */
export interface DrivenEngine extends Omit<Engine<unknown, Row, Key>, 'pushAll' | 'query' | 'queryAll' | 'nextBoundary' | 'snapshot' | 'restore'>, Driven, Holder {
  /** What a delta can go on from. */
  readonly lastPart: LastPart | undefined;
  /** The clock reading at which a row could change without new events; `undefined` where nothing is due. */
  nextBoundary(): number | undefined;
  restore(snapshot: Uint8Array | readonly Uint8Array[], options?: RestoreOptions): void;
  /** The next delta goes on from the part that was taken. Gives its bytes. */
  follow(taken: Taken): Uint8Array;
}

/** A core, which a restore replaces as a whole. */
class HeldCore implements DrivenEngine {
  core: Core;
  /** The part that was taken or restored last, and what changed since. */
  private last: LastPart | undefined = undefined;

  constructor(config: AnyEngineConfig) {
    this.core = new Core(planOf(config));
  }

  push(event: unknown, now: number): PushResult {
    return arrive(this, event, now);
  }

  advance(now: number): Row[] {
    const rows = evaluate(this.core, now);
    if (this.core.isSparse) this.compact();
    return rows;
  }

  get removed(): readonly Key[] {
    return this.core.removed;
  }

  nextBoundary(): number | undefined {
    return nextBoundary(this.core);
  }

  restore(snapshot: Uint8Array | readonly Uint8Array[], options: RestoreOptions = {}): void {
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

  get lastPart(): LastPart | undefined {
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

  follow({ id, bytes }: Taken): Uint8Array {
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
    return internalsOfCore(this);
  }
}

/** Makes such an engine. By its type: a class with a symbol in it has no declaration that could be built from its file alone. */
export const DrivenEngine: new (config: AnyEngineConfig) => DrivenEngine = HeldCore;

/** A core of the plan that goes on where a snapshot ended. */
function restored(plan: Plan, chain: Chain, options: RestoreOptions): Core {
  const change = comparePlans(chain.header, plan.text, options);
  const core = new Core(plan, change.since);
  load(core, chain, mapState(core, chain, change, options));
  return core;
}

function internalsOfCore(engine: HeldCore): EngineInternals {
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
