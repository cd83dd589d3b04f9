import { animationFrameScheduler, asyncScheduler, Observable, type OperatorFunction, type SchedulerLike } from 'rxjs';
import { RollingWindowError, shown } from '../../src/index.ts';
import { eachRow } from '../eachRow.ts';
import { mustHave } from '../mustHave.ts';
import type { RollingBatch } from '../rollingBatches.ts';
import { RemoteEngine, type EngineProxy } from './remoteEngine.ts';
import { WorkerDrive, type DeliverBatch, type Pace } from './workerDrive.ts';

export interface WorkerOptions {
  /** The only source of time and timers: the worker has no clock. Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
  /** Its next turn is an evaluation, where one is due. Default: `animationFrameScheduler` where there are frames, else `scheduler`. */
  readonly coalesce?: SchedulerLike | undefined;
  /** Each value is one evaluation now; where one is on its way, as soon as that is answered. Its error is the operator's, its completion is nothing. */
  readonly flush$?: Observable<unknown> | undefined;
}

/**
 * Rolling aggregates per key, computed in a worker: what `rollingWindow` with `realTime({ coalesce })` gives, while this
 * thread only writes events into a buffer and hands rows on.
 *
 * An event arrives at the reading that the scheduler shows, and so do the events of an array together: to look at the clock
 * costs more than to write an event down. Once a frame they are sent, and the rows that changed come back. A frame is asked
 * for only while something is due, and no evaluation is sent before the last one is answered. While the page is hidden a
 * timer takes the place of frames. `query`, `snapshot` and the other calls of the proxy work beside the pipe. When the source
 * completes there is one last evaluation, then `complete`.
 *
 * A second subscription while one runs gets the error `engine-in-use`; a worker that ends, `worker-lost`. Rows that are on
 * their way when you unsubscribe are not seen by anyone.
 *
 * @throws RollingWindowError `invalid-config` for what is no proxy, and for wrong options.
 * @example sales$.pipe(throughWorker(engineProxy<typeof engine>(worker, { columns: ['region', 'revenue', 'at'] })))
 */
export function throughWorker<E, Row, Key>(proxy: EngineProxy<E, Row, Key>, options?: WorkerOptions): OperatorFunction<E | readonly E[], Row> {
  return drive<E, Row, Key, Row>(proxy, options, ({ rows }, subscriber) => eachRow(rows, subscriber));
}

/**
 * `throughWorker` before its rows are told apart: one value for each evaluation that changed rows or dropped keys, as
 * `rollingBatches` gives them.
 *
 * @throws RollingWindowError as `throughWorker` does.
 * @example sales$.pipe(batchesThroughWorker(proxy), latestByKey())
 */
export function batchesThroughWorker<E, Row, Key>(proxy: EngineProxy<E, Row, Key>, options?: WorkerOptions): OperatorFunction<E | readonly E[], RollingBatch<Row, Key>> {
  return drive<E, Row, Key, RollingBatch<Row, Key>>(proxy, options, (batch, subscriber) => {
    if (batch.rows.length > 0 || batch.removed.length > 0) subscriber.next(batch);
  });
}

function drive<E, Row, Key, Out>(proxy: EngineProxy<E, Row, Key>, options: WorkerOptions | undefined, deliver: DeliverBatch<Row, Key, Out>): OperatorFunction<E | readonly E[], Out> {
  const engine = remote(proxy), pace = paceOf(options);
  return (source) => new Observable((subscriber) => new WorkerDrive(engine, pace, deliver, subscriber).run(source));
}

function remote<E, Row, Key>(proxy: EngineProxy<E, Row, Key>): RemoteEngine<E, Row, Key> {
  if (proxy instanceof RemoteEngine) return proxy as RemoteEngine<E, Row, Key>;
  throw new RollingWindowError('invalid-config', { expected: 'a proxy made by engineProxy', given: shown(proxy) });
}

function paceOf({ scheduler = asyncScheduler, coalesce = hasFrames() ? animationFrameScheduler : scheduler, flush$ }: WorkerOptions = {}): Pace {
  mustHave('scheduler', scheduler, 'now', 'schedule');
  mustHave('coalesce', coalesce, 'schedule');
  if (flush$ !== undefined) mustHave('flush$', flush$, 'subscribe');
  return { scheduler, coalesce, flush$ };
}

const hasFrames = (): boolean => 'requestAnimationFrame' in globalThis;
