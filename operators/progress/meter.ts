import type { SchedulerLike } from 'rxjs';
import { epochMilliseconds, type Listener } from '../../src/index.ts';
import { alarmOn, type Alarm } from '../alarm.ts';
import type { SaveFailure } from '../checkpoints/saves.ts';
import type { RunningClock } from '../clocks/clock.ts';
import type { Ending, Reported, Reporter } from '../progress.ts';
import { Notes } from './notes.ts';
import type { Moment, QueryEvent, QueryProgress } from './queryProgress.ts';
import { Reads } from './reads.ts';
import { Timing } from './timing.ts';
import { Totals } from './totals.ts';

/** What a long batch of `realTime()` covers where it does not say. */
const longBatch = 300_000;

type Columns = Record<string, unknown>;

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
  private readonly notes: Notes = new Notes();
  private readonly reads: Reads = new Reads();
  private readonly timing = new Timing();
  private readonly totals: Totals;
  private readonly eventTime: string;
  private readonly queuedSince: string;
  private readonly plainTimes: boolean;
  private readonly perEvent: boolean;
  /** Milliseconds of the clock that a report covers; 0 is one evaluation. */
  private readonly batch: number;
  /** Readings are what the scheduler shows. */
  private showsScheduler = false;
  /** An event's reading and its time are all that counts of it. */
  private noting = false;
  /** The scheduler's time at which the evaluation began. */
  private begunAt = 0;
  /** Where each event is an evaluation: so many of those that are noted have left. */
  private left = 0;
  /** The reading at which the batch under way ends. NaN: no batch is open. */
  private due: number = NaN;
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
    this.eventTime = internals.orderBy;
    this.queuedSince = options.queuedSince ?? internals.orderBy;
    this.perEvent = trigger.perEvent === true;
    this.plainTimes = internals.time === epochMilliseconds;
    this.batch = trigger.batch ?? (trigger.continuous === true ? longBatch : 0);
    this.totals = new Totals(options.name, reported);
  }

  started(): void {
    this.activeAt = this.scheduler.now();
    this.tell('started');
    this.watch();
  }

  clockStarted(clock: RunningClock): void {
    this.showsScheduler = clock.ofScheduler === true;
    this.totals.since = clock.reading();
    this.noting = this.showsScheduler && this.queuedSince === this.eventTime;
  }

  offered(event: unknown, now: number): void {
    const value = (event as Columns | null | undefined)?.[this.eventTime], { notes } = this;
    if (notes.count < notes.room && typeof value === 'number') notes.add(now, value);
    else this.offeredAnother(event, value, now);
  }

  private offeredAnother(event: unknown, value: unknown, now: number): void {
    const { notes, reads } = this;
    if (notes.isFull) this.countNotes(notes.count);
    this.totals.begin();
    const readAt = this.showsScheduler ? now : this.scheduler.now(), time = this.instant(value);
    this.activeAt = readAt;
    if (this.idle) this.resume();
    if (this.perEvent && this.timing.skip === 0) this.timeFrom(readAt);
    if (this.noting) {
      notes.add(readAt, time);
      this.openNotes();
    } else {
      this.totals.numInputRows += 1;
      reads.add(readAt, time, this.queuedSince === this.eventTime ? time : this.instant((event as Columns | null | undefined)?.[this.queuedSince]), 1);
    }
  }

  evaluating(now: number): void {
    const { timing } = this;
    this.begunAt = this.showsScheduler ? now : this.scheduler.now();
    this.totals.begin();
    if (timing.isRunning) return;
    if (!this.perEvent || !this.isOfEvent) this.timeFrom(this.begunAt);
    else if (--timing.skip === 0) this.notes.open(false);
  }

  evaluated(timestamp: number, rows: number, last: boolean): QueryProgress | undefined {
    const { timing, totals, reads } = this;
    const took = timing.isRunning ? this.stopTiming() : timing.took;
    totals.addEvaluation(took, rows);
    if (!this.perEvent) this.countNotes(this.notes.count);
    if (reads.isWaiting) reads.leave(this.begunAt + took);
    this.left = this.notes.count;
    if (this.batch > 0 && !last && (timestamp < this.due || this.isEarly(timestamp))) return undefined;
    return this.report(timestamp);
  }

  /** Events that all were dropped change nothing, and that is when somebody wants to know. */
  get owing(): boolean {
    return this.totals.numInputRows + this.notes.count > 0;
  }

  saveFailed(checkpointError: SaveFailure): void {
    this.listener.next({ kind: 'saveFailed', ...this.moment, checkpointError });
  }

  ending(end: Ending): void {
    this.end = end;
  }

  closed(): void {
    this.over = true;
    this.alarm.set(undefined);
    this.listener.next({ kind: 'terminated', ...this.moment, ...this.end });
  }

  private instant(value: unknown): number {
    return this.plainTimes && typeof value === 'number' ? value : this.reported.internals.time.read(value);
  }

  /** Numbers are noted as they come, up to the evaluation that is timed next. */
  private openNotes(): void {
    this.notes.open(this.plainTimes && (!this.perEvent || this.timing.skip > 0));
  }

  private countNotes(end: number): void {
    const { notes, reads } = this;
    if (end === 0) return;
    this.activeAt = notes.last;
    this.totals.numInputRows += end;
    this.left = 0;
    if (this.perEvent) reads.addNotedAsLeft(notes, end, this.timing.took);
    else reads.addNoted(notes);
  }

  private timeFrom(begunAt: number): void {
    this.timing.begin(this.options.now === undefined ? begunAt : this.options.now());
  }

  private stopTiming(): number {
    const { timing, options, scheduler } = this, took = timing.stop(options.now === undefined ? scheduler.now() : options.now());
    if (this.perEvent && this.isOfEvent) this.learn(took);
    return took;
  }

  /** Events that are not timed take from now on what this one took. */
  private learn(took: number): void {
    const { timing } = this;
    if (took !== timing.took) this.countNotes(this.left);
    timing.learn(took, this.begunAt);
    if (this.noting) this.openNotes();
  }

  /** Whether the evaluation is that of an event, and not of what left a window by itself. */
  private get isOfEvent(): boolean {
    return this.notes.count > this.left || this.reads.isWaiting;
  }

  private isEarly(timestamp: number): boolean {
    return timestamp < (Number.isNaN(this.due) ? this.openBatch(timestamp) : this.due);
  }

  private openBatch(timestamp: number): number {
    this.due = timestamp + this.batch;
    this.watch();
    return this.due;
  }

  private report(timestamp: number): QueryProgress {
    this.countNotes(this.notes.count);
    const progress = this.totals.take(timestamp, this.reads);
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
    const now = this.scheduler.now();
    this.countNotes(this.notes.count);
    if (this.showsScheduler && now >= this.due) this.closeBatch(now);
    if (!this.over && !this.idle && now >= this.activeAt + this.options.idleAfter) this.fallIdle(now);
    this.watch();
  }

  /** Of a batch in which nothing happened there is nothing to tell: the next one begins with what happens next. */
  private closeBatch(now: number): void {
    if (this.totals.isEmpty) this.due = NaN;
    else this.report(now);
  }

  /** The next event is looked at, and timed where it is an evaluation. */
  private fallIdle(now: number): void {
    this.idle = true;
    this.notes.open(false);
    this.timing.skip = 0;
    if (this.showsScheduler && this.totals.numInputRows === 0) this.totals.since = now;
    this.tell('idle');
  }

  private resume(): void {
    this.idle = false;
    this.watch();
  }

  private tell(kind: 'started' | 'idle'): void {
    this.listener.next({ kind, ...this.moment });
  }

  private get moment(): Moment {
    return { name: this.options.name, timestamp: this.scheduler.now(), batchId: this.reported.internals.batch };
  }
}
