import { of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { count, keyText, latestByKey, preceding, range, rollingBatches, type RollingBatch } from '../../operators/index.ts';
import { manualScheduler } from '../../operators/testing/index.ts';
import { at, lastHits, row, type Hit } from './support.ts';

interface Sale {
  readonly region: string | null;
  readonly day: Date;
  readonly t: number;
}
const measures = [count().over(preceding(range(8))).as('n')] as const;

describe('latestByKey', () => {
  it('keeps the newest row of each key, without those whose state was dropped, in a new map each time', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const maps: ReadonlyMap<string, unknown>[] = [];
    events$.pipe(rollingBatches({ ...lastHits, scheduler }), latestByKey()).subscribe((latest) => maps.push(latest));
    events$.next(at(0, 'a'));
    events$.next(at(0, 'b'));
    scheduler.moveTo(1);
    events$.next(at(1, 'a'));
    scheduler.moveTo(8);

    expect(maps.map((latest) => [...latest])).toEqual([
      [['a', row(0, 1, 'a')]],
      [['a', row(0, 1, 'a')], ['b', row(0, 1, 'b')]],
      [['a', row(1, 2, 'a')], ['b', row(0, 1, 'b')]],
      [['a', row(8, 1, 'a')]],
    ]);
  });

  it('files rows of several key columns under one text', () => {
    const scheduler = manualScheduler();
    const sales$ = of<Sale[]>({ region: 'eu', day: new Date(5), t: 0 }, { region: null, day: new Date(5), t: 0 });
    let last: ReadonlyMap<string, { n: number }> | undefined;
    sales$.pipe(rollingBatches({ partitionBy: ['region', 'day'], orderBy: 't', measures, scheduler }), latestByKey()).subscribe((latest) => (last = latest));

    expect([...(last?.keys() ?? [])]).toEqual(['["eu",@5]', '[null,@5]']);
    expect(last?.get(keyText('eu', new Date(5)))?.n).toBe(1);
  });

  it('files rows under the text of a date, and of no column at all', () => {
    const scheduler = manualScheduler();
    const keys: unknown[] = [];
    const sale: Sale = { region: 'eu', day: new Date(5), t: 0 };
    of(sale, sale).pipe(rollingBatches({ partitionBy: 'day', orderBy: 't', measures, scheduler }), latestByKey()).subscribe((latest) => keys.push(...latest.keys()));
    of(sale).pipe(rollingBatches({ partitionBy: [], orderBy: 't', measures, scheduler }), latestByKey()).subscribe((latest) => keys.push(...latest.keys()));

    expect(keys).toEqual(['[@5]', '[@5]', '[]']);
  });

  it('has its own state in each subscription', () => {
    const batches$ = of(at(0)).pipe(rollingBatches({ ...lastHits, scheduler: manualScheduler() }), latestByKey());
    const sizes: number[] = [];
    batches$.subscribe(({ size }) => sizes.push(size));
    batches$.subscribe(({ size }) => sizes.push(size));
    expect(sizes).toEqual([1, 1]);
  });

  it('says what is missing in a copied batch', () => {
    const copied: RollingBatch<object, object> = { batchId: 1, frontier: 0, watermark: 0, rows: [], removed: [] };
    let caught: unknown;
    of(copied).pipe(latestByKey()).subscribe({ error: (error: unknown) => (caught = error) });
    expect(caught).toMatchObject({ code: 'invalid-config', given: 'a batch without them' });
  });
});
