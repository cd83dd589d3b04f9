import { Watermarks } from './admission/watermarks.ts';
import type { Column } from './admission/column.ts';
import type { DropReason } from './config.ts';
import { Emission } from './emission/emission.ts';
import type { Row } from './emission/row.ts';
import type { EngineStats, PushResult } from './engineTypes.ts';
import { RollingWindowError, shown } from './errors.ts';
import { DirtyKeys } from './keys/dirtyKeys.ts';
import { IdleKeys } from './keys/idleKeys.ts';
import { KeyTable, NO_SLOT } from './keys/keyTable.ts';
import { indexOf, INVALID_KEY, keyPart, shownPart, type KeyPart } from './keys/partitionKey.ts';
import { openColumns, type Plan } from './plan.ts';
import { checkReading, Frontier } from './time/frontier.ts';
import { Boundaries } from './windows/boundaries.ts';
import { Lanes } from './windows/lanes.ts';
import { NumericKernel } from './windows/numericKernel.ts';
import { RunningKernel } from './windows/runningKernel.ts';
import { Windows } from './windows/windows.ts';

type Event = Record<string, unknown>;
export type Key = Record<string, unknown>;

type Counts = { -readonly [Count in 'rows' | 'late' | 'future' | 'invalid' | 'outside' | 'evicted' | 'limited']: number };

/** How long one look at the lower edge serves arrivals: see `isOutside`. */
const HORIZON_STEP = 60_000;

/** The state of an engine, and what moves it. */
export class Core {
  readonly plan: Plan;
  /** The clock is the events' own: nothing can be ahead of it. */
  eventTimeClock = false;
  /** Evaluations done. */
  batch = 0;
  /** Events offered. */
  position = 0;
  removed: Key[] = [];
  readonly frontier: Frontier;
  readonly watermarks: Watermarks | undefined;

  private readonly keys: KeyTable;
  private readonly dirty = new DirtyKeys();
  private readonly idle: IdleKeys | undefined;
  private readonly columns: Column[];
  private readonly lanes: Lanes;
  private readonly windows: Windows;
  private readonly boundaries: Boundaries;
  private readonly emission: Emission;
  private counts: Counts = { rows: 0, late: 0, future: 0, invalid: 0, outside: 0, evicted: 0, limited: 0 };
  /** The lower edges at the frontier. */
  private readonly cutoffs: Float64Array;
  /** Events at or before it are in no bounded window. */
  private floor = -Infinity;
  private horizonUntil = -Infinity;
  private horizonFloor = -Infinity;
  private readonly key: KeyPart[];
  private readonly passed: boolean[];
  /** Keys evicted since the last evaluation. */
  private evicted: Key[] = [];
  /** Rows of an evaluation that user code broke off: the next one hands them on. */
  private owed: Row[] = [];

  constructor(plan: Plan) {
    this.plan = plan;
    this.frontier = new Frontier(plan.delay);
    this.watermarks = plan.watermark && new Watermarks(plan.watermark.delay);
    this.keys = new KeyTable(plan.keyColumns.length);
    this.idle = plan.limits && new IdleKeys();
    this.columns = openColumns(plan);
    this.cutoffs = new Float64Array(plan.lookbacks.length).fill(-Infinity);
    const sources = plan.measures.map(({ measure: { aggregate, kind }, column, predicate, lookback }) => ({
      aggregate,
      column: this.columns[column],
      predicate,
      lookback,
      raw: kind === 'any' || kind === 'key',
    }));
    this.lanes = new Lanes(sources, plan.lookbacks.length);
    this.windows = new Windows(this.lanes.store, this.lanes, this.cutoffs, plan.hasLifetime);
    this.boundaries = new Boundaries(plan.lookbacks, this.dirty);
    const outputs = plan.measures.map(({ measure: { name, aggregate } }) => ({ name, empty: aggregate.finish(aggregate.zero()) }));
    this.emission = new Emission(this.keys, plan.keyColumns, plan.alias, outputs, this.lanes.answers);
    this.key = plan.keyColumns.map(() => null);
    this.passed = plan.predicates.map(() => false);
  }

