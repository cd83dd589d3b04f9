import type { SchedulerLike } from 'rxjs';
import { epochMilliseconds, type EngineStats, type Listener } from '../../src/index.ts';
import { alarmOn, type Alarm } from '../alarm.ts';
import type { SaveFailure } from '../checkpoints/saves.ts';
import type { RunningClock } from '../clocks/clock.ts';
import type { Ending, Reported, Reporter } from '../progress.ts';
import type { QueryEvent, QueryProgress } from './queryProgress.ts';
import { Reads } from './reads.ts';
import { perSecond, stateBetween } from './reports.ts';

/** What a long batch of `realTime()` covers where it does not say. */
const longBatch = 300_000;

type Columns = Record<string, unknown>;

/** A few pages of notes, three numbers each. What they come to is worked out apart from the events, which leaves the compiler more room for the engine. */
const noteRoom = 3 * 341;

const none: unique symbol = Symbol('none');

/** The options of a meter, checked. */
export interface MeterOptions {
  readonly name: string | null;
  readonly queuedSince: string | undefined;
  readonly now: (() => number) | undefined;
  /** Milliseconds of the scheduler; infinite where silence is not told. */
  readonly idleAfter: number;
}

/**
 * Follows one subscription.
 *
 * Latencies are on the scheduler's clock. Where the configured clock is the scheduler's, its readings serve, and an event
 * costs no look at it. What an evaluation took is added to the reading at which it began, so that any stopwatch will do.
 */
export class Meter implements Reporter {
  private readonly listener: Listener<QueryEvent>;
  private readonly options: MeterOptions;
  private readonly reported: Reported;
  private readonly scheduler: SchedulerLike;
  private readonly alarm: Alarm;
  private readonly reads: Reads = new Reads();
  private readonly now: (() => number) | undefined;
  private readonly eventTime: string;
  private readonly queuedSince: string;
  private readonly plainTimes: boolean;
  private readonly perEvent: boolean;
  /** Milliseconds of the clock that a report covers; 0 is one evaluation. */
  private readonly batch: number;
  /** Readings are what the scheduler shows. */
  private showsScheduler = false;
  /** Whether events can be alike: all that counts of one is its reading and its time. */
  private runs = false;

  /** Of the last event, where the next one may be like it; NaN and `none` equal nothing. */
  private lastReading: number = NaN;
  private lastTime: number = NaN;
  private lastOther: unknown = none;
  /** The time of the last event, and of all that are like it. */
  private instantOfLast: number = NaN;
  /** So many are alike, and are still to be counted; and of these, so many left at the reading at which they came. */
  private alike = 0;
  /** Earlier ones, still to be counted, too: reading, event time and number, in turn. There is room up to `room`, none in a silence. */
  private readonly notes: Float64Array = new Float64Array(noteRoom);
  private noted = 0;
  private room = 0;
  private alikeLeft = 0;
  private numInputRows = 0;
  private numOutputRows = 0;
  private numRemoved = 0;
  private busy = 0;
  private before: EngineStats | undefined;
  /** The reading since which rows are counted; minus infinity where the clock showed none. */
  private since: number = -Infinity;
  /** NaN: nothing is, no batch is open. */
  private due: number = NaN;
  /** What the stopwatch showed; NaN: nothing began. */
  private begun: number = NaN;
  private begunAt = 0;
  private activeAt = 0;
  private idle = false;
  private over = false;
  private end: Ending = { reason: 'unsubscribed' };

  constructor(listener: Listener<QueryEvent>, options: MeterOptions, reported: Reported) {
    const { internals, trigger, scheduler, turn } = reported;
    this.listener = listener;
    this.options = options;
    this.reported = reported;
    this.scheduler = scheduler;
    this.alarm = alarmOn(scheduler, () => turn(() => this.wake()));
    this.now = options.now;
    this.eventTime = internals.orderBy;
    this.queuedSince = options.queuedSince ?? internals.orderBy;
    this.perEvent = trigger.perEvent === true;
    this.plainTimes = internals.time === epochMilliseconds;
    this.batch = trigger.batch ?? (trigger.continuous === true ? longBatch : 0);
  }

