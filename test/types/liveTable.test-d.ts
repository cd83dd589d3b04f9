import { bufferTime, Subject, type Observable } from 'rxjs';
import { count, rollingBatches, rollingWindow, sum, type RollingBatch } from 'rxjs-rolling-window';
import { createLiveTable, desc, lag, liveTable, rank, Window, windowFunctions, type RowChange } from 'rxjs-rolling-window/window-functions';
import { expectTypeOf } from 'vitest';

interface Sale {
  region: string;
  product?: string;
  revenue: number;
  at: number;
}
const sales$ = new Subject<Sale>();

// The row is that of the stream, of arrays, or of batches.
expectTypeOf(sales$.pipe(liveTable({ key: 'region' }))).toEqualTypeOf<Observable<readonly RowChange<Sale>[]>>();
expectTypeOf(sales$.pipe(bufferTime(100), liveTable({ key: ['region', 'product'], deleted: ({ revenue }) => revenue === 0, limits: { maxKeys: 9, onLimit: 'evict-idle' } }))).toEqualTypeOf<
  Observable<readonly RowChange<Sale>[]>
>();
expectTypeOf(sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'at', measures: [sum('revenue')] }), liveTable({ key: 'region' }))).toEqualTypeOf<
  Observable<readonly RowChange<{ region: string; __frontier: number; 'sum(revenue)': number | null }>[]>
>();
expectTypeOf(sales$.pipe(rollingBatches({ partitionBy: ['region', 'product'], orderBy: 'at', measures: [count()] }), liveTable({ key: ['region', 'product'] }))).toEqualTypeOf<
  Observable<readonly RowChange<{ region: string; product: string | null; __frontier: number; 'count(*)': number }>[]>
>();

// A change knows what it has.
sales$.pipe(liveTable({ key: 'region' })).subscribe(([change]) => {
  if (change?.kind === 'insert') expectTypeOf(change).toEqualTypeOf<{ readonly kind: 'insert'; readonly after: Sale }>();
  if (change?.kind === 'delete') expectTypeOf(change.before).toEqualTypeOf<Sale>();
  if (change?.kind === 'update') expectTypeOf([change.before, change.after]).toEqualTypeOf<Sale[]>();
});

// A table of one's own.
const table = createLiveTable<Sale>()({ key: ['region', 'product'], encode: ({ region }) => region, decode: (saved) => ({ region: String(saved), revenue: 0, at: 0 }) });
expectTypeOf(table.get).parameter(0).toEqualTypeOf<{ region: string; product: string | null }>();
expectTypeOf(table.rows).toEqualTypeOf<readonly Sale[]>();
expectTypeOf(table.apply([])).toEqualTypeOf<readonly RowChange<Sale>[]>();
declare const batches$: Observable<RollingBatch<Sale, { region: string; product: string | null }>>;
expectTypeOf(sales$.pipe(liveTable(table))).toEqualTypeOf<Observable<readonly RowChange<Sale>[]>>();
expectTypeOf(sales$.pipe(bufferTime(100), liveTable(table))).toEqualTypeOf<Observable<readonly RowChange<Sale>[]>>();
expectTypeOf(batches$.pipe(liveTable(table))).toEqualTypeOf<Observable<readonly RowChange<Sale>[]>>();

// Window functions make its rows longer.
const best = Window.partitionBy('region').orderBy(desc('revenue'));
expectTypeOf(sales$.pipe(liveTable({ key: 'region' }), windowFunctions({ columns: [rank().over(best), lag('product').over(best).as('ahead')] }))).toEqualTypeOf<
  Observable<readonly RowChange<{ region: string; product?: string; revenue: number; at: number; 'rank()': number; ahead: string | null }>[]>
>();