  // ---- an event arrives ---------------------------------------------------------------------------------------------
  push(given: unknown, now: number): PushResult {
    checkReading(now);
    const { plan, frontier, watermarks } = this;
    const event = (given ?? {}) as Event;
    const time = plan.time.read(event[plan.orderBy]);
    if (!(time - time === 0)) return this.refuse(given, now, 'invalid-time', NaN, plan.orderBy);
    if (!this.readKey(event)) return this.refuse(given, now, 'invalid-key', time, plan.keyColumns.join(', '));
    const by = plan.watermark?.by;
    const source = by === undefined ? null : keyPart(event[by]);
    if (source === INVALID_KEY) return this.refuse(given, now, 'invalid-key', time, by!);
    const origin = by === undefined ? null : indexOf(source);
    const watermark = watermarks === undefined ? -Infinity : watermarks.valueOf(origin);
    if (time <= watermark) {
      this.counts.late++;
      return this.dropped(given, now, 'late', time, watermark, watermark - time, 'late');
    }

    const guarded = plan.maxFutureSkew !== false && !this.eventTimeClock && now !== -Infinity;
    const isFuture = guarded && time > now + (plan.maxFutureSkew as number);
    if (isFuture && plan.onFuture !== 'hold') return this.refuseFuture(given, now, time, watermark);
    const horizon = frontier.at(now);
    const outside = !plan.hasLifetime && this.isOutside(time, horizon);
    let slot = NO_SLOT;
    if (!outside) {
      for (let p = 0; p < this.passed.length; p++) this.passed[p] = Boolean(plan.predicates[p]!(given));
      if (!this.lanes.read(event, this.passed)) return this.refuse(given, now, 'invalid-value', time, this.columns.map(({ name }) => name).join(', '));
      slot = this.keys.find(this.key);
      if (plan.limits && !this.makeRoom(slot, time)) {
        this.counts.limited++;
        return this.dropped(given, now, 'limit', time, watermark, 0, 'limit');
      }
    }

    // Nothing has moved up to here, so whatever threw has changed nothing.
    this.position++;
    frontier.read(now);
    if (isFuture) this.counts.future++;
    watermarks?.observe(origin, guarded ? Math.min(time, now) : time, now);
    if (outside) {
      this.counts.outside++;
      return 'outside';
    }
    this.store(event, time, now, slot);
    return time > horizon ? 'held' : 'counted';
  }

  private readKey(event: Event): boolean {
    const { key, plan } = this;
    for (let c = 0; c < key.length; c++) {
      const part = keyPart(event[plan.keyColumns[c]!]);
      if (part === INVALID_KEY) return false;
      key[c] = part;
    }
    return true;
  }

  /**
   * Whether an event lies before every window at the horizon. An edge by the calendar is dear to compute, and nearly
   * every event is younger than the edge will be a minute on: that one is computed once a minute.
   */
  private isOutside(time: number, horizon: number): boolean {
    const longest = this.plan.lookbacks.at(-1);
    if (longest === undefined) return true;
    if (horizon === -Infinity) return false;
    if (!(horizon <= this.horizonUntil && horizon > this.horizonUntil - HORIZON_STEP)) {
      this.horizonUntil = horizon + HORIZON_STEP;
      this.horizonFloor = longest.lower(this.horizonUntil);
    }
    return time <= this.horizonFloor && time <= longest.lower(horizon);
  }

  private store(event: Event, time: number, now: number, found: number): void {
    const { lanes, windows, frontier, passed } = this;
    if (lanes.untyped) lanes.settleTypes(event, passed);
    // Making room may have dropped the key.
    const slot = found !== NO_SLOT && this.keys.isOpen(found) ? found : this.open();
    this.idle?.touch(slot, now);
    if (time <= frontier.value) this.dirty.mark(slot);
    try {
      if (time <= this.floor) return windows.insertIntoLifetime(slot, time, lanes.numbers, lanes.cells);
      windows.insert(slot, time, lanes.numbers, lanes.cells, frontier.value);
    } catch (error) {
      // Only an aggregate of the user's can throw here: no half-updated key stays.
      this.evict(slot);
      throw error;
    }
    this.boundaries.add(time, slot, frontier.value, this.cutoffs);
  }

