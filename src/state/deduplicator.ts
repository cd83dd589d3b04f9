import { sealAs, unsealAs, type SealKind } from '../checkpoint/sealed.ts';
import type { PlainTime } from '../config.ts';
import { INTERNALS, type Driven, type EngineInternals } from '../internals.ts';
import { IdleKeys } from '../keys/idleKeys.ts';
import { KeyTable, NO_SLOT } from '../keys/keyTable.ts';
import type { KeyPart } from '../keys/partitionKey.ts';
import { checkReading } from '../time/frontier.ts';
import { Admission, type AdmissionState, type Refusal } from './admission.ts';
import { deduplicatorPlanOf, type AnyDeduplicatorConfig, type DeduplicatorConfig, type DeduplicatorPlan, type DeduplicatorStats } from './deduplicatorConfig.ts';
import { internalsFor } from './internalsFor.ts';
import { limitExceeded } from './limitExceeded.ts';
import { PassedTimes } from './passedTimes.ts';
import type { StateCore } from './settings.ts';

const SEAL: SealKind = { magic: 'RWD1', version: 1 };

/** A key's columns. */
type Key = Record<string, unknown>;

/** The synchronous core of `dropDuplicates`. */
export interface Deduplicator<E> extends StateCore<E, E, Key> {
  /** Takes in one event that arrived at clock reading `now`; one that passes leaves with the next `advance`. */
  push(event: E, now: number): 'passed' | 'duplicate' | Refusal;
  readonly stats: DeduplicatorStats;
}

interface DeduplicatorState {
  readonly admission: AdmissionState;
  readonly passed: number;
  readonly duplicates: number;
  readonly keys: readonly (readonly KeyPart[])[];
  readonly times: readonly (readonly number[])[];
  /** Indexes of keys, the idlest first. */
  readonly idle: readonly number[];
  readonly passing: readonly unknown[];
  readonly gone: readonly Key[];
}

class KeyedDeduplicator implements Deduplicator<unknown>, Driven {
  private readonly plan: DeduplicatorPlan;
  private admission: Admission;
  private keys: KeyTable;
  private times: PassedTimes | undefined;
  private idle: IdleKeys | undefined;
  private passed = 0;
  private duplicates = 0;
  /** Events that passed and have not left. */
  private passing: unknown[] = [];
  removed: readonly Key[] = [];
  private gone: Key[] = [];

  constructor(plan: DeduplicatorPlan) {
    this.plan = plan;
    this.admission = new Admission(plan.admission);
    this.keys = new KeyTable(plan.admission.keyColumns.length);
    this.times = plan.within === undefined ? undefined : new PassedTimes(plan.within);
    this.idle = plan.admission.limits && new IdleKeys();
  }

  push(event: unknown, now: number): 'passed' | 'duplicate' | Refusal {
    const { admission, keys, times, idle } = this;
    const refusal = admission.judge(event, now);
    if (refusal !== undefined) return refusal;
    const { time, key } = admission, found = keys.find(key);
    if (found !== NO_SLOT && (times === undefined || times.isDuplicate(found, time))) {
      admission.take(now);
      idle?.touch(found, now);
      this.duplicates++;
      admission.drop(event, 'duplicate');
      return 'duplicate';
    }
    if (found === NO_SLOT && !this.makeRoom()) return admission.refuseLimit(event, now);
    admission.take(now);
    const slot = found === NO_SLOT ? this.open(key) : found;
    times?.add(slot, time);
    idle?.touch(slot, now);
    this.passed++;
    this.passing.push(event);
    return 'passed';
  }

  pushAll(events: Iterable<unknown>, now: number): void {
    for (const event of events) this.push(event, now);
  }

  advance(now: number): unknown[] {
    checkReading(now);
    const { admission, passing } = this;
    admission.frontier.advance(now);
    admission.watermarks?.advance(now);
    admission.batch++;
    this.times?.expire(admission.watermarks?.value ?? -Infinity, (slot) => this.forget(slot));
    this.removed = this.gone.filter((key) => this.keys.find(admission.askedKey(key)) === NO_SLOT);
    this.gone = [];
    this.passing = [];
    return passing;
  }

