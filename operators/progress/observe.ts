import { asyncScheduler, Observable, tap, type OperatorFunction, type SchedulerLike } from 'rxjs';
import { durationMs, RollingWindowError, shown, type AnyMeasure, type CheckedMeasures, type Duration, type Listener, type RollingRow } from '../../src/index.ts';
import { alarmOn } from '../alarm.ts';
import { mustHave } from '../mustHave.ts';
import { Tally } from './tally.ts';

/** What the measures say of a stream, by their names. */
export type Metrics<E, Measures extends readonly AnyMeasure[]> = RollingRow<E, readonly [], Measures, never>;

/** What one batch of a stream came to. */
export interface Observation<Values> {
  readonly name: string;
  /** What the scheduler shows, in epoch milliseconds. */
  readonly timestamp: number;
  readonly metrics: Values;
  /** Values with something in a column that its measures do not take: no measure has them. They passed like all others. */
  readonly invalid: number;
}

export interface ObserveOptions<E, Measures extends readonly AnyMeasure[]> {
  /** Without `.over()`: each is over what came since the report before. */
  readonly measures: Measures & CheckedMeasures<E, Measures, never>;
  /**
   * A length of time: reports fall on its multiples since the subscription, where something came. Or a notifier: each value is
   * a report, also of nothing; its error is the operator's, its completion is nothing. Default: one report, at the end.
   */
  readonly every?: Duration | Observable<unknown> | undefined;
  /** Gets the reports: an observer, of which only `next` is called, or a function. What it throws is the stream's error. */
  readonly report: Listener<Observation<Metrics<NoInfer<E>, Measures>>> | ((observation: Observation<Metrics<NoInfer<E>, Measures>>) => void);
  /** Default `asyncScheduler`. It also gives each value its time, for `first`, `slope` and their like. */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Passes every value on, and reports aggregates over them, batch by batch: how many came, the largest, percentiles.
 *
 * Completion gives a last report, of what came since the one before, then completes. An error passes at once, and like
 * unsubscribing reports nothing. Memory is that of the measures, however long a batch is; `approxPercentile` is within
 * 1 % as over a lifetime. With a subject of `detailedProgress` as notifier, batches are those of the window further down.
 *
 * @throws RollingWindowError `invalid-measure` for a measure over a frame, `invalid-config` and `invalid-duration` for the
 * rest. What user code throws later is the stream's error.
 * @example
 * requests$.pipe(observe('requests', { measures: [count(), max('ms')], every: '10 seconds', report: ({ metrics }) => console.log(metrics) }))
 * // { 'count(*)': 4181, 'max(ms)': 97 }
 */
export function observe<E, const Measures extends readonly AnyMeasure[]>(name: string, options: ObserveOptions<E, Measures>): OperatorFunction<E, E> {
  const { measures, every, report, scheduler = asyncScheduler } = checked(name, options);
  new Tally(measures, scheduler); // shows what is wrong with the measures now
  const told = typeof report === 'function' ? report : (observation: Observation<never>): void => report.next(observation);

  return (source) =>
    new Observable<E>((subscriber) => {
      const tally = new Tally(measures, scheduler);
      const tell = (): void => told({ name, timestamp: scheduler.now(), ...(tally.take() as { metrics: never; invalid: number }) });
      const attempt = (): void => {
        if (subscriber.closed) return; // a notifier that does not wait can't be unsubscribed yet
        try {
          tell();
        } catch (error) {
          subscriber.error(error);
        }
      };
      const interval = isNotifier(every) || every === undefined ? undefined : new Multiples(durationMs(every, { positive: true }), scheduler, attempt);
      if (isNotifier(every)) subscriber.add(every.subscribe({ next: attempt, error: (error: unknown) => subscriber.error(error) }));
      subscriber.add(() => interval?.stop());
      if (subscriber.closed) return;
      const add = (value: E): void => {
        tally.add(value);
        interval?.await();
      };
      source.pipe(tap({ next: add, complete: tell })).subscribe(subscriber);
    });
}

/** The multiples of a length since it was made, of which those are met that somebody waits for. */
class Multiples {
  private readonly length: number;
  private readonly scheduler: SchedulerLike;
  private readonly origin: number;
  private readonly alarm: ReturnType<typeof alarmOn>;
  private due: number | undefined;

  constructor(length: number, scheduler: SchedulerLike, met: () => void) {
    this.length = length;
    this.scheduler = scheduler;
    this.origin = scheduler.now();
    this.alarm = alarmOn(scheduler, () => {
      if (scheduler.now() >= this.due!) {
        this.due = undefined;
        met();
      } else this.alarm.set(this.due);
    });
  }

  await(): void {
    if (this.due !== undefined) return;
    this.due = this.origin + (Math.floor((this.scheduler.now() - this.origin) / this.length) + 1) * this.length;
    this.alarm.set(this.due);
  }

  stop(): void {
    this.alarm.set(undefined);
  }
}

const isNotifier = (every: unknown): every is Observable<unknown> => typeof (every as { subscribe?: unknown } | null | undefined)?.subscribe === 'function';

function checked<Options extends { readonly every?: unknown; readonly report: unknown; readonly scheduler?: unknown }>(name: unknown, options: Options): Options {
  if (typeof name !== 'string') throw new RollingWindowError('invalid-config', { expected: 'a name for what is observed', given: shown(name) });
  const { every, report, scheduler } = Object(options) as Options;
  if (typeof report !== 'function') mustHave('report', report, 'next');
  if (scheduler !== undefined) mustHave('scheduler', scheduler, 'now', 'schedule');
  if (every !== undefined && !isNotifier(every)) durationMs(every as Duration, { positive: true });
  return options;
}