  private open(): number {
    const slot = this.keys.add(this.key);
    this.windows.open(slot);
    this.emission.open(slot);
    return slot;
  }

  // ---- an event is not wanted ---------------------------------------------------------------------------------------
  private refuse(event: unknown, now: number, reason: 'invalid-time' | 'invalid-key' | 'invalid-value', time: number, columns: string): PushResult {
    if (this.plan.onInvalid === 'error') {
      const expected = {
        'invalid-time': `a time in column ${columns} that the time adapter reads`,
        'invalid-key': `strings, numbers, bigints, booleans, dates or null in column ${columns}`,
        'invalid-value': `values in ${this.columns.map((column) => `${column.name} (${column.expected})`).join(', ')}`,
      }[reason];
      throw new RollingWindowError(reason, { expected, given: shown(event), remedy: "Mend the event, or count such events with onInvalid: 'drop'" });
    }
    this.counts.invalid++;
    return this.dropped(event, now, reason, time, this.watermarks?.value ?? -Infinity, 0, 'invalid');
  }

  private refuseFuture(event: unknown, now: number, time: number, watermark: number): PushResult {
    if (this.plan.onFuture === 'error') {
      throw new RollingWindowError('future-event', {
        expected: `event times at most ${String(this.plan.maxFutureSkew)} ms ahead of the clock`,
        given: `${String(time)} at clock reading ${String(now)}`,
        remedy: "Use onFuture: 'hold' or 'drop', another maxFutureSkew, or a time adapter if the unit is wrong",
      });
    }
    this.counts.future++;
    return this.dropped(event, now, 'future', time, watermark, 0, 'future');
  }

  private dropped(event: unknown, now: number, reason: DropReason, eventTime: number, watermark: number, lateBy: number, result: PushResult): PushResult {
    this.position++;
    this.frontier.read(now);
    this.plan.dropped?.next({ event, reason, eventTime, watermark, lateBy });
    return result;
  }

  // ---- limits -------------------------------------------------------------------------------------------------------
  /** Whether the event can be taken in, after evicting idle keys where that is the policy. */
  private makeRoom(slot: number, time: number): boolean {
    const { maxKeys, maxEvents, onLimit } = this.plan.limits!;
    const isFull = (): boolean => (slot === NO_SLOT && this.keys.size >= maxKeys) || (time > this.floor && this.windows.events >= maxEvents);
    while (isFull()) {
      if (onLimit === 'drop-new') return false;
      if (onLimit === 'error') {
        throw new RollingWindowError('limit-exceeded', {
          expected: `at most ${String(maxKeys)} keys and ${String(maxEvents)} events`,
          given: 'one more',
          remedy: "Raise limits.maxKeys or limits.maxEvents, or use onLimit: 'evict-idle' or 'drop-new'",
        });
      }
      const other = this.idle!.idlest(slot);
      this.evict(other === NO_SLOT ? slot : other);
    }
    return true;
  }

  private evict(slot: number): void {
    this.counts.evicted++;
    this.evicted.push(this.keyOf(slot));
    this.drop(slot);
  }

  private drop(slot: number): void {
    this.windows.drop(slot);
    this.keys.drop(slot);
    this.idle?.remove(slot);
  }

  private evictExpired(now: number): void {
    const { keyTtl } = this.plan.limits!;
    for (;;) {
      const slot = this.idle!.idlest();
      if (slot === NO_SLOT || !(this.idle!.readingOf(slot) <= now - keyTtl)) return;
      this.evict(slot);
    }
  }

  // ---- an evaluation ------------------------------------------------------------------------------------------------
  advance(now: number): Row[] {
    checkReading(now);
    this.moveFrontier(now);
    if (this.plan.limits) this.evictExpired(now);
    this.removed = this.evicted;
    this.evicted = [];
    this.boundaries.sweep(this.frontier.value, this.cutoffs);
    this.settleDirty();
    const rows = this.emitChanges();
    this.dirty.clear();
    if (this.keys.size === 0) this.boundaries.clear();
    this.watermarks?.advance(now);
    this.counts.rows += rows.length;
    this.batch++;
    return rows;
  }

