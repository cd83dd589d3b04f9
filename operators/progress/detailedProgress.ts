import { durationMs, RollingWindowError, shown, type Duration, type Listener } from '../../src/index.ts';
import { mustHave } from '../mustHave.ts';
import type { ProgressMeter } from '../progress.ts';
import { Meter } from './meter.ts';
import type { QueryEvent } from './queryProgress.ts';

export interface DetailedProgressOptions<Column extends string = never> {
  /** Stands in each report, to tell several pipes apart. */
  readonly name?: string | undefined;
  /** The time column since when an event is under way, for instance the broker's append time. Default: `orderBy`. */
  readonly queuedSince?: Column | undefined;
  /** A stopwatch in milliseconds that only goes forward: `() => performance.now()`. Default: the scheduler's time, mostly whole milliseconds. */
  readonly now?: (() => number) | undefined;
  /** After this much silence, on the scheduler, `idle` is told, once. Default 10 seconds; `false`: never. */
  readonly idleAfter?: Duration | false | undefined;
}

/**
 * Reports in the terms of Spark's `StreamingQueryProgress`: what `progress` may be instead of a listener.
 *
 * The listener gets `started` at subscription, `progress` after each evaluation and before its rows leave, `idle` after a
 * silence, and `terminated` with its reason. With `realTime()` a report covers a long batch of 5 minutes, or what `batch`
 * says; under the scheduler's clock it comes on time without any event. Idle and long batches are told by a timer of its
 * own, which nothing but silence leaves waiting. Batches of `rollingBatches` carry their report as `progress`.
 *
 * @throws RollingWindowError `invalid-config` for what is no listener, name, column or stopwatch, `invalid-duration` for an
 * `idleAfter` that is not positive.
 * @example rollingWindow({ ..., progress: detailedProgress(events$, { now: () => performance.now() }) }) // events$ is a Subject<QueryEvent>
 */
export function detailedProgress<const Column extends string = never>(
  listener: Listener<QueryEvent>,
  { name, queuedSince, now, idleAfter = '10 seconds' }: DetailedProgressOptions<Column> = {},
): ProgressMeter<Column> {
  mustHave('listener', listener, 'next');
  check(name === undefined || typeof name === 'string', '`name` as a text', name);
  check(queuedSince === undefined || typeof queuedSince === 'string', '`queuedSince` as the name of a column', queuedSince);
  check(now === undefined || typeof now === 'function', '`now` as a function that gives milliseconds', now);
  const options = { name: name ?? null, queuedSince, now, idleAfter: idleAfter === false ? Infinity : durationMs(idleAfter, { positive: true }) };
  return { column: queuedSince, reporterFor: (reported) => new Meter(listener, options, reported) };
}

function check(right: boolean, expected: string, given: unknown): void {
  if (!right) throw new RollingWindowError('invalid-config', { expected, given: shown(given) });
}
