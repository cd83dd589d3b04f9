import { bufferCount, from, lastValueFrom, of, Subject, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { desc, eventTime, latestByKey, manual, rank, rollingBatches, RollingWindowError, sum, udaf, Window, windowFunctions, type RollingBatch } from 'rxjs-rolling-window';

interface Sale {
  region: string;
  revenue: number;
  at: number;
}

const byRevenue = Window.orderBy(desc('revenue'));

describe('windowFunctions', () => {
  test('adds its columns to each array, which it looks at alone', async () => {
    const sales = [5, 7, 7, 1].map((revenue, at): Sale => ({ region: 'eu', revenue, at }));
    const rows = await lastValueFrom(from(sales).pipe(bufferCount(2), windowFunctions({ columns: [rank().over(byRevenue).as('rank')] }), toArray()));

    expect(rows).toEqual([
      [
        { region: 'eu', revenue: 5, at: 0, rank: 2 },
        { region: 'eu', revenue: 7, at: 1, rank: 1 },
      ],
      [
        { region: 'eu', revenue: 7, at: 2, rank: 1 },
        { region: 'eu', revenue: 1, at: 3, rank: 2 },
      ],
    ]);
  });

  test('leaves the rows that came in as they were', async () => {
    const row = Object.freeze({ revenue: 5 });
    const [[given] = []] = await lastValueFrom(of([row]).pipe(windowFunctions({ columns: [rank().over(byRevenue)] }), toArray()));

    expect(given).toEqual({ revenue: 5, 'rank()': 1 });
    expect(row).toEqual({ revenue: 5 });
  });

  test('keeps all of a batch but its rows, and what `latestByKey` needs of it', () => {
    const sales$ = new Subject<Sale>(), clock$ = new Subject<number>(), seen: RollingBatch<object>[] = [], latest: unknown[] = [];
    const batches$ = sales$.pipe(
      rollingBatches({ partitionBy: 'region', orderBy: 'at', trigger: manual(clock$), measures: [sum('revenue').as('revenue')] }),
      windowFunctions({ columns: [rank().over(byRevenue).as('rank')] }),
    );
    batches$.subscribe((batch) => seen.push(batch));
    batches$.pipe(latestByKey()).subscribe((rows) => latest.push([...rows.values()].map(({ region, rank: place }) => [region, place])));
    for (const [region, revenue] of [['eu', 5], ['us', 8]] as const) sales$.next({ region, revenue, at: 0 });
    clock$.next(1);

    expect(seen).toEqual([{ batchId: 1, frontier: 1, watermark: -Infinity, removed: [], rows: [expect.objectContaining({ region: 'eu', revenue: 5, rank: 2 }), expect.objectContaining({ region: 'us', revenue: 8, rank: 1 })] }]);
    expect(latest).toEqual([[['eu', 2], ['us', 1]]]);
  });

  test('is checked at once, whatever comes later is an error of the stream', () => {
    const errors: unknown[] = [];
    const wrong = (): unknown => windowFunctions({ columns: [rank()] as never });
    of([{ revenue: {} }], [{ revenue: 1 }]).pipe(windowFunctions<{ revenue: unknown }[], []>({ columns: [rank().over(byRevenue)] as never })).subscribe({ error: (error: unknown) => errors.push(error) });

    expect(wrong).toThrow(RollingWindowError);
    expect(errors).toEqual([expect.objectContaining({ code: 'invalid-value' })]);
  });

  test.each([5, 'rows', null, undefined, true, Symbol('rows'), {}, { rows: 5 }, new Set()])('what is neither rows nor a batch is an error by its code: %s', (given) => {
    const errors: unknown[] = [];
    of(given as unknown as object[]).pipe(windowFunctions({ columns: [] })).subscribe({ error: (error: unknown) => errors.push(error) });

    expect(errors).toEqual([expect.objectContaining({ code: 'invalid-value' })]);
  });

  test('names the aggregate that throws, and its cause', () => {
    const broken = udaf({ name: 'broken', zero: () => 0, reduce: (): number => { throw new Error('out of order'); }, merge: (into) => into, finish: (state) => state });
    const errors: unknown[] = [];
    of([{ revenue: 1 }]).pipe(windowFunctions({ columns: [broken('revenue').over(byRevenue)] })).subscribe({ error: (error: unknown) => errors.push(error) });

    expect(errors).toEqual([expect.objectContaining({ code: 'user-code', remedy: 'See the cause', cause: expect.objectContaining({ message: 'out of order' }) as unknown })]);
  });

  test('goes on where a source ends', async () => {
    const sales = [{ region: 'eu', revenue: 5, at: 1 }, { region: 'us', revenue: 8, at: 2 }];
    const batches = await lastValueFrom(
      from(sales).pipe(
        rollingBatches({ partitionBy: 'region', orderBy: 'at', clock: eventTime(), measures: [sum('revenue').as('revenue')] }),
        windowFunctions({ columns: [rank().over(byRevenue).as('rank')] }),
        toArray(),
      ),
    );

    expect(batches.flatMap(({ rows }) => rows.map(({ region, rank: place }) => `${region} ${place}`))).toEqual(['eu 1', 'us 1']);
  });
});
