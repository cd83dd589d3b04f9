import { sealAs, unsealAs, type SealKind } from '../checkpoint/sealed.ts';
import type { PlainTime } from '../config.ts';
import { RollingWindowError } from '../errors.ts';
import { INTERNALS, type Driven, type EngineInternals } from '../internals.ts';
import { NO_SLOT } from '../keys/keyTable.ts';
import type { ColumnHolding, KeyValue } from '../measures/columns.ts';
import type { KeyOf } from '../measures/rowType.ts';
import { checkReading } from '../time/frontier.ts';
import type { Refusal } from './admission.ts';
import { internalsFor } from './internalsFor.ts';
import { keyedStatePlanOf, type AnyKeyedStateConfig, type KeyedStateConfig, type KeyedStatePlan, type KeyedStateStats } from './keyedStateConfig.ts';
import { KeyedCore, type KeyedCoreState } from './keyedCore.ts';
import type { StateCore } from './settings.ts';

const SEAL: SealKind = { magic: 'RWK1', version: 1 };

/** The synchronous core of `transformWithState`. */
export interface KeyedState<E, Out, State, Key> extends StateCore<E, Out, Key> {
  /** Takes in one event that arrived at clock reading `now`. No callback runs before the next `advance`. */
  push(event: E, now: number): 'taken' | 'held' | Refusal;
  /**
   * The state of a key, as it is: not a copy. `undefined` where it has none.
   *
   * @throws RollingWindowError `invalid-key` for what is no key.
   */
  state(key: Key): State | undefined;
  readonly stats: KeyedStateStats;
}

/** The keyed state that users hold: a core, which a restore replaces as a whole. */
class OwnedKeyedState implements KeyedState<unknown, unknown, unknown, Record<string, unknown>>, Driven {
  private readonly plan: KeyedStatePlan;
  private core: KeyedCore;

  constructor(plan: KeyedStatePlan) {
    this.plan = plan;
    this.core = new KeyedCore(plan);
  }

  push(event: unknown, now: number): 'taken' | 'held' | Refusal {
    return this.core.push(event, now);
  }

  pushAll(events: Iterable<unknown>, now: number): void {
    for (const event of events) this.core.push(event, now);
  }

  advance(now: number): unknown[] {
    checkReading(now);
    this.checkIdle('advance');
    return this.core.advance(now);
  }

  get removed(): readonly Record<string, unknown>[] {
    return this.core.removed;
  }

  nextBoundary(): number | undefined {
    return this.core.nextBoundary();
  }

  state(key: Record<string, unknown>): unknown {
    const { admission, states } = this.core, slot = states.find(admission.askedKey(key));
    return slot === NO_SLOT ? undefined : states.stateOf(slot);
  }

  snapshot(): Uint8Array {
    this.checkIdle('snapshot');
    return sealAs(SEAL, this.plan.fingerprint, this.core.save());
  }

  restore(snapshot: Uint8Array): void {
    this.checkIdle('restore');
    const core = new KeyedCore(this.plan);
    core.load(unsealAs(SEAL, snapshot, this.plan.fingerprint) as KeyedCoreState);
    core.admission.eventTimeClock = this.core.admission.eventTimeClock;
    this.core = core;
  }

  get frontier(): number {
    return this.core.admission.frontier.value;
  }

  get watermark(): number {
    return this.core.admission.watermarks?.value ?? -Infinity;
  }

  get position(): { readonly events: number } {
    return { events: this.core.admission.position };
  }

  get stats(): KeyedStateStats {
    return this.core.stats;
  }

  get [INTERNALS](): EngineInternals {
    return internalsFor(() => this.core.admission, this.plan.inEventTime);
  }

  /** From inside a callback the key is half updated. */
  private checkIdle(call: string): void {
    if (!this.core.isRunning) return;
    throw new RollingWindowError('engine-in-use', { expected: `${call}() outside of init, onEvent and onTimer`, given: 'a call from inside of one', remedy: 'Call it when advance() has returned; in a pipe, from a subscriber' });
  }
}

/**
 * Makes the core of `transformWithState`, for whoever moves the clock by hand, or wants to ask, save and restore it beside
 * the pipe.
 *
 * @returns A function of the configuration, so that the event type can be given and the rest inferred.
 * @throws RollingWindowError for whatever is wrong with the configuration.
 * @example
 * const visits = createKeyedState<Click>()({
 *   partitionBy: 'user',
 *   init: () => ({ clicks: 0 }),
 *   onEvent: (state, _click, { now, setTimer }) => { ... },
 * });
 * visits.push({ user: 'ann' }, 1000);
 * visits.advance(1000);
 * visits.state({ user: 'ann' }); // { clicks: 1 }
 */
export function createKeyedState<E>(): <
  const PartitionBy extends ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[],
  State,
  FromEvent = never,
  FromTimer = never,
  Time = PlainTime,
>(
  config: KeyedStateConfig<E, PartitionBy, State, FromEvent, FromTimer, Time>,
) => KeyedState<E, FromEvent | FromTimer, State, KeyOf<E, PartitionBy>> {
  return (config) => new OwnedKeyedState(keyedStatePlanOf(config as unknown as AnyKeyedStateConfig)) as never;
}
