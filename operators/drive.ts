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

const inUse = /*#__PURE__*/ new WeakSet();

/** The operator behind all others: each subscription runs one engine by one clock and one trigger. */
export function drive<E, Row, Key, Out>(
  { owned, open, options }: EngineSource<E, Row, Key>,
  deliver: Deliver<E, Row, Key, Out>,
): OperatorFunction<E, Out> {
  return (source) =>
    new Observable((subscriber) => {
      const engine = open();
      if (owned) {
        if (inUse.has(engine)) throw engineInUse();
        inUse.add(engine);
        subscriber.add(() => inUse.delete(engine));
      }
      run(source, engine, options, deliver, subscriber);
    });
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
  let pending = false;
  let since = -Infinity;

  const turn = turnsOf({ isClosed: () => subscriber.closed, fail: (error) => subscriber.error(error) }, rearm);
  const alarm = alarmOn(scheduler, () => turn(wake, undefined));
  subscriber.add(() => {
    alarm.set(undefined);
    closed$.next();
  });

  const { clock: running, arrived } = (rhythm = trigger.start({
    startClock,
    push,
    evaluate,
    get since() {
      return since;
    },
    get owing() {
      return internals.watermarkPending || (internals.emit === 'every' && engine.stats.keys > 0);
    },
    nextBoundary: () => engine.nextBoundary(),
    listen,
    turn: (action) => turn(action, undefined),
    onClose: (teardown) => subscriber.add(teardown),
  }));
  if (flush$) listen(flush$, () => evaluate(running.reading()));
  // What a restored engine still owes is due without any event.
  turn(() => undefined, undefined);
  listen(source, arrived, () => turn(finish, undefined));

  function startClock(): RunningClock {
    const { orderBy, delay, time } = internals;
    const read = (event: unknown, column: string): number => time.read((event as Record<string, unknown> | null)?.[column]);
    const started = clock.start({ scheduler, orderBy, delay, from: internals.reading, read });
    internals.eventTimeClock = started.eventTime;
    since = started.reading();
    return started;
  }

  function listen<T>(notifier$: Observable<T>, action: (value: T) => void, completed = (): void => undefined): void {
    if (subscriber.closed) return;
    // Not by the subscription alone: it does not exist yet while a synchronous source emits.
    subscriber.add(
      notifier$.pipe(takeUntil(closed$)).subscribe({
        next: (value) => turn(action, value),
        error: (error: unknown) => subscriber.error(error),
        complete: completed,
      }),
    );
  }

  function push(event: unknown, now: number): void {
    if (subscriber.closed) return;
    if (!pending) since = now;
    pending = true;
    reporter?.offered();
    engine.push(event as E, now);
  }

  function evaluate(now: number, last = false): void {
    if (subscriber.closed || now === -Infinity) return;
    pending = false;
    since = now;
    const rows = engine.advance(now);
    reporter?.evaluated(now, rows.length, last);
    deliver(rows, subscriber, engine, internals);
  }

  function wake(): void {
    const due = rhythm?.due?.();
    const now = running.reading();
    if (due !== undefined && now >= due) rhythm?.woken?.(now);
  }

  function rearm(): void {
    const due = rhythm?.due?.();
    alarm.set(due === undefined ? undefined : running.reaches(due));
  }

  function finish(): void {
    evaluate(running.last(), true);
    subscriber.complete();
  }
}

function engineInUse(): RollingWindowError {
  return new RollingWindowError('engine-in-use', {
    expected: 'an engine that no other subscription drives',
    given: 'one that is in use',
    remedy: 'Share the rows with share(), or make an engine for each subscription.',
  });
}