  started(): void {
    this.activeAt = this.reported.scheduler.now();
    this.tell('started');
    this.watch();
  }

  clockStarted(clock: RunningClock): void {
    this.showsScheduler = clock.ofScheduler === true;
    this.since = clock.reading();
    this.runs = this.showsScheduler && this.queuedSince === this.eventTime && !(this.perEvent && this.now !== undefined);
  }

  /**
   * A busy source has many events in each millisecond, and of those that are like the one before only the number is of
   * interest. All else stands apart: with more code in the way of each event, the compiler takes less of the engine's in.
   */
  offered(event: unknown, now: number): void {
    const value = (event as Columns | null | undefined)?.[this.eventTime];
    if (now === this.lastReading && value === this.lastTime) this.alike += 1;
    else if (this.noted < this.room && typeof value === 'number') this.note(value, now);
    else this.offeredAnother(event, now);
  }

  private note(time: number, now: number): void {
    const { notes, noted } = this;
    notes[noted] = this.lastReading;
    notes[noted + 1] = this.instantOfLast;
    notes[noted + 2] = this.alike;
    this.noted = noted + 3;
    this.lastReading = now;
    this.lastTime = this.instantOfLast = time;
    this.alike = 1;
  }

  private offeredAnother(event: unknown, now: number): void {
    const value = (event as Columns | null | undefined)?.[this.eventTime];
    if (now === this.lastReading && value === this.lastOther && Number.isNaN(this.lastTime)) {
      this.alike += 1;
      return;
    }
    this.countAlike();
    this.before ??= this.reported.engine.stats;
    const readAt = this.showsScheduler ? now : this.scheduler.now();
    this.activeAt = readAt;
    if (this.idle) this.resume();
    if (this.perEvent && this.now !== undefined) this.begun = this.now();
    else if (this.perEvent) this.begun = readAt;
    // A date may be the same one and show another time by then.
    if (this.runs && !this.perEvent && this.plainTimes) this.room = noteRoom;
    if (this.runs && typeof value !== 'object') this.openRun(value, readAt);
    else this.count(event, value, readAt);
  }

  private openRun(value: unknown, readAt: number): void {
    this.lastReading = readAt;
    this.lastTime = typeof value === 'number' ? value : NaN;
    this.lastOther = typeof value === 'number' ? none : value;
    this.instantOfLast = this.instant(value);
    this.alike = 1;
  }

  private count(event: unknown, value: unknown, readAt: number): void {
    const { eventTime, queuedSince } = this, time = this.instant(value);
    this.numInputRows += 1;
    this.reads.add(readAt, time, queuedSince === eventTime ? time : this.instant((event as Columns | null | undefined)?.[queuedSince]), 1);
  }

  private countNotes(): void {
    const { notes, noted, reads } = this;
    for (let i = 0; i < noted; i += 3) {
      const time = notes[i + 1]!, count = notes[i + 2]!;
      if (count === 0) continue;
      reads.add(notes[i]!, time, time, count);
      this.numInputRows += count;
    }
    this.activeAt = this.lastReading;
    this.noted = 0;
  }

  private countAlike(): void {
    if (this.noted > 0) this.countNotes();
    const { alike, alikeLeft, lastReading, instantOfLast } = this;
    if (alike === 0) return;
    if (alikeLeft > 0) this.reads.addLeft(lastReading, instantOfLast, lastReading, alikeLeft);
    if (alike > alikeLeft) this.reads.add(lastReading, instantOfLast, instantOfLast, alike - alikeLeft);
    this.numInputRows += alike;
    this.alike = this.alikeLeft = 0;
  }

  evaluating(now: number): void {
    this.before ??= this.reported.engine.stats;
    this.begunAt = this.showsScheduler ? now : this.scheduler.now();
    if (Number.isNaN(this.begun)) this.begun = this.now === undefined ? this.begunAt : this.now();
  }

  evaluated(timestamp: number, rows: number, last: boolean): QueryProgress | undefined {
    const took = Math.max(0, (this.now === undefined ? this.scheduler.now() : this.now()) - this.begun);
    this.begun = NaN;
    this.busy += took;
    this.numOutputRows += rows;
    this.numRemoved += this.reported.engine.removed.length;
    this.leave(this.begunAt + took);
    if (this.batch > 0 && !last && (timestamp < this.due || this.isEarly(timestamp))) return undefined;
    return this.report(timestamp);
  }

