import type { SchedulerLike } from 'rxjs';
import type { Listener } from '../../src/index.ts';
import type { SaveFailure } from '../checkpoints/saves.ts';
import type { RunningClock } from '../clocks/clock.ts';
import type { Ending, Reported, Reporter } from '../progress.ts';
import { Announcer } from './announcer.ts';
import { Notes, page } from './notes.ts';
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
 * Of an event that passes by nothing is done but to note its time; whatever else may be about it is a call away. So it is
 * with evaluations where each event is one.
 */
export class Meter implements Reporter {
  readonly notes: Notes;
  private readonly timing = new Timing(1);
  /** Where each event is an evaluation: those of what enters or leaves a window by itself. */
  private readonly timingAlone = new Timing(10);
  private alone = 0;
  private readonly totals: Totals;
  /** How many events came before those that are noted. */
  private seen = 0;
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
    this.notes = new Notes(internals.orderBy);
    this.columns = new TimeColumns(internals, options.queuedSince);
    this.perEvent = trigger.perEvent === true;
    this.batch = trigger.batch ?? (trigger.continuous === true ? longBatch : 0);
    this.totals = new Totals(options.name, reported);
    this.watch = new Watch({ wakes: () => this.countNotes(), batchIsOver: (now) => this.closeBatch(now), silent: (now) => this.fallIdle(now) }, this.notes, scheduler, options.idleAfter, turn);
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

  moved(now: number): void {
    this.notes.move(now);
  }

  offered(event: unknown): void {
    const { notes, totals, columns, timing } = this;
    if (notes.end >= notes.room) this.countNotes();
    totals.begin();
    const readAt = this.showsScheduler ? notes.reading : this.scheduler.now(), time = columns.eventTime((event as Record<string, unknown> | null | undefined)?.[notes.column]);
    this.watch.stir(readAt);
    if (this.perEvent && this.seen + notes.end >= timing.next) this.timeFrom(timing, readAt);
    notes.isWatched = true;
    if (this.noting) {
      notes.times[notes.end++] = time;
      this.makeRoom();
    } else {
      this.seen += 1;
      totals.numInputRows += 1;
      this.reads.add(readAt, time, columns.queuedAt(event, time), 1);
    }
  }

  evaluating(now: number): void {
    this.begunAt = this.showsScheduler ? now : this.scheduler.now();
    this.totals.begin();
    if (!this.perEvent) this.timeFrom(this.timing, this.begunAt);
    else if (!this.isOfEvent && this.alone++ >= this.timingAlone.next) this.timeFrom(this.timingAlone, this.begunAt);
  }

  evaluated(timestamp: number, rows: number, last: boolean): QueryProgress | undefined {
    const { notes } = this;
    this.totals.addRows(rows);
    this.finish();
    notes.left = notes.end;
    if (this.batch > 0 && !last && (timestamp < notes.due || this.isEarly(timestamp))) return undefined;
    return this.report(timestamp);
  }

  /** Events that all were dropped change nothing, and that is when somebody wants to know. */
  get owing(): boolean {
    return this.totals.numInputRows + this.notes.end > 0;
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

  /** Up to the event whose evaluation is timed next, what has a plain time is only noted. */
  private makeRoom(): void {
    const { notes, timing } = this;
    if (this.noting && this.columns.arePlain) notes.room = this.perEvent ? Math.min(timing.next - this.seen, page) : page;
  }

  /** The evaluation is done: what waited for it leaves. */
  private finish(): void {
    const { timing, timingAlone, reads, totals, notes, perEvent, alone } = this, isNoted = notes.end > notes.left, isAlone = perEvent && !this.isOfEvent;
    const took = isAlone ? this.timed(timingAlone, alone - 1) : this.timed(timing, this.seen + notes.end - 1);
    if (!perEvent || !isNoted) totals.addTime(took); // else it counts with its event
    if (perEvent) this.makeRoom();
    else this.countNotes();
    if (reads.isWaiting) reads.leave(this.begunAt + took);
    notes.isWatched = !perEvent;
  }

  /** What an evaluation took, or the last one of its kind that was timed; up to the next that is, all of them take that long. */
  private timed(timing: Timing, number: number): number {
    if (timing.isRunning) timing.learn(timing.stop(this.options.now === undefined ? this.scheduler.now() : this.options.now()), this.begunAt, number);
    return timing.took;
  }

  /** What was noted is counted; where each event is an evaluation, it has left by now. */
  private countNotes(): void {
    const { notes, reads, timing, totals } = this;
    if (notes.end === 0) return;
    if (this.perEvent) {
      totals.addTime(notes.end * timing.took);
      reads.addNotedAsLeft(notes, timing.took);
    } else reads.addNoted(notes);
    this.watch.activeAt = notes.last;
    totals.numInputRows += notes.end;
    this.seen += notes.end;
    notes.clear();
    this.makeRoom();
  }

  private timeFrom(timing: Timing, begunAt: number): void {
    timing.begin(this.options.now === undefined ? begunAt : this.options.now());
  }

  /** Whether the evaluation is that of an event, and not of what left a window by itself. */
  private get isOfEvent(): boolean {
    return this.notes.end > this.notes.left || this.reads.isWaiting;
  }

  private isEarly(timestamp: number): boolean {
    if (Number.isNaN(this.notes.due)) this.watch.openBatch(timestamp + this.batch);
    return timestamp < this.notes.due;
  }

  private report(timestamp: number): QueryProgress {
    this.countNotes();
    this.totals.addNoted(this.notes);
    const progress = this.totals.take(timestamp, this.reads);
    this.notes.due = this.batch === 0 ? NaN : timestamp + this.batch;
    this.announcer.report(progress);
    return progress;
  }

  /** Of a batch in which nothing happened there is nothing to tell: the next one begins with what happens next. */
  private closeBatch(now: number): void {
    if (this.totals.isEmpty) {
      this.notes.due = NaN;
      this.notes.room = 0;
    } else this.report(now);
  }

  /** The next event is looked at, and timed where it is an evaluation. */
  private fallIdle(now: number): void {
    const { timing, totals } = this;
    this.notes.room = 0;
    timing.timeNext();
    if (this.showsScheduler && totals.numInputRows === 0) totals.since = now;
    this.announcer.tell('idle');
  }
}
