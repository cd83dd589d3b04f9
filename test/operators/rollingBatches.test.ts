import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createEngine, microBatch, rollingBatches, RollingWindowError } from '../../operators/index.ts';
import { manualScheduler } from '../../operators/testing/index.ts';
import { marbles } from '../support/marbles.ts';
import { at, lastHits, row, type Hit } from './support.ts';

describe('rollingBatches', () => {
  it('gives one value for each evaluation with rows or removed keys, and none for the others', marbles((m) => {
    //                t(ms):  0123456789012345678
    const events$ = m.hot<Hit>('-ab------c---|', { a: at(1), b: at(2, 'b'), c: at(9) });
    const flush$ = m.hot(    '------f       ');
    const batches =          '-----p----q--|';
    const batch = { watermark: -Infinity, removed: [] };

    m.expect(events$.pipe(rollingBatches({ ...lastHits, trigger: microBatch(5), flush$ }))).toBeObservable(batches, {
      p: { ...batch, batchId: 1, frontier: 5, rows: [row(5, 1), row(5, 1, 'b')] },
      q: { ...batch, batchId: 3, frontier: 10, rows: [row(10, 0, 'b')], removed: [{ k: 'b' }] },
    });
    m.expect(events$).toHaveSubscriptions('^------------!');
  }));

  it('names removed keys where no row leaves with them', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const seen: unknown[] = [];
    events$.pipe(rollingBatches({ ...lastHits, scheduler, emit: 'none' })).subscribe((batch) => seen.push(batch));
    events$.next(at(0));
    scheduler.moveTo(50);

    expect(seen).toEqual([{ batchId: 2, frontier: 8, watermark: -Infinity, rows: [], removed: [{ k: 'a' }] }]);
  });

  it('names the key columns beside what is enumerable', () => {
    const events$ = new Subject<Hit>();
    const seen: unknown[] = [];
    events$.pipe(rollingBatches({ ...lastHits, partitionBy: ['k'] as const, scheduler: manualScheduler() })).subscribe((batch) => {
      seen.push(batch.keyColumns, Object.keys(batch));
    });
    events$.next(at(0));

    expect(seen).toEqual([['k'], ['batchId', 'frontier', 'watermark', 'rows', 'removed']]);
  });

  it('drives an engine that the caller owns', () => {
    const engine = createEngine<Hit>()(lastHits);
    const events$ = new Subject<Hit>();
    const seen: unknown[] = [];
    events$.pipe(rollingBatches(engine, { scheduler: manualScheduler() })).subscribe(({ rows }) => seen.push(rows));
    events$.next(at(0));

    expect(seen).toEqual([[row(0, 1)]]);
    expect(engine.position.events).toBe(1);
  });

  it('throws at once for a wrong configuration', () => {
    expect(() => rollingBatches({ ...lastHits, closed: 'left' } as never)).toThrow(RollingWindowError);
  });
});
