import type { SchedulerLike } from 'rxjs';
import type { Listener } from '../../src/index.ts';
import type { SaveFailure } from '../checkpoints/saves.ts';
import type { RunningClock } from '../clocks/clock.ts';
import type { Ending, Reported, Reporter } from '../progress.ts';
import { Announcer } from './announcer.ts';
import { Notes } from './notes.ts';
import type { QueryEvent, QueryProgress } from './queryProgress.ts';
import { Reads } from './reads.ts';
import { TimeColumns } from './timeColumns.ts';
import { Timing } from './timing.ts';
import { Totals } from './totals.ts';
import { Watch } from './watch.ts';

/** What a long batch of `realTime()` covers where it does not say. */
const longBatch = 300_000;

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
 *
 * An event like the one before it is a comparison and a count, whatever else may be about it is a call away.
 */
export class Meter implements Reporter {
  private readonly notes: Notes = new Notes();
  private readonly eventTime: string;
  private readonly timing = new Timing();
  private readonly totals: Totals;
  /** Where each event is an evaluation: so many of those that are noted have left. */
  private left = 0;
  private readonly watch: Watch;
  private readonly announcer: Announcer;
  private readonly options: MeterOptions;
  private readonly reported: Reported;
  private readonly scheduler: SchedulerLike;
  private readonly reads: Reads = new Reads();
  private readonly columns: TimeColumns;
  private readonly perEvent: boolean;
  /** Milliseconds of the clock that a report covers; 0 is one evaluation. */
  private readonly batch: number;
  /** Readings are what the scheduler shows. */
  private showsScheduler = false;
  /** An event's reading and its time are all that counts of it. */
  private noting = false;
  /** The scheduler's time at which the evaluation began. */
  private begunAt = 0;
  private end: Ending = { reason: 'unsubscribed' };

  constructor(listener: Listener<QueryEvent>, options: MeterOptions, reported: Reported) {
    const { internals, trigger, scheduler, turn } = reported;
    this.announcer = new Announcer(listener, options.name, reported);
    this.options = options;
    this.reported = reported;
    this.scheduler = scheduler;
    this.eventTime = internals.orderBy;
    this.columns = new TimeColumns(internals, options.queuedSince);
    this.perEvent = trigger.perEvent === true;
    this.batch = trigger.batch ?? (trigger.continuous === true ? longBatch : 0);
    this.totals = new Totals(options.name, reported);
    this.watch = new Watch({ wakes: () => this.countNotes(this.notes.count), batchIsOver: (now) => this.closeBatch(now), silent: (now) => this.fallIdle(now) }, scheduler, options.idleAfter, turn);
  }

  started(): void {
    this.watch.activeAt = this.scheduler.now();
    this.announcer.tell('started');
    this.watch.set();
  }

  clockStarted(clock: RunningClock): void {
    this.showsScheduler = this.watch.showsScheduler = clock.ofScheduler === true;
    this.totals.since = clock.reading();
    this.noting = this.showsScheduler && this.columns.areOne;
  }

  offered(event: unknown, now: number): void {
    const value = (event as Record<string, unknown> | null | undefined)?.[this.eventTime], { notes } = this;
    if (value === notes.time && now === notes.reading) notes.count += 1;
    else this.offeredAnother(event, value, now);
  }

  evaluating(now: number): void {
    const { timing } = this;
    if (timing.skip > 1 && this.notes.count > this.left) timing.skip -= 1;
    else this.evaluatingAnother(now);
  }

  evaluated(timestamp: number, rows: number, last: boolean): QueryProgress | undefined {
    this.totals.addRows(rows);
    if (this.timing.isRunning || this.notes.count === this.left) this.evaluatedAnother();
    this.left = this.notes.count;
    if (this.batch > 0 && !last && (timestamp < this.watch.due || this.isEarly(timestamp))) return undefined;
    return this.report(timestamp);
  }

  /** Events that all were dropped change nothing, and that is when somebody wants to know. */
  get owing(): boolean {
    return this.totals.numInputRows + this.notes.count > 0;
  }

  saveFailed(checkpointError: SaveFailure): void {
    this.announcer.saveFailed(checkpointError);
  }

  ending(end: Ending): void {
    this.end = end;
  }

  closed(): void {
    this.watch.stop();
    this.announcer.terminated(this.end);
  }

