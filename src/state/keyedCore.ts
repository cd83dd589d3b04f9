import { NO_SLOT } from '../keys/keyTable.ts';
import type { KeyPart } from '../keys/partitionKey.ts';
import { Admission, type AdmissionState, type Refusal } from './admission.ts';
import { initialState, valuesOf } from './callbacks.ts';
import { KeyContext } from './keyContext.ts';
import type { KeyedStatePlan, KeyedStateStats } from './keyedStateConfig.ts';
import { KeyStates, type KeyStatesAtRest } from './keyStates.ts';
import { limitExceeded } from './limitExceeded.ts';
import { Queue } from './queue.ts';

/** An event that no callback has seen: until the frontier reaches it, or until the next evaluation. */
interface Held {
  /** When it is due: in event time when the frontier reaches it, or where the frontier was when it came; in processing time when it came. */
  readonly at: number;
  readonly order: number;
  readonly time: number;
  readonly key: readonly KeyPart[];
  readonly event: unknown;
}

type Key = Record<string, unknown>;
type Counts = Record<'emitted' | 'timersFired' | 'expired', number>;

/** A keyed state at rest, as plain values. */
export interface KeyedCoreState {
  readonly admission: AdmissionState;
  readonly now: number;
  readonly arrived: number;
  readonly order: number;
  readonly counts: Counts;
  readonly keys: KeyStatesAtRest;
  readonly held: readonly Held[];
  readonly owed: readonly unknown[];
  readonly gone: readonly Key[];
}

/**
 * States, timers and held events, and the one line of time along which they take their turns.
 *
 * An evaluation goes from where the last one ended to where the clock is now, and stops at each instant at which something is
 * due: first the timers of that instant, then keys that expire, then events. So it makes no difference whether evaluations
 * are many or few: what was due in between happens in its order, and with the `now` that it was due at. An event behind the
 * frontier enters where the frontier was when it came, not where the last evaluation had left it.
 */