  nextBoundary(): number | undefined {
    return this.passing.length > 0 ? this.admission.frontier.reading : undefined;
  }

  snapshot(): Uint8Array {
    const { plan, admission, keys, times, idle, passed, duplicates, passing, gone } = this;
    const slots = [...keys.slots()], indexes = new Map(slots.map((slot, i) => [slot, i]));
    const state: DeduplicatorState = {
      admission: admission.snapshot(),
      passed,
      duplicates,
      keys: slots.map((slot) => keys.keyOf(slot)),
      times: times ? slots.map((slot) => times.of(slot)) : [],
      idle: idle?.inOrder().map((slot) => indexes.get(slot)!) ?? [],
      passing: passing.map((event) => plan.event.encode(event)),
      gone,
    };
    return sealAs(SEAL, plan.fingerprint, state);
  }

  restore(snapshot: Uint8Array): void {
    const state = unsealAs(SEAL, snapshot, this.plan.fingerprint) as DeduplicatorState;
    const restored = new KeyedDeduplicator(this.plan);
    restored.load(state);
    restored.admission.eventTimeClock = this.admission.eventTimeClock;
    Object.assign(this, restored);
  }

  get frontier(): number {
    return this.admission.frontier.value;
  }

  get watermark(): number {
    return this.admission.watermarks?.value ?? -Infinity;
  }

  get position(): { readonly events: number } {
    return { events: this.admission.position };
  }

  get stats(): DeduplicatorStats {
    const { admission, keys, passed, duplicates } = this;
    return { ...admission.statsWith(keys.size), passed, duplicates };
  }

  get [INTERNALS](): EngineInternals {
    return internalsFor(() => this.admission, false);
  }

  private load({ admission, passed, duplicates, keys, times, idle, passing, gone }: DeduplicatorState): void {
    this.admission.restore(admission);
    Object.assign(this, { passed, duplicates, passing: passing.map((saved) => this.plan.event.decode(saved)), gone });
    const slots = keys.map((key) => this.open(key));
    slots.forEach((slot, i) => times[i]?.forEach((time) => this.times?.add(slot, time)));
    // Saved without limits, the order of idleness is that of the keys.
    for (const i of idle.length > 0 ? idle : slots.keys()) this.idle?.touch(slots[i]!, admission.frontier.reading);
  }

  private open(key: readonly KeyPart[]): number {
    const slot = this.keys.add(key);
    this.times?.open(slot);
    return slot;
  }

  private forget(slot: number): void {
    this.gone.push(this.admission.keyObject(this.keys.keyOf(slot)));
    this.times?.drop(slot);
    this.idle?.remove(slot);
    this.keys.drop(slot);
  }

  /** Whether one more key may be remembered, after forgetting another where that is the policy. */
  private makeRoom(): boolean {
    const { limits } = this.admission.plan;
    while (limits !== undefined && this.keys.size >= limits.maxKeys) {
      if (limits.onLimit === 'drop-new') return false;
      if (limits.onLimit === 'error') throw limitExceeded(limits.maxKeys);
      this.admission.counts.evicted++;
      this.forget(this.idle!.idlest());
    }
    return true;
  }
}

/**
 * Makes the core of `dropDuplicates`, for whoever moves the clock by hand, or wants to look at it beside the pipe.
 *
 * @returns A function of the configuration, so that the event type can be given and the rest inferred.
 * @throws RollingWindowError for whatever is wrong with the configuration.
 * @example
 * const orders = createDeduplicator<Order>()({ by: 'id', orderBy: 'at', within: '1 hour' });
 * orders.push({ id: 7, at: 1000 }, 1000); // 'passed'
 * orders.push({ id: 7, at: 1000 }, 1001); // 'duplicate'
 * orders.advance(1001); // [{ id: 7, at: 1000 }]
 */
export function createDeduplicator<E>(): <Time = PlainTime>(config: DeduplicatorConfig<E, Time>) => Deduplicator<E> {
  return (config) => new KeyedDeduplicator(deduplicatorPlanOf(config as unknown as AnyDeduplicatorConfig)) as never;
}