  private isEarly(timestamp: number): boolean {
    return timestamp < (Number.isNaN(this.due) ? this.openBatch(timestamp) : this.due);
  }

  /** Rows of events alike that leave at the reading at which they came, as mostly with `realTime()`, leave alike. */
  private leave(at: number): void {
    if (this.perEvent && at === this.lastReading) this.alikeLeft = this.alike;
    else this.countAlike();
    this.reads.leave(at);
  }

  /** Events that all were dropped change nothing, and that is when somebody wants to know. */
  get owing(): boolean {
    return this.numInputRows + this.alike + this.noted > 0;
  }

  saveFailed(checkpointError: SaveFailure): void {
    const { scheduler, internals } = this.reported;
    this.listener.next({ kind: 'saveFailed', name: this.options.name, timestamp: scheduler.now(), batchId: internals.batch, checkpointError });
  }

  ending(end: Ending): void {
    this.end = end;
  }

  closed(): void {
    this.over = true;
    this.alarm.set(undefined);
    const { name } = this.options, { scheduler, internals } = this.reported;
    this.listener.next({ kind: 'terminated', name, timestamp: scheduler.now(), batchId: internals.batch, ...this.end });
  }

  private instant(value: unknown): number {
    return this.plainTimes && typeof value === 'number' ? value : this.reported.internals.time.read(value);
  }

  private openBatch(timestamp: number): number {
    this.due = timestamp + this.batch;
    this.watch();
    return this.due;
  }

  private report(timestamp: number): QueryProgress {
    this.countAlike();
    const { numInputRows, numOutputRows, numRemoved, busy, since } = this;
    const { frontier, watermark, stats } = this.reported.engine;
    const progress: QueryProgress = {
      name: this.options.name,
      batchId: this.reported.internals.batch,
      timestamp,
      frontier,
      watermark,
      numInputRows,
      numOutputRows,
      numRemoved,
      inputRowsPerSecond: perSecond(numInputRows, timestamp - since),
      processedRowsPerSecond: perSecond(numInputRows, busy),
      durationMs: { triggerExecution: busy },
      ...this.reads.take(watermark),
      stateOperators: [stateBetween(this.before ?? stats, stats, numRemoved)],
      stats,
    };
    this.numInputRows = this.numOutputRows = this.numRemoved = this.busy = 0;
    this.before = stats;
    this.since = timestamp;
    this.due = this.batch === 0 ? NaN : timestamp + this.batch;
    this.listener.next({ kind: 'progress', progress });
    return progress;
  }

  /** The next instant at which silence, or a batch that no evaluation closes, is to be told. */
  private watch(): void {
    if (this.over) return; // the listener may have unsubscribed
    const silent = this.idle ? Infinity : this.activeAt + this.options.idleAfter;
    const next = Math.min(silent, this.showsScheduler && !Number.isNaN(this.due) ? this.due : Infinity);
    this.alarm.set(next < Infinity ? next : undefined);
  }

  private wake(): void {
    const now = this.reported.scheduler.now();
    this.countAlike();
    if (this.showsScheduler && now >= this.due) this.closeBatch(now);
    if (!this.over && !this.idle && now >= this.activeAt + this.options.idleAfter) {
      this.idle = true;
      this.room = 0;
      if (this.showsScheduler && this.numInputRows === 0) this.since = now;
      this.tell('idle');
    }
    this.watch();
  }

  /** Of a batch in which nothing happened there is nothing to tell: the next one begins with what happens next. */
  private closeBatch(now: number): void {
    if (this.numInputRows + this.numOutputRows + this.numRemoved > 0) this.report(now);
    else this.due = NaN;
  }

  private resume(): void {
    this.idle = false;
    this.watch();
  }

  private tell(kind: 'started' | 'idle'): void {
    const { scheduler, internals } = this.reported;
    this.listener.next({ kind, name: this.options.name, timestamp: scheduler.now(), batchId: internals.batch });
  }
}
