import type { StateContext, StateTimer } from '../../operators/state/index.ts';

/*
 * Keyed state and duplicates by the letter of the rules: lists of everything, nothing forgotten that need not be, each
 * question answered by looking at all of it.
 */

export interface NaiveEvent {
  readonly k: string | number | null | undefined;
  readonly t: number;
}

const text = (key: NaiveEvent['k']): string => `${typeof key} ${String(key ?? null)}`.replace('undefined', 'object');

/** A watermark: every arrival is kept, and each evaluation looks at those of earlier readings. */
class NaiveWatermark {
  value: number = -Infinity;
  private readonly arrivals: { readonly counts: number; readonly reading: number }[] = [];
  private readonly delay: number | undefined;

  constructor(delay: number | undefined) {
    this.delay = delay;
  }

  admit(t: number, reading: number): void {
    this.arrivals.push({ counts: Math.min(t, reading), reading });
  }

  evaluate(now: number): void {
    if (this.delay === undefined) return;
    for (const { counts, reading } of this.arrivals) if (reading < now) this.value = Math.max(this.value, counts - this.delay);
  }
}

export class NaiveDeduplicator<E extends NaiveEvent> {
  readonly watermark: NaiveWatermark;
  private readonly within: number | undefined;
  private readonly passed: E[] = [];

  constructor(within: number | undefined, watermarkDelay: number | undefined) {
    this.within = within;
    this.watermark = new NaiveWatermark(watermarkDelay ?? within);
  }

  push(event: E, now: number): 'passed' | 'duplicate' | 'late' | 'invalid' {
    if (Number.isNaN(event.t)) return 'invalid';
    if (event.t <= this.watermark.value) return 'late';
    this.watermark.admit(event.t, now);
    const { within = Infinity } = this;
    if (this.passed.some(({ k, t }) => text(k) === text(event.k) && Math.abs(t - event.t) < within)) return 'duplicate';
    this.passed.push(event);
    return 'passed';
  }

  /** The keys of which a duplicate could still come. */
  get keys(): number {
    const { within = Infinity } = this;
    return new Set(this.passed.filter(({ t }) => t + within > this.watermark.value).map(({ k }) => text(k))).size;
  }
}

export interface NaiveRules<E, State> {
  readonly mode: 'eventTime' | 'processingTime';
  readonly delay: number;
  readonly watermark: number | undefined;
  readonly ttl: number;
  readonly maxKeys: number;
  readonly onLimit: 'evict-idle' | 'drop-new';
  readonly init: () => State;
  readonly onEvent: (state: State, event: E, context: StateContext<State, unknown>) => unknown[];
  readonly onTimer: (state: State, timer: StateTimer, context: StateContext<State, unknown>) => unknown[];
}

interface NaiveKey<State> {
  readonly k: NaiveEvent['k'];
  readonly since: number;
  state: State;
  timers: StateTimer[];
  touched: number;
  touches: number;
}

export class NaiveKeyedState<E extends NaiveEvent, State> {
  readonly watermark: NaiveWatermark;
  keys: NaiveKey<State>[] = [];
  held: { readonly at: number; readonly order: number; readonly event: E }[] = [];
  removed: unknown[] = [];
  frontier: number = -Infinity;
  private readonly rules: NaiveRules<E, State>;
  private gone: NaiveEvent['k'][] = [];
  private out: unknown[] = [];
  private count = 0;
  private now: number = -Infinity;
  private arrived: number = -Infinity;

  constructor(rules: NaiveRules<E, State>) {
    this.rules = rules;
    this.watermark = new NaiveWatermark(rules.watermark);
  }

  push(event: E, reading: number): 'accepted' | 'late' {
    if (event.t <= this.watermark.value) return 'late';
    this.watermark.admit(event.t, reading);
    this.arrived = Math.max(this.arrived, this.now, reading - this.rules.delay);
    this.held.push({ at: this.rules.mode === 'eventTime' ? Math.max(event.t, this.arrived) : this.arrived, order: this.count++, event });
    return 'accepted';
  }

