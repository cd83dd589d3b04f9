import type { ValueKind } from '../aggregates/aggregate.ts';
import type { Offset, Partition } from '../checkpoint/part.ts';
import type { AnyEngineConfig, Dropped, DropReason } from '../config.ts';
import type { Engine, EngineStats, Position, PushResult } from '../engineTypes.ts';
import { RollingWindowError, shown } from '../errors.ts';
import type { Frame } from '../measures/frames.ts';
import { durationMs } from '../time/duration.ts';
import { nextUp, rangeEdge } from '../time/lowerEdge.ts';
import { compare, identity, naiveAnswer, shownValue } from './naiveAnswer.ts';

/** A row or a key of the naive engine: columns by name. */
export type NaiveColumns = Record<string, unknown>;

/**
 * The slow and obviously right engine: keeps every event in one list and recomputes every row from it.
 *
 * Meant for judging the real one: same configuration, same calls, same answers. It has no `snapshot` and `restore`.
 *
 * @example
 * const naive = naiveEngine<Purchase>()(config);
 * expect(engine.advance(now)).toEqual(naive.advance(now));
 */
export function naiveEngine<E>(): (config: AnyEngineConfig) => Engine<E, NaiveColumns, NaiveColumns> {
  return (config) => new NaiveEngine<E>(config);
}

interface StoredEvent {
  readonly key: string;
  readonly time: number;
  readonly sequence: number;
  /** For each measure its value, a pair for two columns, or null where the filter or the absence of a value keeps the event out of it. */
  readonly values: readonly unknown[];
}

interface KeyState {
  readonly columns: readonly unknown[];
  /** The values of the last row. */
  shown: readonly unknown[];
  /** When the last stored event came: its number, and the clock reading. */
  touched: number;
  touchedAt: number;
}

/** An admitted event that the watermark has not taken into account yet. */
interface Mark {
  readonly source: string;
  readonly arrival: number;
  readonly time: number;
}

class NaiveEngine<E> implements Engine<E, NaiveColumns, NaiveColumns> {
  frontier = -Infinity;
  removed: NaiveColumns[] = [];

  private readonly config: AnyEngineConfig;
  private readonly partition: readonly string[];
  private readonly delay: number;
  private readonly skew: number;
  private readonly frames: readonly Frame[];
  private readonly hasLifetime: boolean;
  private readonly hasRows: boolean;

  private events: StoredEvent[] = [];
  private readonly keys = new Map<string, KeyState>();
  private readonly columnTypes = new Map<string, string>();
  private readonly watermarks = new Map<string, number>();
  private marks: Mark[] = [];
  private evicted: NaiveColumns[] = [];
  private lastReading = -Infinity;
  /** By partition of the source, the offset of the last event offered. */
  private readonly offsets = new Map<Partition, Offset>();
  private counts = { offered: 0, rows: 0, late: 0, future: 0, invalid: 0, outside: 0, evicted: 0, limited: 0, clockRegressions: 0 };

  constructor(config: AnyEngineConfig) {
    this.config = config;
    this.partition = typeof config.partitionBy === 'string' ? [config.partitionBy] : config.partitionBy;
    this.delay = durationMs(config.frontierSpec?.delay ?? 0);
    this.skew = config.maxFutureSkew === false ? Infinity : durationMs(config.maxFutureSkew ?? 300_000);
    this.frames = config.measures.flatMap(({ frame }) => frame ?? []);
    this.hasLifetime = this.frames.length < config.measures.length;
    this.hasRows = this.frames.some(({ edge }) => edge.rows !== undefined);
  }

  push(event: E, now: number): PushResult {
    const before = { ...this.counts };
    try {
      this.readClock(now);
      this.counts.offered += 1;
      const result = this.judge(event, now);
      const place = this.config.position?.(event as never);
      if (place) this.offsets.set(...place);
      this.lastReading = now;
      return result;
    } catch (error) {
      this.counts = before;
      throw error;
    }
  }

  pushAll(events: Iterable<E>, now: number): void {
    for (const event of events) this.push(event, now);
  }

