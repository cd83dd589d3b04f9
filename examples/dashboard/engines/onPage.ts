import { animationFrameScheduler, type Observable } from 'rxjs';
import { realTime, rollingBatches } from 'rxjs-rolling-window';
import type { CheckpointStore, Engine } from 'rxjs-rolling-window/engine';
import type { Measurement } from '../measurement.ts';
import { pageClock } from '../pageClock.ts';
import type { Home } from './home.ts';

/** An engine of this thread: an evaluation a frame, a checkpoint every second, and one evaluation at once with each `flush$`. */
export function onPage<Row, Key>(engine: Engine<Measurement, Row, Key>, store: CheckpointStore, flush$: Observable<unknown>): Home<Row, Key> {
  return {
    ready: () => Promise.resolve(),
    batches: (measurements$) =>
      measurements$.pipe(
        rollingBatches(engine, {
          trigger: realTime({ coalesce: animationFrameScheduler }),
          scheduler: pageClock,
          checkpoint: { store, every: '1 second' },
          flush$,
        }),
      ),
    stats: () => Promise.resolve(engine.stats),
    leave: () => Promise.resolve(engine.snapshot()),
  };
}