export class KeyedCore {
  readonly admission: Admission;
  readonly states: KeyStates;
  removed: readonly Key[] = [];
  /** A callback is under way. */
  isRunning = false;
  private readonly plan: KeyedStatePlan;
  private readonly held = new Queue<Held>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order));
  /** Where the line of time is. */
  private now: number = -Infinity;
  /** Where the line was at the latest arrival: the next evaluation gets there, even where the clock was set back meanwhile. */
  private arrived: number = -Infinity;
  private order = 0;
  private counts: Counts = { emitted: 0, timersFired: 0, expired: 0 };
  /** What is to leave. After an error it waits for the next evaluation. */
  private out: unknown[] = [];
  /** Keys that went since `removed`. */
  private gone: Key[] = [];

  private readonly keyOf = (slot: number): Key => this.admission.keyObject(this.states.keyOf(slot));

  constructor(plan: KeyedStatePlan) {
    this.plan = plan;
    this.admission = new Admission(plan.admission);
    this.states = new KeyStates(plan.admission.keyColumns.length, plan.ttl, plan.admission.limits !== undefined);
  }

  push(event: unknown, now: number): 'taken' | 'held' | Refusal {
    const { admission, plan } = this;
    const refusal = admission.judge(event, now);
    if (refusal !== undefined) return refusal;
    const { time, key } = admission;
    admission.take(now);
    this.arrived = Math.max(this.arrived, this.now, now - admission.frontier.delay);
    const isHeld = plan.inEventTime && time > this.arrived;
    this.held.push({ at: isHeld ? time : this.arrived, order: this.order++, time, key, event });
    return isHeld ? 'held' : 'taken';
  }

  /** Moves the line of time to a clock reading. What user code threw leaves at the end, when all else has happened. */
  advance(now: number): unknown[] {
    const { admission } = this, errors: unknown[] = [];
    admission.frontier.advance(now);
    this.isRunning = true;
    this.runUntil(Math.max(admission.frontier.value, this.arrived), errors);
    this.isRunning = false;
    admission.watermarks?.advance(now);
    admission.batch++;
    if (errors.length > 0) {
      this.removed = [];
      throw errors[0];
    }
    const { out } = this;
    this.out = [];
    this.counts.emitted += out.length;
    this.removed = this.gone.filter((key) => this.states.find(admission.askedKey(key)) === NO_SLOT);
    this.gone = [];
    return out;
  }

  nextBoundary(): number | undefined {
    const { out, gone, admission: { frontier } } = this;
    if (out.length > 0 || gone.length > 0) return frontier.reading; // an error came between
    const next = Math.min(this.states.timers.next(), this.states.nextExpiry(), this.held.first()?.at ?? Infinity);
    if (next === Infinity) return undefined;
    return next === -Infinity ? frontier.reading : frontier.readingFor(next);
  }

  get stats(): KeyedStateStats {
    const { admission, states, held, counts } = this;
    return { ...admission.statsWith(states.size), ...counts, timers: states.timers.size, held: held.size };
  }

  save(): KeyedCoreState {
    const { admission, plan, states, held, now, arrived, order, counts, out, gone } = this;
    return {
      admission: admission.snapshot(),
      now,
      arrived,
      order,
      counts,
      keys: states.snapshot(plan.state),
      held: held.inOrder().map((one) => ({ ...one, event: plan.event.encode(one.event) })),
      owed: out,
      gone,
    };
  }

  /** Takes over what `save` gave, into a core that holds nothing. */
  load({ admission, now, arrived, order, counts, keys, held, owed, gone }: KeyedCoreState): void {
    const { plan } = this;
    this.admission.restore(admission);
    Object.assign(this, { now, arrived, order, counts: { ...counts }, out: [...owed], gone: [...gone] });
    this.states.restore(keys, plan.state, now);
    for (const one of held) this.held.push({ ...one, event: plan.event.decode(one.event) });
  }

  private runUntil(until: number, errors: unknown[]): void {
    const { states, held } = this;
    for (;;) {
      const timer = states.timers.next(), expiry = states.nextExpiry(), event = held.first()?.at ?? Infinity;
      const at = Math.min(timer, expiry, event);
      if (at > until || at === Infinity) break;
      // An event that arrived before the clock was read for the first time arrived when it is read.
      this.now = Math.max(this.now, at === -Infinity ? until : at);
      try {
        if (timer === at) this.fire();
        else if (expiry === at) this.expire();
        else this.enter(held.pop()!);
      } catch (error) {
        errors.push(error);
      }
    }
    this.now = Math.max(this.now, until);
  }

  private fire(): void {
    const { slot, name, at } = this.states.timers.take();
    this.counts.timersFired++;
    this.call(slot, 'onTimer', { name, at });
  }

  private expire(): void {
    this.counts.expired++;
    this.forget(this.states.idlest());
  }

  private enter({ key, event, time }: Held): void {
    const { states } = this;
    const found = states.find(key);
    if (found === NO_SLOT && !this.makeRoom()) {
      this.admission.counts.limited++;
      return this.admission.drop(event, 'limit', time, this.watermark);
    }
    const slot = found === NO_SLOT ? states.open(key, initialState(this.plan, this.admission.keyObject(key))) : found;
    this.call(slot, 'onEvent', event);
  }

  /** Where a callback throws, nothing of what it gave leaves, and the key goes: its state may be half updated, and no copy was made. */
  private call(slot: number, name: 'onEvent' | 'onTimer', what: unknown): void {
    const { states, admission, now } = this;
    states.touch(slot, now);
    const context = new KeyContext(states, slot, this.keyOf, now, this.watermark, this.plan.onTimer !== undefined);
    try {
      for (const value of valuesOf(this.plan, name, states.stateOf(slot), what, context)) this.out.push(value);
    } catch (error) {
      admission.counts.evicted++;
      this.forget(slot);
      throw error;
    }
    if (context.isCleared) this.forget(slot);
  }

  private forget(slot: number): void {
    this.gone.push(this.keyOf(slot));
    this.states.drop(slot);
  }


  private get watermark(): number {
    return this.admission.watermarks?.value ?? -Infinity;
  }

  /** Whether there is room for one more key, after forgetting another where that is the policy. */
  private makeRoom(): boolean {
    const { states, admission: { plan: { limits }, counts } } = this;
    while (limits !== undefined && states.size >= limits.maxKeys) {
      if (limits.onLimit === 'drop-new') return false;
      if (limits.onLimit === 'error') throw limitExceeded(limits.maxKeys);
      counts.evicted++;
      this.forget(states.idlest());
    }
    return true;
  }
}