  advance(now: number): NaiveColumns[] {
    this.readClock(now);
    this.lastReading = now;
    this.frontier = Math.max(this.frontier, now - this.delay);
    this.evictUntouched(now);
    const rows = this.config.emit === 'none' ? [] : this.changedRows();
    this.dropEmptied();
    this.moveWatermarks(now);
    const shown = new Set(rows.map((row) => this.keyText(row)));
    // A key that was evicted, and came back with a row, is there.
    this.removed = this.evicted.filter((key) => !(shown.has(this.keyText(key)) && this.keys.has(this.keyText(key))));
    this.evicted = [];
    this.counts.rows += rows.length;
    return rows;
  }

  query(key: NaiveColumns, now: number = this.lastReading): NaiveColumns {
    const columns = this.partition.map((column) => key[column]);
    const frontier = Math.max(this.frontier, now - this.delay);
    return this.row(columns, frontier, this.answers(keyOf(columns), frontier));
  }

  queryAll(now?: number): NaiveColumns[] {
    return Array.from(this.keys.values(), ({ columns }) => this.query(this.keyColumns(columns), now));
  }

  nextBoundary(key?: NaiveColumns): number | undefined {
    const only = key === undefined ? undefined : keyOf(this.partition.map((column) => key[column]));
    const due = this.events
      .filter((event) => only === undefined || event.key === only)
      .flatMap(({ time }) => this.config.measures.flatMap(({ frame }) => this.boundariesOf(frame, time)))
      .filter((instant) => instant > this.frontier);
    // The first reading at which `reading - delay` has come that far.
    return due.length === 0 ? undefined : rangeEdge(this.delay).leavesAt(due.reduce((a, b) => Math.min(a, b)));
  }

  /** The frontiers at which an event enters and leaves. */
  private boundariesOf(frame: Frame | undefined, time: number): number[] {
    const enters = frame?.edge.upper?.entersAt(time) ?? time;
    if (frame === undefined || frame.edge.rows !== undefined) return [enters];
    return [enters, frame.edge.leavesAt(this.closedBoth && frame.edge.settled !== true ? nextUp(time) : time)];
  }

  snapshot(): Uint8Array {
    throw new Error('The naive engine has no snapshots');
  }

  restore(): void {
    throw new Error('The naive engine has no snapshots');
  }

  get watermark(): number {
    return this.watermarks.size === 0 ? -Infinity : Math.min(...this.watermarks.values());
  }

  get position(): Position {
    return { events: this.counts.offered, offsets: new Map(this.offsets) };
  }

  get stats(): EngineStats {
    const { rows, late, future, invalid, outside, evicted, limited, clockRegressions } = this.counts;
    const horizon = Math.max(this.frontier, this.lastReading - this.delay);
    const held = this.events.filter(({ time }) => time > horizon).length;
    return { keys: this.keys.size, events: this.storedCount, held, bytes: 0, rows, late, future, invalid, outside, evicted, limited, clockRegressions };
  }

  // What becomes of an event. State changes only after the last thing that can throw.