  private moveFrontier(now: number): void {
    const { frontier, cutoffs } = this;
    const before = frontier.value;
    frontier.advance(now);
    if (frontier.value > before) this.cutoffsAt(frontier.value, cutoffs);
    this.floor = cutoffs.length > 0 ? cutoffs[cutoffs.length - 1]! : frontier.value;
  }

  private cutoffsAt(frontier: number, cutoffs: Float64Array): Float64Array {
    for (let l = 0; l < cutoffs.length; l++) cutoffs[l] = this.plan.lookbacks[l]!.lower(frontier);
    return cutoffs;
  }

  private settleDirty(): void {
    const { dirty, windows, keys, frontier } = this;
    for (let i = 0; i < dirty.count; i++) {
      const slot = dirty.slots[i]!;
      if (!keys.isOpen(slot)) continue;
      try {
        windows.settle(slot, frontier.value);
      } catch (error) {
        this.evict(slot);
        throw error;
      }
    }
  }

  private emitChanges(): Row[] {
    const rows = this.owed;
    this.owed = [];
    if (this.plan.emit === 'every') for (const slot of this.keys.slots()) this.emit(slot, rows);
    else for (let i = 0, { dirty } = this; i < dirty.count; i++) if (this.keys.isOpen(dirty.slots[i]!)) this.emit(dirty.slots[i]!, rows);
    return rows;
  }

  /** Adds the key's row where one is due, and drops a key that nothing is left of. */
  private emit(slot: number, rows: Row[]): void {
    const { plan, windows, emission, frontier } = this;
    if (plan.emit !== 'none') {
      try {
        windows.answer(slot);
        emission.take(slot);
        if (emission.changed(slot) || plan.emit === 'every') rows.push(emission.row(slot, plan.time.write(frontier.value)));
      } catch (error) {
        this.evict(slot);
        this.owed = rows;
        throw error;
      }
    }
    if (plan.hasLifetime || !windows.isEmpty(slot)) return;
    this.removed.push(this.keyOf(slot));
    this.drop(slot);
  }

  private keyOf(slot: number): Key {
    return this.keyObject(this.keys.keyOf(slot));
  }

  private keyObject(parts: readonly KeyPart[]): Key {
    return Object.fromEntries(this.plan.keyColumns.map((name, c) => [name, shownPart(parts[c]!)]));
  }

  // ---- questions ----------------------------------------------------------------------------------------------------
  nextBoundary(asked?: unknown): number | undefined {
    const next = asked === undefined ? this.nextOfAll() : this.nextOf(this.slotOf(asked));
    if (next === -Infinity) return this.frontier.reading; // something waits for the next evaluation, whenever that is
    return next === Infinity ? undefined : this.frontier.readingFor(next);
  }

  private nextOfAll(): number {
    return this.dirty.count > 0 || this.owed.length > 0 ? -Infinity : this.boundaries.next();
  }

  private nextOf(slot: number): number {
    if (slot === NO_SLOT) return Infinity;
    if (this.dirty.has(slot)) return -Infinity;
    const { lookbacks } = this.plan;
    let next = this.windows.firstAbove(slot, lookbacks.length, this.frontier.value);
    lookbacks.forEach((edge, l) => {
      const time = this.windows.firstAbove(slot, l, this.cutoffs[l]!);
      if (time < Infinity) next = Math.min(next, edge.leavesAt(time));
    });
    return next;
  }

  query(asked: unknown, now: number = this.frontier.reading): Row {
    checkReading(now);
    const { plan, emission, windows } = this;
    const slot = this.slotOf(asked);
    const frontier = this.frontier.at(now);
    const written = plan.time.write(frontier);
    if (slot === NO_SLOT) return this.emptyRow(written);
    if (frontier === this.frontier.value && !this.dirty.has(slot)) {
      windows.answer(slot);
      emission.take(slot);
    } else {
      const cutoffs = this.cutoffsAt(frontier, new Float64Array(this.cutoffs));
      windows.answerAt(slot, frontier, cutoffs);
      emission.take(slot);
      this.lanes.answers.forEach((answer, i) => {
        if (answer instanceof RunningKernel) emission.put(i, this.runningAt(answer, slot, frontier, cutoffs));
      });
    }
    return emission.row(slot, written);
  }

