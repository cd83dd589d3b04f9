import { Observable, Subject, takeUntil, type OperatorFunction, type Subscriber } from 'rxjs';
import { internalsOf, type EngineInternals } from '../src/engine.ts';
import { RollingWindowError, type Engine } from '../src/index.ts';
import { alarmOn } from './alarm.ts';
import type { RunningClock } from './clocks/clock.ts';
import type { DriveOptions, EngineSource } from './engineSource.ts';
import { reporterTo } from './progress.ts';
import type { Rhythm } from './triggers/trigger.ts';
import { turnsOf } from './turns.ts';

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
      run(source, engine, options, deliver, subscriber);
    });
}

/** Whoever drives the engine by now keeps it: the next subscription may begin in the `complete` of the one before. */
function release(engine: object, subscriber: Subscriber<never>): void {
  if (drivers.get(engine) === subscriber) drivers.delete(engine);
}

function run<E, Row, Key, Out>(
  source: Observable<E>,
  engine: Engine<E, Row, Key>,
  { trigger, clock, scheduler, progress, flush$ }: DriveOptions,
  deliver: Deliver<E, Row, Key, Out>,
  subscriber: Subscriber<Out>,
): void {
  const internals = internalsOf(engine);
  const reporter = progress && reporterTo(progress, trigger.batch ?? 0, engine, () => internals.batch);
  const closed$ = new Subject<void>();
  let rhythm: Rhythm | undefined;
  let shown = -Infinity;

  const turn = turnsOf({ isClosed: () => subscriber.closed, fail }, rearm);
  const alarm = alarmOn(scheduler, () => turn(wake, undefined));
  subscriber.add(() => {
    alarm.set(undefined);
    closed$.next();
  });

  const { clock: running, arrived } = (rhythm = trigger.start({
    startClock,
    push,
    evaluate,
    get shown() {
      return shown;
    },
    get owing() {
      return internals.watermarkPending || (internals.emit === 'every' && engine.stats.keys > 0);
    },
    nextBoundary: () => engine.nextBoundary(),
    listen,
    turn: (action) => turn(action, undefined),
    onClose: (teardown) => subscriber.add(teardown),
  }));
  internals.eventTimeClock = running.eventTime;
  if (flush$) listen(flush$, () => evaluate(running.reading()));
  // What a restored engine still owes is due without any event.
  turn(() => undefined, undefined);
  listen(source, arrived, () => turn(finish, undefined));

  function startClock(): RunningClock {
    const { orderBy, time } = internals;
    const read = (event: unknown, column: string): number => time.read((event as Record<string, unknown> | null)?.[column]);
    const started = clock.start({ scheduler, orderBy, from: internals.reading, readingForLatest: () => internals.readingForLatest, read });
    shown = started.reading();
    return started;
  }

  function listen<T>(notifier$: Observable<T>, action: (value: T) => void, completed = (): void => undefined): void {
    if (subscriber.closed) return;
    // Not by the subscription alone: it does not exist yet while a synchronous source emits.
    subscriber.add(
      notifier$.pipe(takeUntil(closed$)).subscribe({
        next: (value) => turn(action, value),
        error: fail,
        complete: completed,
      }),
    );
  }

  function push(event: unknown, now: number): void {
    if (subscriber.closed) return;
    shown = now;
    reporter?.offered();
    engine.push(event as E, now);
  }

  function evaluate(now: number, last = false): void {
    if (subscriber.closed || now === -Infinity) return;
    shown = now;
    rhythm?.evaluated?.();
    const rows = engine.advance(now);
    reporter?.evaluated(now, rows.length, last);
    deliver(rows, subscriber, engine, internals);
  }

  function wake(): void {
    const due = rhythm?.due?.();
    const now = running.reading();
    // Where the clock was set back, the time that was waited for may be far off again.
    if (due !== undefined && (now >= due || now < shown)) rhythm?.woken?.(now);
  }

  function rearm(): void {
    const due = rhythm?.due?.();
    alarm.set(due === undefined ? undefined : running.reaches(due), internals.eventTimeClock ? undefined : shown);
  }

  function finish(): void {
    evaluate(running.last(), true);
    release(engine, subscriber);
    subscriber.complete();
  }

  function fail(error: unknown): void {
    release(engine, subscriber);
    subscriber.error(error);
  }
}

function engineInUse(): RollingWindowError {
  return new RollingWindowError('engine-in-use', {
    expected: 'an engine that no other subscription drives',
    given: 'one that is in use',
    remedy: 'Share the rows with share(), or make an engine for each subscription.',
  });
}