  private judge(event: E, now: number): PushResult {
    const time = this.timeOf(event);
    if (!Number.isFinite(time)) return this.invalid(event, 'invalid-time', NaN);

    const columns = this.partition.map((column) => read(event, column));
    const sourceColumn = this.watermarkSpec?.by;
    const sourceValue = sourceColumn === undefined ? null : read(event, sourceColumn);
    if (![...columns, sourceValue].every(canBeKey)) return this.invalid(event, 'invalid-key', time);

    const source = identity(sourceValue);
    const watermark = this.watermarks.get(source) ?? -Infinity;
    if (time <= watermark) {
      this.counts.late += 1;
      this.drop(event, 'late', time, watermark);
      return 'late';
    }

    const isFuture = now > -Infinity && time > now + this.skew;
    if (isFuture) {
      if (this.config.onFuture === 'error') throw new RollingWindowError('future-event', { expected: 'an event of the present', given: String(time) });
      if (this.config.onFuture === 'drop') {
        this.counts.future += 1;
        this.drop(event, 'future', time, watermark);
        return 'future';
      }
    }

    const horizon = Math.max(this.frontier, now - this.delay);
    const mark = { source, arrival: now, time: this.config.maxFutureSkew === false || now === -Infinity ? time : Math.min(time, now) };
    if (!this.hasLifetime && !this.hasRows && !this.frames.some((frame) => this.aboveLowerEdge(frame, time, horizon))) {
      this.counts.outside += 1;
      this.admit(mark, isFuture);
      return 'outside';
    }

    const passed = this.config.measures.map((measure) => measure.predicate?.(event as never) ?? true);
    const columnsRead = this.config.measures.flatMap((measure, i) => (passed[i] ? measure.columns : []));
    if (!columnsRead.every((column) => this.fits(column, read(event, column)))) return this.invalid(event, 'invalid-value', time);

    const key = keyOf(columns);
    if (this.overLimit(key, time)) {
      const onLimit = this.config.limits?.onLimit ?? 'error';
      if (onLimit === 'error') throw new RollingWindowError('limit-exceeded', { expected: 'fewer keys or events', given: 'one more' });
      if (onLimit === 'drop-new') {
        this.counts.limited += 1;
        this.drop(event, 'limit', time, watermark);
        return 'limit';
      }
      while (this.keys.size > 0 && this.overLimit(key, time)) this.evict(this.idlestKeyBut(key));
    }

    this.admit(mark, isFuture);
    this.store(event, now, time, columns, passed);
    return time > horizon ? 'held' : 'counted';
  }

  private store(event: E, now: number, time: number, columns: readonly unknown[], passed: readonly boolean[]): void {
    const key = keyOf(columns);
    const sequence = this.counts.offered;
    const values = this.config.measures.map((measure, i) => {
      if (!passed[i]) return null;
      if (measure.columns.length === 0) return true;
      const [x, y] = measure.columns.map((column) => this.valueOf(event, column));
      if (measure.columns.length === 1) return x;
      return y === null || (x === null && measure.aggregate.nullable !== true) ? null : [x, y];
    });
    this.events.push({ key, time, sequence, values });
    this.events.sort((a, b) => a.time - b.time || a.sequence - b.sequence);
    const state = this.keys.get(key) ?? { columns: columns.map(shownValue), shown: this.emptyAnswers, touched: 0, touchedAt: -Infinity };
    // A clock that was set back makes no key idler than those that had their last event before.
    const touchedAt = Math.max(now, ...Array.from(this.keys.values(), (other) => other.touchedAt));
    this.keys.set(key, Object.assign(state, { touched: sequence, touchedAt }));
  }

  /** A value as it is kept. The first one of a column whose values must be of one type decides which. */
  private valueOf(event: E, column: string): unknown {
    const value = read(event, column);
    if (value != null && this.kindsOf(column).some(isUniform) && !this.columnTypes.has(column)) this.columnTypes.set(column, typeOf(value));
    return value instanceof Date ? new Date(value.getTime()) : (value ?? null);
  }

  private invalid(event: E, reason: 'invalid-time' | 'invalid-key' | 'invalid-value', time: number): PushResult {
    if (this.config.onInvalid === 'error') throw new RollingWindowError(reason, { expected: 'a valid event', given: shown(event) });
    this.counts.invalid += 1;
    this.drop(event, reason, time, this.watermark);
    return 'invalid';
  }

  private drop(event: E, reason: DropReason, eventTime: number, watermark: number): void {
    const dropped: Dropped<E> = { event, reason, eventTime, watermark, lateBy: reason === 'late' ? watermark - eventTime : 0 };
    this.config.dropped?.next(dropped as Dropped<never>);
  }

  /** A value must suit every measure of its column; where one of them asks for it, also the type of the first value. */
  private fits(column: string, value: unknown): boolean {
    if (value == null) return true;
    const type = this.columnTypes.get(column);
    return this.kindsOf(column).every((kind) => ofKind(kind, value)) && (type === undefined || type === typeOf(value));
  }

