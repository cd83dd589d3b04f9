import { exhaustMap, ignoreElements, interval, merge } from 'rxjs';
import { describeSnapshot, type CheckpointStore } from 'rxjs-rolling-window/engine';
import { batchesThroughWorker, type EngineProxy } from 'rxjs-rolling-window/worker';
import type { Measurement } from '../measurement.ts';
import { pageClock } from '../pageClock.ts';
import type { Home } from './home.ts';

/** How often the state is saved, in milliseconds. It comes over from the worker for that. */
const EVERY = 1000;

/** An engine of a worker: the page writes measurements down, and gets rows back once a frame. */
export function inWorker<Row, Key>(proxy: EngineProxy<Measurement, Row, Key>, store: CheckpointStore): Home<Row, Key> {
  let rev: string | undefined;
  /** Deltas since the base: what comes back at a restore should not grow for ever. */
  let deltas = 0;

  async function ready(): Promise<readonly Row[]> {
    const held = await store.load();
    if (held) {
      rev = held.rev;
      await proxy.restore(held.parts);
    }
    return proxy.queryAll();
  }

  async function save(): Promise<void> {
    const part = await proxy.snapshot({ delta: rev !== undefined && deltas < 30 });
    const { base } = describeSnapshot(part);
    deltas = base ? 0 : deltas + 1;
    rev = await store.save(part, { ifRev: rev, base });
  }

  return {
    ready,
    batches: (measurements$) => merge(measurements$.pipe(batchesThroughWorker(proxy, { scheduler: pageClock })), interval(EVERY, pageClock).pipe(exhaustMap(save), ignoreElements())),
    stats: () => proxy.stats(),
    leave: () => proxy.snapshot(),
  };
}
