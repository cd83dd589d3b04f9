import { Observable, type OperatorFunction, type SchedulerLike, type Subscriber } from 'rxjs';
import { internalsOf, type EngineInternals } from '../src/engine.ts';
import { RollingWindowError, type Engine } from '../src/index.ts';
import { alarmOn, type Alarm } from './alarm.ts';
import type { RunningClock } from './clocks/clock.ts';
import type { DriveOptions, EngineSource } from './engineSource.ts';
import { reporterTo, type Reporter } from './progress.ts';
import type { Drive, Rhythm } from './triggers/trigger.ts';
import { TurnSubscriber } from './turnSubscriber.ts';
import { Turns, type TurnTaker } from './turns.ts';

/** Hands on what one evaluation gave. */
export type Deliver<E, Row, Key, Out> = (rows: readonly Row[], subscriber: Subscriber<Out>, engine: Engine<E, Row, Key>, internals: EngineInternals) => void;

/** By whom an engine of a caller is driven. */
const drivers = /*#__PURE__*/ new WeakMap<object, Subscriber<never>>();

/** The operator behind all others: each subscription runs one engine by one clock and one trigger. */
export function drive<E, Row, Key, Out>(
  { owned, open, options }: EngineSource<E, Row, Key>,
  deliver: Deliver<E, Row, Key, Out>,
): OperatorFunction<E, Out> {
  return (source) =>
    new Observable((subscriber) => {
      const engine = open();
      if (owned) {
        if (drivers.has(engine)) throw engineInUse();
        drivers.set(engine, subscriber);
        subscriber.add(() => release(engine, subscriber));
      }
      new Driver(engine, options, deliver, subscriber).run(source);
    });
}

/** Whoever drives the engine by now keeps it: the next subscription may begin in the `complete` of the one before. */
function release(engine: object, subscriber: Subscriber<never>): void {
  if (drivers.get(engine) === subscriber) drivers.delete(engine);
}

/**
 * One subscription at work.
 *
 * A class, since a number that changes with each event is kept in place in a field, and made anew in a variable that
 * functions share: with such variables an event costs a fifth more.
 */
class Driver<E, Row, Key, Out> implements Drive, TurnTaker {
  shown: number = -Infinity;
  readonly scheduler: SchedulerLike;
  private readonly engine: Engine<E, Row, Key>;
  private readonly options: DriveOptions;
  private readonly deliver: Deliver<E, Row, Key, Out>;
  private readonly subscriber: Subscriber<Out>;
  private readonly internals: EngineInternals;
  private readonly reporter: Reporter | undefined;
  private readonly turns: Turns;
  private readonly alarm: Alarm;
  private rhythm: Rhythm | undefined;

  constructor(engine: Engine<E, Row, Key>, options: DriveOptions, deliver: Deliver<E, Row, Key, Out>, subscriber: Subscriber<Out>) {
    const { trigger, scheduler, progress } = options;
    const internals = internalsOf(engine);
    this.scheduler = scheduler;
    this.engine = engine;
    this.options = options;
    this.deliver = deliver;
    this.subscriber = subscriber;
    this.internals = internals;
    this.reporter = progress && reporterTo(progress, trigger.batch ?? 0, engine, () => internals.batch);
    this.turns = new Turns(this);
    this.alarm = alarmOn(scheduler, () => this.turn(() => this.wake()));
    this.onClose(() => this.alarm.set(undefined));
  }

  run(source: Observable<E>): void {
    const { trigger, flush$ } = this.options;
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
    this.shown = started.reading();
    return started;
  }

  push(event: unknown, now: number): void {
    if (this.closed) return;
    this.shown = now;
    this.reporter?.offered();
    this.engine.push(event as E, now);
  }

  evaluate(now: number, last = false): void {
    if (this.closed || now === -Infinity) return;
    this.shown = now;
    this.rhythm?.evaluated?.();
    const rows = this.engine.advance(now);
    this.reporter?.evaluated(now, rows.length, last);
    this.deliver(rows, this.subscriber, this.engine, this.internals);
  }

  nextBoundary(): number | undefined {
    return this.engine.nextBoundary();
  }

  get owing(): boolean {
    const { watermarkPending, emit } = this.internals;
    return watermarkPending || (emit === 'every' && this.engine.stats.keys > 0);
  }

  listen<T>(notifier$: Observable<T>, next: (value: T) => void, complete = (): void => undefined): void {
    if (this.closed) return;
    const listener = new TurnSubscriber<T>(this.turns, { next, error: (error) => this.fail(error), complete });
    this.subscriber.add(listener);
    listener.add(notifier$.subscribe(listener)); // another one where it was wrapped nevertheless
  }

  turn(action: () => void): void {
    this.turns.take(action, undefined);
  }

  onClose(teardown: () => void): void {
    this.subscriber.add(teardown);
  }

  get closed(): boolean {
    return this.subscriber.closed;
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
    release(this.engine, this.subscriber);
    this.subscriber.error(error);
  }

  private wake(): void {
    const { rhythm, shown } = this;
    const due = rhythm?.due?.();
    if (rhythm === undefined || due === undefined) return;
    const now = rhythm.clock.reading();
    // Where the clock was set back, the time that was waited for may be far off again.
    if (now >= due || now < shown) rhythm.woken?.(now);
  }

  private finish(clock: RunningClock): void {
    this.evaluate(clock.last(), true);
    release(this.engine, this.subscriber);
    this.subscriber.complete();
  }
}

function engineInUse(): RollingWindowError {
  return new RollingWindowError('engine-in-use', {
    expected: 'an engine that no other subscription drives',
    given: 'one that is in use',
    remedy: 'Share the rows with share(), or make an engine for each subscription.',
  });
}
