import { Watermarks } from '../admission/watermarks.ts';
import { RollingWindowError, shown } from '../errors.ts';
import { indexOf, INVALID_KEY, keyPart, keyParts, shownPart, type KeyPart } from '../keys/partitionKey.ts';
import { checkReading, Frontier } from '../time/frontier.ts';
import type { AdmissionPlan } from './admissionPlan.ts';
import type { AdmissionStats } from './settings.ts';

/** What an event is refused for. */
export type Refusal = 'late' | 'future' | 'invalid' | 'limit';

type Columns = Readonly<Record<string, unknown>>;
type Counts = Record<'late' | 'future' | 'invalid' | 'evicted' | 'limited', number>;

/** Admission at rest. */
export interface AdmissionState {
  readonly frontier: { readonly value: number; readonly reading: number; readonly regressions: number };
  readonly watermarks: ReturnType<Watermarks['snapshot']>;
  readonly position: number;
  readonly latest: number;
  readonly batch: number;
  readonly counts: Counts;
}

/**
 * Time and admission, as the engine has them: an event's time and key are read, and what is late, too far ahead or
 * unreadable is dropped, counted and told. `judge` decides and changes nothing but counts of what it refuses; `take` follows
 * for an event that is kept.
 */
export class Admission {
  readonly plan: AdmissionPlan;
  readonly frontier: Frontier;
  readonly watermarks: Watermarks | undefined;
  counts: Counts = { late: 0, future: 0, invalid: 0, evicted: 0, limited: 0 };
  /** Events offered. */
  position = 0;
  /** The largest event time that was admitted. */
  latest: number = -Infinity;
  /** Evaluations done. */
  batch = 0;
  /** The clock is the events' own: nothing can be ahead of it. */
  eventTimeClock = false;

  /** Of the event that was judged last: its time in milliseconds, NaN without `orderBy`, and its key. */
  time: number = NaN;
  key: readonly KeyPart[] = [];
  private watermark: number = -Infinity;
  private source: ReturnType<typeof indexOf> = null;
  private isFuture = false;

  constructor(plan: AdmissionPlan) {
    this.plan = plan;
    this.frontier = new Frontier(plan.delay);
    this.watermarks = plan.watermark && new Watermarks(plan.watermark.delay);
  }

  /** Reads an event. `undefined`: it may count, and its time and key are at hand. */
  judge(given: unknown, now: number): Refusal | undefined {
    checkReading(now);
    const { plan, watermarks } = this, { orderBy } = plan;
    const event = Object(given ?? {}) as Columns;
    const time = orderBy === undefined ? NaN : plan.time.read(event[orderBy]);
    if (orderBy !== undefined && !(time - time === 0)) return this.refuseInvalid(given, now, 'invalid-time', NaN, [orderBy]);
    const key = keyParts(event, plan.keyColumns);
    if (key === undefined) return this.refuseInvalid(given, now, 'invalid-key', time, plan.keyColumns);
    const by = plan.watermark?.by, source = by === undefined ? null : keyPart(event[by]);
    if (source === INVALID_KEY) return this.refuseInvalid(given, now, 'invalid-key', time, [by!]);

    // All that runs user code is done; from here on nothing is read.
    this.time = time;
    this.key = key;
    this.source = indexOf(source);
    this.watermark = watermarks?.valueOf(this.source) ?? -Infinity;
    if (time <= this.watermark) return this.refuse(given, now, 'late', 'late');
    this.isFuture = this.guards(now) && time > now + (plan.maxFutureSkew || 0);
    if (this.isFuture && plan.onFuture !== 'take') return this.refuseFuture(given, now);
    return undefined;
  }

  /** The event that was judged last is kept. */
  take(now: number): void {
    const { time } = this;
    this.offered(now);
    if (this.isFuture) this.counts.future++;
    if (time > this.latest) this.latest = time;
    this.watermarks?.observe(this.source, this.guards(now) ? Math.min(time, now) : time, now);
  }