  /** What a running summary would say at a later frontier. */
  private runningAt(kernel: RunningKernel, slot: number, frontier: number, cutoffs: Float64Array): unknown {
    const lasting = kernel.lookback === cutoffs.length;
    let state = kernel.copy(slot, lasting);
    this.windows.scan(slot, kernel.lookback, frontier, lasting ? -Infinity : cutoffs[kernel.lookback]!, (from, to) => {
      state = kernel.fold(state, from, to);
      return false;
    });
    return kernel.finish(state);
  }

  private emptyRow(frontier: unknown): Row {
    const answers = this.plan.measures.map(({ measure: { name, aggregate } }) => [name, aggregate.finish(aggregate.zero())]);
    return { ...this.keyObject(this.key), [this.plan.alias]: frontier, ...(Object.fromEntries(answers) as Row) };
  }

  /** Reads the key that was asked for; its parts are then in `key`. */
  private slotOf(asked: unknown): number {
    if (typeof asked !== 'object' || asked === null || !this.readKey(asked as Event)) {
      throw new RollingWindowError('invalid-key', {
        expected: `an object with the partition columns (${this.plan.keyColumns.join(', ')})`,
        given: shown(asked),
        remedy: "For instance query({ region: 'eu' })",
      });
    }
    return this.keys.find(this.key);
  }

  get stats(): EngineStats {
    const { keys, windows, dirty, idle, emission, lanes, boundaries, frontier } = this;
    return {
      keys: keys.size,
      events: windows.events,
      held: this.held(),
      bytes: keys.bytes + dirty.bytes + (idle?.bytes ?? 0) + lanes.bytes + windows.bytes + boundaries.bytes + emission.bytes,
      ...this.counts,
      clockRegressions: frontier.regressions,
    };
  }

  /** Events that the frontier would not reach at the last reading. */
  private held(): number {
    const horizon = this.frontier.at(this.frontier.reading);
    if (this.plan.limits === undefined) return this.boundaries.heldBeyond(horizon);
    // Of an evicted key the boundaries stay behind, so the events themselves are counted.
    let held = 0;
    for (const slot of this.keys.slots()) {
      this.windows.scan(slot, this.cutoffs.length, Infinity, horizon, (from, to) => {
        held += to - from;
        return false;
      });
    }
    return held;
  }

  // ---- at rest ------------------------------------------------------------------------------------------------------
  /** The whole state as plain values. */
  save(): CoreState {
    const { lanes, windows, cutoffs, frontier } = this;
    const slots = [...this.keys.slots()];
    const indexes = new Map(slots.map((slot, i) => [slot, i]));
    const last = cutoffs.length - 1;
    const events = lanes.emptyEvents();
    const counts: number[] = [], entered: number[] = [];
    for (const slot of slots) {
      let count = 0, waiting = 0;
      windows.scan(slot, Math.max(last, 0), Infinity, last < 0 ? -Infinity : cutoffs[last]!, (from, to) => {
        lanes.copyEvents(from, to, events);
        count += to - from;
        return false;
      });
      windows.scan(slot, cutoffs.length, Infinity, -Infinity, (from, to) => {
        waiting += to - from;
        return false;
      });
      counts.push(count);
      entered.push(count - waiting);
    }
    const idle = this.idle?.snapshot() ?? { slots: [], readings: [] };
    return {
      frontier: { value: frontier.value, reading: frontier.reading, regressions: frontier.regressions },
      watermarks: this.watermarks?.snapshot() ?? [],
      position: this.position,
      batch: this.batch,
      counts: this.counts,
      columnTypes: this.columns.map(({ type }) => type),
      keys: slots.map((slot) => this.keys.keyOf(slot)),
      counted: Int32Array.from(counts),
      entered: Int32Array.from(entered),
      events: { times: Float64Array.from(events.times), numbers: events.numbers.map((lane) => Float64Array.from(lane)), cells: events.cells },
      lifetimes: slots.map((slot) => this.lifetimeKernels.map((kernel) => (kernel instanceof NumericKernel ? kernel.snapshotLifetime(slot) : kernel.snapshot(slot)))),
      lastRows: slots.map((slot) => this.emission.snapshot(slot)),
      dirty: [...this.dirty.snapshot()].flatMap((slot) => indexes.get(slot) ?? []),
      idle: { slots: idle.slots.map((slot) => indexes.get(slot)!), readings: idle.readings },
      evicted: this.evicted,
      owed: this.owed,
    };
  }