  private kindsOf(column: string): ValueKind[] {
    return this.config.measures.flatMap(({ columns, kind, secondKind }) => columns.flatMap((name, i) => (name === column ? [i === 0 ? kind : (secondKind ?? kind)] : [])));
  }

  // What stands in rows.

  private changedRows(): NaiveColumns[] {
    const rows: NaiveColumns[] = [];
    for (const [key, state] of this.keys) {
      const answers = this.answers(key, this.frontier);
      if (this.config.emit !== 'every' && same(answers, state.shown)) continue;
      state.shown = answers;
      rows.push(this.row(state.columns, this.frontier, answers));
    }
    return rows;
  }

  private answers(key: string, frontier: number): unknown[] {
    const events = this.events.filter((event) => event.key === key && event.time <= frontier);
    return this.config.measures.map(({ aggregate, frame }, i) => {
      const inside = this.eventsIn(frame, events, frontier).filter(({ values }) => values[i] !== null);
      return naiveAnswer(frame ? aggregate : (aggregate.lifetime ?? aggregate), inside.map(({ time, values }) => ({ time, value: values[i] })));
    });
  }

  /** Of a key's events up to the frontier, in order, those that a frame holds. Rows count all of them, whatever a filter says. */
  private eventsIn(frame: Frame | undefined, events: readonly StoredEvent[], frontier: number): readonly StoredEvent[] {
    if (frame === undefined) return events;
    const { rows, upper } = frame.edge;
    if (rows !== undefined) return events.slice(-rows);
    return events.filter(({ time }) => this.aboveLowerEdge(frame, time, frontier) && (upper === undefined || time <= upper.upper(frontier)));
  }

  private get emptyAnswers(): unknown[] {
    return this.config.measures.map(({ aggregate }) => naiveAnswer(aggregate, []));
  }

  private row(columns: readonly unknown[], frontier: number, answers: readonly unknown[]): NaiveColumns {
    return Object.fromEntries([
      ...Object.entries(this.keyColumns(columns)),
      [this.config.frontierSpec?.alias ?? '__frontier', this.config.time === undefined ? frontier : this.config.time.write(frontier)],
      ...this.config.measures.map(({ name }, i): [string, unknown] => [name, answers[i]]),
    ]);
  }

  private keyText(columns: NaiveColumns): string {
    return keyOf(this.partition.map((column) => columns[column]));
  }

  private keyColumns(columns: readonly unknown[]): NaiveColumns {
    return Object.fromEntries(this.partition.map((column, i) => [column, shownValue(columns[i] ?? null)]));
  }

  // What a window holds, and what is kept.

  private get closedBoth(): boolean {
    return this.config.closed === 'both';
  }

  /** Rows do not go by time. */
  private aboveLowerEdge({ edge }: Frame, time: number, frontier: number): boolean {
    if (edge.rows !== undefined) return false;
    return this.closedBoth && edge.settled !== true ? time >= edge.lower(frontier) : time > edge.lower(frontier);
  }

  /** The events that still have to be there as such: they are in a bounded window, or will be in one or in the lifetime. */
  private get storedEvents(): readonly StoredEvent[] {
    const most = Math.max(0, ...this.frames.map(({ edge }) => edge.rows ?? 0));
    const later = new Map<string, number>();
    return this.events.toReversed().filter(({ key, time }) => {
      if (time <= this.frontier) later.set(key, (later.get(key) ?? 0) + 1);
      return this.isAwaited(time) || later.get(key)! <= most;
    });
  }

  /** Whether the time of an event alone says that it is stored. */
  private isAwaited(time: number): boolean {
    return time > this.frontier || this.frames.some((frame) => this.aboveLowerEdge(frame, time, this.frontier));
  }

  private get storedCount(): number {
    return this.storedEvents.length;
  }

  private dropEmptied(): void {
    if (this.hasLifetime) return;
    this.events = this.storedEvents.toReversed();
    const alive = new Set(this.events.map(({ key }) => key));
    for (const key of [...this.keys.keys()]) if (!alive.has(key)) this.remove(key);
  }

