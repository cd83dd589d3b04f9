import { Subscription, type Observable, type SchedulerLike, type Subscriber } from 'rxjs';
import { internalsOf, type EngineInternals } from '../src/internals.ts';
import type { Engine, StoredCheckpoint } from '../src/index.ts';
import { alarmOn, type Alarm } from './alarm.ts';
import { Checkpoints } from './checkpoints/checkpoints.ts';
import type { RunningClock } from './clocks/clock.ts';
import type { DriveOptions } from './engineSource.ts';
import { giveBack } from './engineUse.ts';
import { reporterOf, type Reporter } from './progress.ts';
import type { Notes } from './progress/notes.ts';
import type { QueryProgress } from './progress/queryProgress.ts';
import type { Drive, Rhythm } from './triggers/trigger.ts';
import { TurnSubscriber } from './turnSubscriber.ts';
import { Turns, type TurnTaker } from './turns.ts';

/** Hands on what one evaluation gave. */
export type Deliver<E, Row, Key, Out> = (
  rows: readonly Row[],
  subscriber: Subscriber<Out>,
  engine: Engine<E, Row, Key>,
  internals: EngineInternals,
  progress: QueryProgress | undefined,
) => void;

/**
 * One subscription at work.
 *
 * A class, since a number that changes with each event is kept in place in a field, and made anew in a variable that
 * functions share: with such variables an event costs a fifth more.
 */
export class Driver<E, Row, Key, Out> implements Drive, TurnTaker {
  shown: number = -Infinity;
  readonly scheduler: SchedulerLike;
  private readonly engine: Engine<E, Row, Key>;
  private readonly options: DriveOptions;
  private readonly deliver: Deliver<E, Row, Key, Out>;
  private readonly subscriber: Subscriber<Out>;
  private readonly internals: EngineInternals;
  private readonly reporter: Reporter | undefined;
  private readonly notes: Notes | undefined;
  private readonly checkpoints: Checkpoints | undefined;
  private readonly turns: Turns;
  /** Whatever comes in: it ends with the source, and the subscription once the last checkpoint is saved. */
  private readonly inlet = new Subscription();
  private readonly alarm: Alarm;
  private rhythm: Rhythm | undefined = undefined;

  constructor(
    engine: Engine<E, Row, Key>,
    options: DriveOptions,
    deliver: Deliver<E, Row, Key, Out>,
    subscriber: Subscriber<Out>,
    turnsOf: (taker: TurnTaker) => Turns = (taker) => new Turns(taker),
  ) {
    const { trigger, scheduler, progress, checkpoint } = options;
    const internals = internalsOf(engine);
    subscriber.add(this.inlet);
    this.scheduler = scheduler;
    this.engine = engine;
    this.options = options;
    this.deliver = deliver;
    this.subscriber = subscriber;
    this.internals = internals;
    this.reporter = progress && reporterOf(progress, { engine, internals, trigger, scheduler, turn: (action) => this.turn(action) });
    this.notes = this.reporter?.notes;
    this.checkpoints =
      checkpoint && new Checkpoints(checkpoint, engine, scheduler, { turn: (action) => this.turnOfCheckpoints(action), saveFailed: (failure) => this.reporter?.saveFailed(failure) });
    this.turns = turnsOf(this);
    this.alarm = alarmOn(scheduler, () => this.turn(() => this.wake()));
    this.onClose(() => this.alarm.set(undefined));
    subscriber.add(() => this.checkpoints?.stop());
  }

  /** Takes over what was stored, before anything is counted. */
  restore(stored: StoredCheckpoint | undefined): void {
    this.checkpoints?.restore(stored);
  }

  run(source: Observable<E>): void {
    try {
      this.start(source);
    } catch (error) {
      this.fail(error);
    }
  }

  private start(source: Observable<E>): void {
    const { trigger, flush$ } = this.options;
    this.reporter?.started?.();
    this.subscriber.add(() => this.reporter?.closed?.());
    const { clock, arrived } = (this.rhythm = trigger.start(this));
    this.internals.eventTimeClock = clock.eventTime;
    if (flush$) this.listen(flush$, () => this.evaluate(clock.reading()));
    // What a restored engine still owes is due without any event.
    this.turn(() => undefined);
    this.listen(source, arrived, () => this.turn(() => this.finish(clock)));
  }

