import { bufferTime, Subject, type Observable } from 'rxjs';
import {
  approxPercentile,
  asc,
  avg,
  collect,
  count,
  cumeDist,
  currentRow,
  denseRank,
  desc,
  eventTime,
  firstValue,
  lag,
  lastValue,
  latestByKey,
  lead,
  max,
  measuresFor,
  minBy,
  nthValue,
  ntile,
  rank,
  rollingBatches,
  rowNumber,
  sum,
  unboundedFollowing,
  unboundedPreceding,
  Window,
  windowColumns,
  windowFunctions,
} from 'rxjs-rolling-window';
import { expectTypeOf } from 'vitest';

interface Product {
  product: string;
  category: string | null;
  shop?: string;
  revenue: number;
  price: number | null;
  units: bigint;
  grade: 'a' | 'b';
  label?: string;
  soldAt: Date;
  at: number;
}
declare const products: readonly Product[];
const products$ = new Subject<Product>();

const perCategory = Window.partitionBy('category').orderBy(desc('revenue'));
const byTime = Window.partitionBy('category', 'shop').orderBy('soldAt', asc('product', { nulls: 'last' }));

// Every function, with its default name, and with one of its own.
const rows = windowColumns(products, {
  columns: [
    rank().over(perCategory),
    denseRank().over(perCategory).as('dense'),
    cumeDist().over(byTime),
    rowNumber().over(Window.orderBy('at')),
    ntile(4).over(byTime),
    lag('price').over(perCategory),
    lag('revenue', 2).over(perCategory),
    lag('revenue', 1, 0).over(perCategory).as('before'),
    lag('grade', 1, 'none').over(perCategory).as('gradeBefore'),
    lag('label', 1, '').over(perCategory).as('labelBefore'),
    lead('soldAt', 1, undefined, { ignoreNulls: true }).over(perCategory),
    firstValue('product').over(perCategory),
    lastValue('label', { ignoreNulls: true }).over(Window.partitionBy('category')),
    nthValue('revenue', 2).over(perCategory.rowsBetween(-1, unboundedFollowing)),
    max('revenue').over(perCategory.rangeBetween(unboundedPreceding, unboundedFollowing)),
    sum('units').over(Window.orderBy('units').rangeBetween(-10, 10)),
    avg('price').over(Window.orderBy('soldAt').rangeBetween({ preceding: '1 hour' }, currentRow)),
    count().over(Window.partitionBy()),
    count('label')
      .filter((product: Product) => product.revenue > 0)
      .over(Window.partitionBy())
      .as('labelled'),
    collect('grade', 3).over(perCategory),
    minBy('product', 'price').over(perCategory),
    approxPercentile('price', [0.5, 0.9]).over(perCategory),
  ],
});
expectTypeOf(rows).toEqualTypeOf<
  {
    product: string;
    category: string | null;
    shop?: string;
    revenue: number;
    price: number | null;
    units: bigint;
    grade: 'a' | 'b';
    label?: string;
    soldAt: Date;
    at: number;
    'rank()': number;
    dense: number;
    'cume_dist()': number;
    'row_number()': number;
    'ntile(4)': number;
    'lag(price)': number | null;
    'lag(revenue, 2)': number | null;
    before: number;
    gradeBefore: string;
    labelBefore: string | null;
    'lead(soldAt)': Date | null;
    'first_value(product)': string | null;
    'last_value(label)': string | null;
    'nth_value(revenue, 2)': number | null;
    'max(revenue)': number | null;
    'sum(units)': bigint | null;
    'avg(price)': number | null;
    'count(*)': number;
    labelled: number;
    'collect_list(grade)': ('a' | 'b')[];
    'min_by(product, price)': string | null;
    'approx_percentile(price, [0.5, 0.9])': number[] | null;
  }[]
>();

// Over arrays in a pipe the rows' type comes from it.
const ranked$ = products$.pipe(bufferTime(1000), windowFunctions({ columns: [rank().over(perCategory).as('rank')] }));
expectTypeOf(ranked$).toExtend<Observable<(Product & { rank: number })[]>>();

// Over batches the batch stays what it is, so that `latestByKey` goes on.
const latest$ = products$.pipe(
  rollingBatches({ partitionBy: 'category', orderBy: 'at', clock: eventTime(), measures: [sum('revenue').as('total')] }),
  windowFunctions({ columns: [rank().over(Window.orderBy(desc('total'))).as('rank')] }),
  latestByKey(),
);
expectTypeOf(latest$).toEqualTypeOf<Observable<ReadonlyMap<string | null, { category: string | null; __frontier: number; total: number | null; rank: number }>>>();

// One after the other.
const both$ = products$.pipe(
  bufferTime(1000),
  windowFunctions({ columns: [rank().over(perCategory).as('rank')] }),
  windowFunctions({ columns: [lag('rank').over(Window.orderBy('rank'))] }),
);
expectTypeOf(both$).toExtend<Observable<(Product & { rank: number; 'lag(rank)': number | null })[]>>();

// Columns that are known only at run time are left to the run time.
declare const name: string;
windowColumns(products, { columns: [rank().over(perCategory).as(name)] });

// The functions of one event type complete columns, and know the row in a filter.
const m = measuresFor<Product>({ sum });
const ofGradeA = windowColumns(products, {
  columns: [m.sum('revenue').over(perCategory).filter(({ grade }) => grade === 'a').as('a'), m.sum('revenue').filter(({ grade }) => grade === 'b').over(perCategory).as('b')],
});
expectTypeOf(ofGradeA[0]!.a).toEqualTypeOf<number | null>();
expectTypeOf(ofGradeA[0]!.b).toEqualTypeOf<number | null>();

// A union of rows keeps its members.
declare const shapes: readonly ({ kind: 'circle'; at: number; radius: number } | { kind: 'square'; at: number; side: number })[];
expectTypeOf(windowColumns(shapes, { columns: [rank().over(Window.orderBy('at'))] })).toEqualTypeOf<
  ({ kind: 'circle'; at: number; radius: number; 'rank()': number } | { kind: 'square'; at: number; side: number; 'rank()': number })[]
>();