  /** Counts an event as dropped, and tells. */
  drop(event: unknown, reason: string, time: number = this.time, watermark: number = this.watermark): void {
    this.plan.dropped?.next({ event, reason, eventTime: time, watermark, lateBy: reason === 'late' ? watermark - time : 0 });
  }

  /** The event that was judged last is one too many: counted, or an error, as the limits say. */
  refuseLimit(event: unknown, now: number): Refusal {
    return this.refuse(event, now, 'limit', 'limited');
  }

  /** An event was offered that arrived at a reading. */
  offered(now: number): void {
    this.position++;
    this.frontier.read(now);
  }

  keyObject(parts: readonly KeyPart[]): Record<string, unknown> {
    const { keyColumns } = this.plan, key: Record<string, unknown> = {};
    for (let c = 0; c < keyColumns.length; c++) key[keyColumns[c]!] = shownPart(parts[c]!);
    return key;
  }

  /** The parts of a key that somebody asks for. */
  askedKey(asked: unknown): readonly KeyPart[] {
    const parts = typeof asked === 'object' && asked !== null ? keyParts(asked as Columns, this.plan.keyColumns) : undefined;
    if (parts !== undefined) return parts;
    throw new RollingWindowError('invalid-key', {
      expected: `an object with the key's columns (${this.plan.keyColumns.join(', ')})`,
      given: shown(asked),
      remedy: "For instance { user: 'ann' }",
    });
  }

  statsWith(keys: number): AdmissionStats {
    return { keys, ...this.counts, clockRegressions: this.frontier.regressions };
  }

  snapshot(): AdmissionState {
    const { frontier: { value, reading, regressions }, watermarks, position, latest, batch, counts } = this;
    return { frontier: { value, reading, regressions }, watermarks: watermarks?.snapshot() ?? [], position, latest, batch, counts };
  }

  restore({ frontier, watermarks, position, latest, batch, counts }: AdmissionState): void {
    Object.assign(this.frontier, frontier);
    this.watermarks?.restore(watermarks);
    Object.assign(this, { position, latest, batch, counts: { ...counts } });
  }

  /** Whether a fast clock is to be guarded against. */
  private guards(now: number): boolean {
    return this.plan.maxFutureSkew !== false && !this.eventTimeClock && now !== -Infinity;
  }

  private refuse(event: unknown, now: number, refusal: Refusal, count: keyof Counts): Refusal {
    this.offered(now);
    this.counts[count]++;
    this.drop(event, refusal);
    return refusal;
  }

  private refuseFuture(event: unknown, now: number): Refusal {
    const { plan, time } = this;
    if (plan.onFuture === 'drop') return this.refuse(event, now, 'future', 'future');
    throw new RollingWindowError('future-event', {
      expected: `event times at most ${String(plan.maxFutureSkew)} ms ahead of the clock`,
      given: `${String(time)} at clock reading ${String(now)}`,
      remedy: 'Use another onFuture or maxFutureSkew, or a time adapter if the unit is wrong',
    });
  }

  private refuseInvalid(event: unknown, now: number, reason: 'invalid-time' | 'invalid-key', time: number, columns: readonly string[]): Refusal {
    if (this.plan.onInvalid === 'error') {
      const column = Object(event ?? {}) as Columns;
      const wrong = columns.filter((name) => reason === 'invalid-time' || keyPart(column[name]) === INVALID_KEY);
      throw new RollingWindowError(reason, {
        expected: `${reason === 'invalid-time' ? 'a time that the time adapter reads' : 'a string, number, bigint, boolean, date or null'} in column ${wrong.join(', ')}`,
        given: wrong.map((name) => shown(column[name])).join(', '),
        remedy: "Mend the event, or count such events with onInvalid: 'drop'",
      });
    }
    this.offered(now);
    this.counts.invalid++;
    this.drop(event, reason, time, this.watermarks?.value ?? -Infinity);
    return 'invalid';
  }
}
