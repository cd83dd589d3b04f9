import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { count, preceding, range, realTime, rollingBatches, sum, type RollingBatch } from '../../../operators/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { batchesThroughWorker, engineProxy, exposeEngine } from '../../../operators/worker/index.ts';
import type { AnyEngineConfig } from '../../../src/index.ts';
import type { AnyEngine, Columns } from '../../support/duel.ts';
import { startEngine } from '../../support/engines.ts';
import { Frames, linkedPorts } from '../../support/linkedPorts.ts';

/** Steps of a quarter of a millisecond between an event and the next, its key, and where its time lies. */
type Step = readonly [wait: number, key: string, offset: number];

const configs: fc.Arbitrary<AnyEngineConfig> = fc.record({
  partitionBy: fc.constant('k'),
  orderBy: fc.constant('t'),
  frontierSpec: fc.constantFrom({ delay: 0 }, { delay: 5 }, { delay: 40 }),
  watermark: fc.constantFrom(undefined, 0, 30),
  measures: fc.constantFrom([count().over(preceding(range(8)))], [sum('v').over(preceding(range(50))), count()], [count().over(preceding(range(100)))]),
});

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(fc.oneof({ weight: 4, arbitrary: fc.nat(8) }, fc.nat(400)), fc.constantFrom('a', 'a', 'b', 'c'), fc.oneof({ weight: 3, arbitrary: fc.integer({ min: -20, max: 3 }) }, fc.integer({ min: -300, max: 200 }))),
  { maxLength: 25, size: 'max' },
);

const shownBatch = ({ batchId, frontier, watermark, rows, removed, keyColumns }: RollingBatch<Columns, Columns>): unknown => ({ batchId, frontier, watermark, rows, removed: [...removed], keyColumns });

/** What a pipe gives, and when. */
function run(drawn: readonly Step[], pipe: (scheduler: ReturnType<typeof manualScheduler>, events$: Subject<Columns>, seen: (batch: RollingBatch<Columns, Columns>) => void) => void): unknown[] {
  const scheduler = manualScheduler(1003), events$ = new Subject<Columns>(), log: unknown[] = [];
  pipe(scheduler, events$, (batch) => log.push([scheduler.now(), shownBatch(batch)]));
  for (const [wait, k, offset] of drawn) {
    scheduler.advanceBy(wait / 4);
    events$.next({ k, t: scheduler.now() + offset, v: offset });
  }
  scheduler.advanceBy(90);
  events$.complete();
  expect(scheduler.timers).toBe(0);
  return log;
}

const here = (config: AnyEngineConfig, drawn: readonly Step[]): unknown[] =>
  run(drawn, (scheduler, events$, seen) => {
    events$.pipe(rollingBatches(startEngine(config), { scheduler, trigger: realTime({ coalesce: new Frames(scheduler) }) })).subscribe(seen);
  });

const there = (config: AnyEngineConfig, drawn: readonly Step[]): unknown[] =>
  run(drawn, (scheduler, events$, seen) => {
    const [page, worker] = linkedPorts();
    exposeEngine(startEngine(config), worker);
    const proxy = engineProxy<AnyEngine>(page, { columns: ['k', 't', 'v'] });
    events$.pipe(batchesThroughWorker(proxy, { scheduler, coalesce: new Frames(scheduler) })).subscribe({ next: seen, complete: () => proxy.close() });
  });

it('a worker that answers at once gives what realTime({ coalesce }) gives here, frame by frame', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(configs, steps, (config, drawn) => {
      expect(there(config, drawn)).toStrictEqual(here(config, drawn));
    }),
    { numRuns: 400 },
  );
});