  /** Takes over a state that `save` gave, into an engine that has none. */
  load(state: CoreState): void {
    const { lanes, windows, frontier, plan } = this;
    Object.assign(frontier, state.frontier);
    if (frontier.value > -Infinity) this.cutoffsAt(frontier.value, this.cutoffs);
    this.floor = plan.lookbacks.length > 0 ? this.cutoffs.at(-1)! : frontier.value;
    this.watermarks?.restore(state.watermarks);
    this.position = state.position;
    this.batch = state.batch;
    this.counts = { ...state.counts };
    this.columns.forEach((column, i) => {
      column.type = state.columnTypes[i];
      if (column.type !== undefined) lanes.turn(column);
    });
    lanes.checkTypes();

    const boundaries: { readonly time: number; readonly slot: number }[] = [];
    let at = 0;
    state.keys.forEach((key, i) => {
      key.forEach((part, c) => (this.key[c] = part));
      const slot = this.open();
      const insert = (count: number): void => {
        for (; count > 0; count--, at++) {
          const time = lanes.load(state.events, at);
          windows.insert(slot, time, lanes.numbers, lanes.cells, frontier.value);
          boundaries.push({ time, slot });
        }
      };
      insert(state.entered[i]!);
      windows.settle(slot, frontier.value);
      this.lifetimeKernels.forEach((kernel, k) => {
        if (kernel instanceof NumericKernel) kernel.restoreLifetime(slot, state.lifetimes[i]![k] as number[]);
        else kernel.restore(slot, state.lifetimes[i]![k]);
      });
      insert(state.counted[i]! - state.entered[i]!);
      this.emission.restore(slot, state.lastRows[i]!);
    });

    boundaries.sort((a, b) => a.time - b.time);
    for (const { time, slot } of boundaries) this.boundaries.add(time, slot, frontier.value, this.cutoffs);
    this.boundaries.sweep(frontier.value, this.cutoffs); // what it marks was seen before the snapshot
    this.dirty.restore(Int32Array.from(state.dirty));
    this.idle?.restore(state.idle);
    this.evicted = state.evicted;
    this.owed = state.owed;
  }

  /** What keeps a state per key that no stored event can give back. */
  private get lifetimeKernels(): (NumericKernel | RunningKernel)[] {
    if (!this.plan.hasLifetime) return [];
    // In the order of the plan: summaries came to be in the order in which columns got their types.
    const running = this.lanes.answers.filter((answer) => answer instanceof RunningKernel && answer.lookback === this.cutoffs.length) as RunningKernel[];
    return [...this.lanes.kernels.filter((kernel) => kernel instanceof NumericKernel), ...running];
  }
}

export interface CoreState {
  readonly frontier: { readonly value: number; readonly reading: number; readonly regressions: number };
  readonly watermarks: ReturnType<Watermarks['snapshot']>;
  readonly position: number;
  readonly batch: number;
  readonly counts: Counts;
  readonly columnTypes: readonly Column['type'][];
  readonly keys: readonly (readonly KeyPart[])[];
  /** Per key: its stored events, and how many of them the frontier has passed. */
  readonly counted: Int32Array;
  readonly entered: Int32Array;
  readonly events: { readonly times: Float64Array; readonly numbers: readonly Float64Array[]; readonly cells: readonly (readonly unknown[])[] };
  readonly lifetimes: readonly (readonly unknown[])[];
  readonly lastRows: readonly (readonly unknown[])[];
  readonly dirty: readonly number[];
  readonly idle: { readonly slots: number[]; readonly readings: number[] };
  readonly evicted: Key[];
  readonly owed: Row[];
}