  private remove(key: string): void {
    const state = this.keys.get(key);
    if (state === undefined) return;
    this.evicted.push(this.keyColumns(state.columns));
    this.keys.delete(key);
    this.events = this.events.filter((event) => event.key !== key);
  }

  // Limits.

  private overLimit(key: string, time: number): boolean {
    const { maxKeys = Infinity, maxEvents = Infinity } = this.config.limits ?? {};
    return (!this.keys.has(key) && this.keys.size >= maxKeys) || ((this.hasRows || this.isAwaited(time)) && this.storedCount >= maxEvents);
  }

  private idlestKeyBut(key: string): string {
    const [idlest] = [...this.keys].filter(([other]) => other !== key).sort(([, a], [, b]) => a.touched - b.touched);
    return idlest?.[0] ?? key;
  }

  private evict(key: string): void {
    this.counts.evicted += 1;
    this.remove(key);
  }

  private evictUntouched(now: number): void {
    const ttl = this.config.limits?.keyTtl;
    if (ttl === undefined) return;
    if (now === -Infinity) return;
    for (const [key, state] of [...this.keys]) {
      if (state.touchedAt === -Infinity) state.touchedAt = now; // it came before the clock was read
      if (state.touchedAt <= now - durationMs(ttl)) this.evict(key);
    }
  }

  // Clock and watermark.

  private readClock(now: number): void {
    if (Number.isNaN(now) || now === Infinity) throw new RollingWindowError('invalid-clock', { expected: 'a clock reading', given: String(now) });
    if (now < this.lastReading) this.counts.clockRegressions += 1;
  }

  private timeOf(event: E): number {
    const value = read(event, this.config.orderBy);
    if (this.config.time !== undefined) return this.config.time.read(value);
    return value instanceof Date ? value.getTime() : typeof value === 'number' ? value : NaN;
  }

  private get watermarkSpec(): { readonly delay: number; readonly by: string | undefined } | undefined {
    const { watermark } = this.config;
    if (watermark === undefined) return undefined;
    if (typeof watermark === 'object' && 'delay' in watermark) return { delay: durationMs(watermark.delay), by: watermark.by };
    return { delay: durationMs(watermark), by: undefined };
  }

  private admit(mark: Mark, isFuture: boolean): void {
    if (isFuture) this.counts.future += 1;
    if (this.watermarkSpec === undefined) return;
    this.marks.push(mark);
    if (!this.watermarks.has(mark.source)) this.watermarks.set(mark.source, -Infinity);
  }

  private moveWatermarks(now: number): void {
    const delay = this.watermarkSpec?.delay ?? 0;
    for (const { source, arrival, time } of this.marks) {
      if (arrival < now) this.watermarks.set(source, Math.max(this.watermarks.get(source) ?? -Infinity, time - delay));
    }
    this.marks = this.marks.filter(({ arrival }) => arrival >= now);
  }
}

function read(event: unknown, column: string): unknown {
  return (event as NaiveColumns)[column];
}

function keyOf(columns: readonly unknown[]): string {
  return JSON.stringify(columns.map(identity));
}

function canBeKey(value: unknown): boolean {
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  return value == null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function ofKind(kind: ValueKind, value: unknown): boolean {
  switch (kind) {
    case 'any':
      return typeof value === 'object' ? !(value instanceof Date) || canBeKey(value) : true;
    case 'number':
      return typeof value === 'number';
    case 'numeric':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'key':
    case 'orderable':
      return canBeKey(value);
  }
}

/** Whether all values of the column must have the type of the first one. */
function isUniform(kind: ValueKind): boolean {
  return kind === 'numeric' || kind === 'orderable';
}

function typeOf(value: unknown): string {
  return value instanceof Date ? 'date' : typeof value;
}

/** SameValueZero; dates by instant, arrays and plain objects by content. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b || (a !== a && b !== b);
  if (a instanceof Date && b instanceof Date) return compare(a, b) === 0;
  if (Array.isArray(a) !== Array.isArray(b) || a instanceof Date || b instanceof Date) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(read(a, name), read(b, name)));
}
