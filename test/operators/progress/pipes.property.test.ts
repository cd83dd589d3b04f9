import { array, assert, constantFrom, integer, oneof, property, record, type Arbitrary } from 'fast-check';
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { microBatch, realTime } from '../../../operators/index.ts';
import { detailedProgress, type QueryEvent } from '../../../operators/progress/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { NaiveReads } from '../../support/naiveReads.ts';
import { at, countHits, type Hit, type HitOptions } from '../support.ts';

const today = 1_700_000_000_000;

/** Events that come in the same millisecond, each so much later after its own time than the one before. */
interface Burst {
  readonly after: number;
  readonly delay: number;
  readonly size: number;
  readonly step: number;
}

/** Mostly with times in common, so that neighbours are noted together; sometimes more than are noted before they are counted. */
const burst: Arbitrary<Burst> = record({
  after: oneof({ weight: 4, arbitrary: constantFrom(0, 0, 1, 1, 3) }, constantFrom(17, 60)),
  delay: oneof({ weight: 5, arbitrary: integer({ min: 0, max: 4 }) }, constantFrom(-2, 900, 5000, 0.5, NaN)),
  size: oneof({ weight: 5, arbitrary: integer({ min: 1, max: 4 }) }, constantFrom(40, 300)),
  step: constantFrom(0, 0, 1),
});

/** Sends bursts through a pipe, and compares each report with what the events themselves say. `leavesAtOnce`: each event is an evaluation. */
function compare(bursts: readonly Burst[], options: HitOptions, leavesAtOnce: boolean): void {
  const scheduler = manualScheduler(today), events$ = new Subject<Hit>(), naive = new NaiveReads();
  let waiting = 0;
  const next = (event: QueryEvent): void => {
    if (event.kind !== 'progress') return;
    naive.leave(event.progress.timestamp);
    naive.check(event.progress);
    expect(event.progress.numInputRows).toBe(waiting);
    waiting = 0;
  };
  events$.pipe(countHits({ ...options, scheduler, progress: detailedProgress({ next }, { idleAfter: '30 ms' }) })).subscribe();
  let now = today;
  for (const { after, delay, size, step } of bursts) {
    scheduler.moveTo((now += after));
    for (let i = 0; i < size; i++) {
      const time = now - delay - i * step;
      waiting++;
      naive.add(now, time, time, 1);
      if (leavesAtOnce) naive.leave(now);
      events$.next(at(time));
    }
  }
  events$.complete();
  expect(waiting).toBe(0);
}

describe('reports of a pipe say what its events say, kept one by one', () => {
  it.each<[string, HitOptions, boolean]>([
    ['in micro-batches', { trigger: microBatch(10) }, false],
    ['in real time, for each event', { trigger: realTime() }, true],
    ['in real time, for long batches', { trigger: realTime({ batch: 40 }) }, true],
    ['where events are late', { trigger: microBatch(10), watermark: 2 }, false],
  ])('%s', (_name, options, leavesAtOnce) => {
    assert(property(array(burst, { maxLength: 20 }), (bursts) => compare(bursts, options, leavesAtOnce)), { numRuns: 150 });
  });
});