  private offeredAnother(event: unknown, value: unknown, now: number): void {
    const { notes } = this;
    if (notes.isFull) this.countNotes(notes.count);
    if (notes.isOpen && typeof value === 'number') notes.add(now, value);
    else this.lookAt(event, value, now);
  }

  private lookAt(event: unknown, value: unknown, now: number): void {
    this.totals.begin();
    const readAt = this.showsScheduler ? now : this.scheduler.now(), time = this.columns.eventTime(value);
    this.watch.stir(readAt);
    if (this.perEvent && this.timing.skip === 0) this.timeFrom(readAt);
    if (this.noting) {
      this.openNotes();
      this.notes.add(readAt, time);
    } else {
      this.totals.numInputRows += 1;
      this.reads.add(readAt, time, this.columns.queuedAt(event, time), 1);
    }
  }

  private evaluatingAnother(now: number): void {
    const { timing } = this;
    this.begunAt = this.showsScheduler ? now : this.scheduler.now();
    this.totals.begin();
    if (timing.isRunning) return;
    if (!this.perEvent || !this.isOfEvent) this.timeFrom(this.begunAt);
    else if (--timing.skip === 0) this.notes.open(false);
  }

  /** One that was timed, or that is not of an event that was noted. */
  private evaluatedAnother(): void {
    const { timing, reads } = this, took = timing.isRunning ? this.stopTiming() : timing.took;
    if (!this.perEvent) this.notesLeave(this.begunAt + took);
    if (reads.isWaiting) reads.leave(this.begunAt + took);
  }

  /** Numbers are noted as they come, up to the evaluation that is timed next. */
  private openNotes(): void {
    this.notes.open(this.columns.arePlain && (!this.perEvent || this.timing.skip > 0));
  }

  private countNotes(end: number): void {
    const { notes, reads } = this;
    if (end === 0) return;
    this.tallyNotes(end);
    if (this.perEvent) reads.addNotedAsLeft(notes, end, this.timing.took);
    else reads.addNoted(notes);
  }

  private notesLeave(at: number): void {
    const { notes, reads } = this;
    if (reads.isWaiting || notes.count === 0) return this.countNotes(notes.count);
    this.tallyNotes(notes.count);
    reads.addNotedAsLeaving(notes, at);
  }

  private tallyNotes(count: number): void {
    this.watch.activeAt = this.notes.last;
    this.totals.numInputRows += count;
    this.left = 0;
  }

  private timeFrom(begunAt: number): void {
    this.timing.begin(this.options.now === undefined ? begunAt : this.options.now());
  }

  private stopTiming(): number {
    const { timing, options, scheduler } = this, took = timing.stop(options.now === undefined ? scheduler.now() : options.now());
    if (this.perEvent && this.isOfEvent) this.learn(took);
    this.totals.addTime(took);
    return took;
  }

  /** Events that are not timed take from now on what this one took. */
  private learn(took: number): void {
    const { timing } = this;
    this.totals.addTime(timing.takeOthers());
    if (took !== timing.took) this.countNotes(this.left);
    timing.learn(took, this.begunAt);
    if (this.noting) this.openNotes();
  }

  /** Whether the evaluation is that of an event, and not of what left a window by itself. */
  private get isOfEvent(): boolean {
    return this.notes.count > this.left || this.reads.isWaiting;
  }

  private isEarly(timestamp: number): boolean {
    if (Number.isNaN(this.watch.due)) this.watch.openBatch(timestamp + this.batch);
    return timestamp < this.watch.due;
  }

  private report(timestamp: number): QueryProgress {
    this.countNotes(this.notes.count);
    this.totals.addTime(this.timing.takeOthers());
    const progress = this.totals.take(timestamp, this.reads);
    this.watch.due = this.batch === 0 ? NaN : timestamp + this.batch;
    this.announcer.report(progress);
    return progress;
  }

  /** Of a batch in which nothing happened there is nothing to tell: the next one begins with what happens next. */
  private closeBatch(now: number): void {
    if (this.totals.isEmpty) this.watch.due = NaN;
    else this.report(now);
  }

  /** The next event is looked at, and timed where it is an evaluation. */
  private fallIdle(now: number): void {
    const { timing, totals } = this;
    this.notes.open(false);
    totals.addTime(timing.takeOthers());
    timing.timeNext();
    if (this.showsScheduler && totals.numInputRows === 0) totals.since = now;
    this.announcer.tell('idle');
  }
}
