import { animationFrameScheduler, type Observable } from 'rxjs';
import { realTime, rollingBatches } from 'rxjs-rolling-window';
import type { CheckpointStore, Engine } from 'rxjs-rolling-window/engine';
import type { Measurement } from '../measurement.ts';
import { pageClock } from '../pageClock.ts';
import type { Home } from './home.ts';

/** An engine of this thread: an evaluation a frame, a checkpoint every second, and one evaluation at once with each `flush$`. */
export function onPage<Row, Key>(engine: Engine<Measurement, Row, Key>, store: CheckpointStore, flush$: Observable<unknown>): Home<Row, Key> {
  /** The pipe takes the state up once more, from where it was saved: only so it knows what the next part goes on from. */
  async function ready(): Promise<readonly Row[]> {
    const held = await store.load();
    if (held) engine.restore(held.parts);
    return engine.queryAll();
  }

  return {
    ready,
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