  startClock(): RunningClock {
    const { clock, scheduler } = this.options;
    const { orderBy, time, reading: from } = this.internals;
    const read = (event: unknown, column: string): number => time.read((event as Record<string, unknown> | null)?.[column]);
    const started = clock.start({ scheduler, orderBy, from, readingForLatest: () => this.internals.readingForLatest, read });
    this.reporter?.clockStarted?.(started);
    this.show(started.reading());
    return started;
  }

  push(event: unknown, now: number): void {
    if (this.closed) return;
    this.show(now);
    const { notes } = this;
    // Noted by hand: the compiler inlines only so much into one function, and a call costs more than all of this.
    const time = notes && (event as Record<string, unknown> | null | undefined)?.[notes.column];
    if (notes !== undefined && typeof time === 'number' && notes.end < notes.room) notes.times[notes.end++] = time;
    else this.reporter?.offered(event);
    this.checkpoints?.offered();
    this.engine.push(event as E, now);
  }

  evaluate(now: number, last = false): void {
    if (this.closed || now === -Infinity) return;
    this.show(now);
    this.rhythm?.evaluated?.();
    const { notes } = this, isTold = notes === undefined || notes.watches(now);
    if (isTold) this.reporter?.evaluating?.(now);
    const rows = this.engine.advance(now);
    if (this.inlet.closed) return; // what the engine calls may unsubscribe
    this.checkpoints?.evaluated();
    let report: QueryProgress | undefined;
    if (isTold) report = this.reporter?.evaluated(now, rows.length, last);
    else notes.pass(rows.length, this.engine.removed.length);
    this.deliver(rows, this.subscriber, this.engine, this.internals, report);
  }

  nextBoundary(): number | undefined {
    return this.engine.nextBoundary();
  }

  get owing(): boolean {
    const { watermarkPending, emit } = this.internals;
    return watermarkPending || (emit === 'every' && this.engine.stats.keys > 0) || this.reporter?.owing === true;
  }

  listen<T>(notifier$: Observable<T>, next: (value: T) => void, complete = (): void => undefined): void {
    if (this.closed) return;
    const listener = new TurnSubscriber<T>(this.turns, { next, error: (error) => this.fail(error), complete });
    this.inlet.add(listener);
    listener.add(notifier$.subscribe(listener)); // another one where it was wrapped nevertheless
  }

  turn(action: () => void): void {
    this.turns.take(action, undefined);
  }

  onClose(teardown: () => void): void {
    this.inlet.add(teardown);
  }

  get closed(): boolean {
    return this.inlet.closed;
  }

  /** Sets the alarm for what is due by now. */
  settled(): void {
    const { rhythm, alarm, shown } = this;
    if (!rhythm?.due) return;
    const { clock } = rhythm;
    const due = rhythm.due();
    alarm.set(due === undefined ? undefined : clock.reaches(due), clock.eventTime ? undefined : shown);
  }

  fail(error: unknown): void {
    this.reporter?.ending?.({ reason: 'failed', error });
    giveBack(this.engine, this.subscriber);
    this.subscriber.error(error);
  }

  private show(now: number): void {
    if (now === this.shown) return;
    this.shown = now;
    this.reporter?.moved?.(now);
  }

  private wake(): void {
    const { rhythm, shown } = this;
    const due = rhythm?.due?.();
    if (rhythm === undefined || due === undefined) return;
    const now = rhythm.clock.reading();
    // Where the clock was set back, the time that was waited for may be far off again.
    if (now >= due || now < shown) rhythm.woken?.(now);
  }

  /** What is saved last is the state before the last evaluation: a source that goes on after a restart goes on from there. */
  private finish(clock: RunningClock): void {
    const { checkpoints } = this;
    checkpoints?.takeLast();
    this.evaluate(clock.last(), true);
    if (checkpoints === undefined) return this.complete();
    this.inlet.unsubscribe();
    checkpoints.whenSettled(() => this.complete());
  }

  private complete(): void {
    this.reporter?.ending?.({ reason: 'completed' });
    giveBack(this.engine, this.subscriber);
    this.subscriber.complete();
  }

  /** A turn like any other, until nothing comes in any more. */
  private turnOfCheckpoints(action: () => void): void {
    if (!this.closed) return this.turn(action);
    if (this.subscriber.closed) return;
    try {
      action();
    } catch (error) {
      this.fail(error);
    }
  }
}