  /** What leaves, or the first error. */
  advance(reading: number): unknown[] | { readonly error: unknown } {
    const { rules } = this, errors: unknown[] = [];
    this.frontier = Math.max(this.frontier, reading - rules.delay);
    const until = Math.max(this.frontier, this.arrived);
    for (let due = this.nextDue(); due !== undefined && due.at <= until; due = this.nextDue()) {
      this.now = Math.max(this.now, due.at);
      try {
        due.act();
      } catch (error) {
        errors.push(error);
      }
    }
    this.now = Math.max(this.now, until);
    this.watermark.evaluate(reading);
    this.removed = [];
    if (errors.length > 0) return { error: errors[0] };
    const { out } = this;
    this.out = [];
    this.removed = this.gone.filter((k) => !this.keys.some((key) => text(key.k) === text(k)));
    this.gone = [];
    return out;
  }

  /** The first of all that is to happen: by time, timers before expiries before events, timers by key and name. */
  nextDue(): { readonly at: number; readonly act: () => void } | undefined {
    const { keys, held, rules } = this;
    const all = [
      ...keys.flatMap((key) => key.timers.map((timer) => ({ at: timer.at, order: [0, key.since, timer.name] as const, act: () => this.fire(key, timer) }))),
      ...keys.map((key) => ({ at: key.touched + rules.ttl, order: [1, key.touches, ''] as const, act: () => this.forget(key) })),
      ...held.map((one) => ({ at: one.at, order: [2, one.order, ''] as const, act: () => this.enter(one) })),
    ];
    const compare = <T extends number | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
    all.sort((a, b) => compare(a.at, b.at) || compare(a.order[0], b.order[0]) || compare(a.order[1], b.order[1]) || compare(a.order[2], b.order[2]));
    return all[0] && all[0].at < Infinity ? all[0] : undefined;
  }

  /** An error came before what was to leave. */
  get owes(): boolean {
    return this.out.length > 0 || this.gone.length > 0;
  }

  private fire(key: NaiveKey<State>, timer: StateTimer): void {
    key.timers = key.timers.filter((one) => one !== timer);
    this.call(key, (context) => this.rules.onTimer(key.state, timer, context));
  }

  private enter(one: { readonly event: E }): void {
    const { k } = one.event, { rules } = this;
    this.held = this.held.filter((other) => other !== one);
    let key = this.keys.find((other) => text(other.k) === text(k));
    if (!key) {
      while (this.keys.length >= rules.maxKeys) {
        if (rules.onLimit === 'drop-new') return;
        this.forget([...this.keys].sort((a, b) => a.touches - b.touches)[0]!);
      }
      key = { k, since: this.count++, state: rules.init(), timers: [], touched: 0, touches: 0 };
      this.keys.push(key);
    }
    const found = key;
    this.call(found, (context) => rules.onEvent(found.state, one.event, context));
  }

  private call(key: NaiveKey<State>, callback: (context: StateContext<State, unknown>) => unknown[]): void {
    key.touched = this.now;
    key.touches = this.count++;
    const fate = { cleared: false };
    const without = (name: string): StateTimer[] => key.timers.filter((timer) => timer.name !== name);
    try {
      const given = callback({
        key: { k: key.k },
        now: this.now,
        watermark: this.watermark.value,
        replace: (state) => (key.state = state),
        setTimer: (at, name = '') => (key.timers = [...without(name), { at, name }]),
        cancelTimer(name = '') {
          const there = key.timers.some((timer) => timer.name === name);
          key.timers = without(name);
          return there;
        },
        timer: (name = '') => key.timers.find((timer) => timer.name === name)?.at,
        clear: () => (fate.cleared = true),
      });
      this.out.push(...given);
    } catch (error) {
      this.forget(key);
      throw error;
    }
    if (fate.cleared) this.forget(key);
  }

  private forget(key: NaiveKey<State>): void {
    this.gone.push(key.k ?? null);
    this.keys = this.keys.filter((other) => other !== key);
  }
}
