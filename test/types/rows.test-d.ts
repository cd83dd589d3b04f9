import { filter, groupBy, map, mergeMap, skip, Subject, tap, type Observable, type OperatorFunction } from 'rxjs';
import {
  approxCountDistinct,
  approxPercentile,
  avg,
  collect,
  corr,
  count,
  countDistinct,
  covarPop,
  covarSamp,
  createEngine,
  dates,
  ddSketch,
  ema,
  epoch,
  eventTime,
  first,
  histogram,
  isoTime,
  last,
  max,
  maxBy,
  measuresFor,
  min,
  minBy,
  mode,
  preceding,
  range,
  rollingWindow,
  rollingWindowFrom,
  rollingWindowOf,
  slope,
  stddev,
  sum,
  topK,
  udaf,
  variance,
  type DDSketchBins,
  type Dropped,
  type Engine,
  type PercentileSketch,
  type SavedCheckpoint,
} from 'rxjs-rolling-window';
import { memoryStore } from 'rxjs-rolling-window/checkpoint';
import { datadogSketch, tdigest, toDatadogSketch } from 'rxjs-rolling-window/sketches';
import { expectTypeOf } from 'vitest';

interface Sale {
  region: string;
  product: string | null;
  shop?: string;
  revenue: number;
  price: number | null;
  units: bigint;
  mixed: number | bigint;
  grade: 'a' | 'b';
  label?: string;
  paid: boolean;
  eventTime: number;
}
const sales$ = new Subject<Sale>();
declare function use(value: unknown): void;

// The row of the first example: partition columns, the frontier under its alias, measures in order.
sales$
  .pipe(
    rollingWindow({
      partitionBy: ['region', 'product'],
      orderBy: 'eventTime',
      frontierSpec: { delay: '10 seconds', alias: 'window_ts' },
      watermark: '5 seconds',
      measures: [sum('revenue').over(preceding(range('1 hour'))), avg('price').over(preceding(range('10 minutes'))).as('avg_price'), count('label')],
    }),
  )
  .subscribe((row) => {
    expectTypeOf(row).toEqualTypeOf<{
      region: string;
      product: string | null;
      window_ts: number;
      'sum(revenue)': number | null;
      avg_price: number | null;
      'count(label)': number;
    }>();
  });

// One column as text; what may be missing is null in the row; the default name of the frontier.
sales$.pipe(rollingWindow({ partitionBy: 'shop', orderBy: 'eventTime', measures: [count()] })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ shop: string | null; __frontier: number; 'count(*)': number }>();
});

// No column, no measure.
sales$.pipe(rollingWindow({ partitionBy: [], orderBy: 'eventTime', measures: [] })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ __frontier: number }>();
});

// Every measure answers with its own type.
sales$
  .pipe(
    rollingWindow({
      partitionBy: [],
      orderBy: 'eventTime',
      measures: [
        sum('units'),
        sum('mixed'),
        avg('units'),
        min('grade'),
        max('label'),
        max('units').as('most'),
        min('paid'),
        stddev('price'),
        variance('price'),
        approxCountDistinct('product', 0.01),
        approxPercentile('price', 0.95),
        approxPercentile('price', [0.5, 0.95], { relativeAccuracy: 0.01 }),
        approxPercentile('price', 0.99, { sketch: datadogSketch({ relativeAccuracy: 0.02 }) }).as('p99'),
        approxPercentile('revenue', [0, 1], { sketch: tdigest() }).filter((sale: Sale) => sale.paid),
        ddSketch('price').over(preceding(range('1 minute'))),
      ],
    }),
  )
  .subscribe((row) => {
    expectTypeOf(row).toEqualTypeOf<{
      __frontier: number;
      'sum(units)': bigint | null;
      'sum(mixed)': number | bigint | null;
      'avg(units)': number | null;
      'min(grade)': 'a' | 'b' | null;
      'max(label)': string | null;
      most: bigint | null;
      'min(paid)': boolean | null;
      'stddev_samp(price)': number | null;
      'var_samp(price)': number | null;
      'approx_count_distinct(product)': number;
      'approx_percentile(price, 0.95)': number | null;
      'approx_percentile(price, [0.5, 0.95])': number[] | null;
      p99: number | null;
      'approx_percentile(revenue, [0, 1])': number[] | null;
      'ddsketch(price)': DDSketchBins | null;
    }>();
  });

// The bins go to the package as they are; a sketch of one's own has a state of its own.
sales$.pipe(rollingWindow({ partitionBy: [], orderBy: 'eventTime', measures: [ddSketch('revenue').as('bins')] })).subscribe(({ bins }) => {
  if (bins !== null) expectTypeOf(toDatadogSketch(bins).getValueAtQuantile(0.5)).toEqualTypeOf<number>();
});
const everyValue: PercentileSketch<readonly number[]> = {
  name: 'every_value',
  zero: () => [],
  add: (state, value) => [...state, value].sort((a, b) => a - b),
  merge: (into, from) => [...into, ...from].sort((a, b) => a - b),
  at: (state, rank) => state[rank - 1] ?? NaN,
  encode: (state) => state,
  decode: (encoded) => encoded as readonly number[],
};
sales$.pipe(rollingWindow({ partitionBy: [], orderBy: 'eventTime', measures: [approxPercentile('price', 0.5, { sketch: everyValue })] })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ __frontier: number; 'approx_percentile(price, 0.5)': number | null }>();
});

// So do those of single values, of lists, and of two columns, of which the answer may have one's type.
interface Basket {
  items: string[];
}
new Subject<Sale & { basket: Basket | null }>()
  .pipe(
    rollingWindow({
      partitionBy: [],
      orderBy: 'eventTime',
      measures: [
        first('grade'),
        last('shop'),
        first('basket').as('basket'),
        minBy('product', 'price'),
        maxBy('basket', 'eventTime'),
        maxBy('units', 'units'),
        mode('grade').over(preceding(range('1 hour'))).filter((sale: { paid: boolean }) => sale.paid),
        topK('product', 3),
        histogram('price', [1, 10]),
        collect('label', 20),
        countDistinct('units'),
        ema('price', '10 minutes'),
        slope('revenue'),
        corr('price', 'revenue'),
        covarSamp('price', 'price'),
        covarPop('eventTime', 'revenue'),
      ],
    }),
  )
  .subscribe((row) => {
    expectTypeOf(row).toEqualTypeOf<{
      __frontier: number;
      'first(grade)': 'a' | 'b' | null;
      'last(shop)': string | null;
      basket: Basket | null;
      'min_by(product, price)': string | null;
      'max_by(basket, eventTime)': Basket | null;
      'max_by(units, units)': bigint | null;
      'mode(grade)': 'a' | 'b' | null;
      'top_k(product, 3)': { value: string; count: number }[];
      'histogram(price)': number[];
      'collect_list(label)': string[];
      'count_distinct(units)': number;
      'ema(price)': number | null;
      'slope(revenue)': number | null;
      'corr(price, revenue)': number | null;
      'covar_samp(price, price)': number | null;
      'covar_pop(eventTime, revenue)': number | null;
    }>();
  });

// A user's aggregate infers its state, its name and its answer, and is held to the columns that it takes.
const longest = udaf({ name: 'longest', zero: () => '', reduce: (state, value: string) => (value.length > state.length ? value : state), merge: (a, b) => (b.length > a.length ? b : a), finish: (state) => state.length });
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', measures: [longest('product')] })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ region: string; __frontier: number; 'longest(product)': number }>();
});

// A frame before or after a filter; `measuresFor` gives the filter its event.
const m = measuresFor<Sale>({ sum, avg, count, approxPercentile, ddSketch, udaf, first, minBy, topK, collect, corr, ema });
use(m.approxPercentile('price', 0.5, { relativeAccuracy: 0.01 }));
use(m.approxPercentile('price', 0.5, { sketch: tdigest({ delta: 0.02 }) }));
use(m.ddSketch('price', { relativeAccuracy: undefined }));
sales$
  .pipe(
    rollingWindow({
      partitionBy: 'region',
      orderBy: 'eventTime',
      measures: [
        m.sum('revenue').over(preceding(range('PT1H'))).filter((sale) => sale.paid).as('paid'),
        m.count().filter((sale) => !sale.paid).over(preceding(range('1 hour 30 minutes'))).as('unpaid'),
        m.avg('units').filter(({ grade }) => grade === 'a'),
        sum('price').filter((sale: { paid: boolean }) => sale.paid),
        m.approxPercentile('revenue', 0),
        m.udaf({ name: 'last', zero: () => 0, reduce: (_, value: number) => value, merge: (_, b) => b, finish: (s) => s })('revenue'),
      ],
    }),
  )
  .subscribe((row) => {
    expectTypeOf(row).toEqualTypeOf<{
      region: string;
      __frontier: number;
      paid: number | null;
      unpaid: number;
      'avg(units)': number | null;
      'sum(price)': number | null;
      'approx_percentile(revenue, 0)': number | null;
      'last(revenue)': number;
    }>();
  });
sales$
  .pipe(
    rollingWindow({
      partitionBy: 'region',
      orderBy: 'eventTime',
      measures: [
        m.first('label').filter((sale) => sale.paid),
        m.minBy('shop', 'price').over(preceding(range('1 day'))),
        m.topK('grade', 2),
        m.collect('units', 5).as('units'),
        m.corr('price', 'revenue'),
        m.ema('price', { minutes: 1 }),
      ],
    }),
  )
  .subscribe((row) => {
    expectTypeOf(row).toEqualTypeOf<{
      region: string;
      __frontier: number;
      'first(label)': string | null;
      'min_by(shop, price)': string | null;
      'top_k(grade, 2)': { value: 'a' | 'b'; count: number }[];
      units: bigint[];
      'corr(price, revenue)': number | null;
      'ema(price)': number | null;
    }>();
  });

// An aggregate that sees the time of each value, and lets them leave by it.
const newest = udaf({ name: 'newest', zero: () => -Infinity, reduce: (state, _: string, time) => Math.max(state, time), merge: Math.max, expire: (state, cutoff) => (state > cutoff ? state : -Infinity), finish: (state) => state });
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', measures: [newest('label')] })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ region: string; __frontier: number; 'newest(label)': number }>();
});

// Times: nullable numbers and dates by themselves, the rest through an adapter, which also types the frontier.
interface Timed {
  key: number;
  ms: number | null;
  date: Date | undefined;
  iso?: string;
  ns: bigint;
}
const timed$ = new Subject<Timed>();
use(timed$.pipe(rollingWindow({ partitionBy: 'key', orderBy: 'ms', measures: [count()] })));
timed$.pipe(rollingWindow({ partitionBy: 'key', orderBy: 'date', measures: [max('date')] })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ key: number; __frontier: number; 'max(date)': Date | null }>();
});
timed$.pipe(rollingWindow({ partitionBy: 'key', orderBy: 'date', time: dates, measures: [] })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ key: number; __frontier: Date }>();
});
timed$.pipe(rollingWindow({ partitionBy: 'key', orderBy: 'ns', time: epoch('nanoseconds'), frontierSpec: { alias: 'at' }, measures: [] })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ key: number; at: bigint }>();
});
timed$.pipe(rollingWindow({ partitionBy: 'key', orderBy: 'iso', time: isoTime, measures: [] })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ key: number; __frontier: string }>();
});

// `undefined` is as good as left out.
sales$
  .pipe(
    rollingWindow({
      partitionBy: 'region',
      orderBy: 'eventTime',
      frontierSpec: { delay: undefined, alias: undefined },
      watermark: undefined,
      time: undefined,
      trigger: undefined,
      measures: [count()],
    }),
  )
  .subscribe((row) => {
    expectTypeOf(row.region).toEqualTypeOf<string>();
    expectTypeOf(row['count(*)']).toEqualTypeOf<number>();
  });
use(sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', frontierSpec: { delay: { minutes: 1 } }, watermark: { delay: 1000, by: 'shop' }, limits: { keyTtl: '1 day' }, dropped: { next: ({ event }) => use(event.region) }, measures: [] })));
use(sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', dropped: new Subject<Dropped<unknown>>(), measures: [] })));

// Further down a pipe, and inside an inner one.
sales$
  .pipe(
    tap(),
    filter((sale) => sale.price !== null),
    map((sale) => ({ ...sale, extra: 1 as const })),
    rollingWindow({ partitionBy: ['region', 'extra'], orderBy: 'eventTime', measures: [sum('extra')] }),
    map((row) => row['sum(extra)']),
  )
  .subscribe((total) => {
    expectTypeOf(total).toEqualTypeOf<number | null>();
  });
sales$.pipe(groupBy((sale) => sale.region), mergeMap((sale$) => sale$.pipe(rollingWindow({ partitionBy: 'grade', orderBy: 'eventTime', measures: [] })))).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ grade: 'a' | 'b'; __frontier: number }>();
});

// Where there is no pipe.
const curried = rollingWindowOf<Sale>()({ partitionBy: 'region', orderBy: 'eventTime', measures: [sum('revenue').as('total')] });
expectTypeOf(curried).toEqualTypeOf<OperatorFunction<Sale, { region: string; __frontier: number; total: number | null }>>();
const annotated: OperatorFunction<Sale, { region: string; __frontier: number; n: number }> = rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', measures: [count().as('n')] });
use(sales$.pipe(annotated));

// Lists kept elsewhere.
const shared = [sum('revenue'), count()] as const;
const columns = ['region', 'grade'] as const;
sales$.pipe(rollingWindow({ partitionBy: columns, orderBy: 'eventTime', measures: shared })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ region: string; grade: 'a' | 'b'; __frontier: number; 'sum(revenue)': number | null; 'count(*)': number }>();
});
const loose = [sum('revenue'), count()];
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', measures: loose })).subscribe((row) => {
  expectTypeOf(row['sum(revenue)']).toEqualTypeOf<number | null>();
});
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', measures: [...shared, avg('price')] })).subscribe((row) => {
  expectTypeOf(row['avg(price)']).toEqualTypeOf<number | null>();
});

// Unions: the columns that all members have.
type Signal = { kind: 'on'; key: string; at: number; level: number } | { kind: 'off'; key: string; at: number; level: number | null };
new Subject<Signal>().pipe(rollingWindow({ partitionBy: ['kind', 'key'], orderBy: 'at', measures: [sum('level')] })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ kind: 'on' | 'off'; key: string; __frontier: number; 'sum(level)': number | null }>();
});

// Type parameters: columns of the constraint.
function perKey<E extends { key: string; at: number; value: number }>(source$: Observable<E>): void {
  source$.pipe(rollingWindow({ partitionBy: 'key', orderBy: 'at', measures: [sum('value').over(preceding(range('1 day'))), max('key'), count()] })).subscribe((row) => {
    const events: number = row['count(*)'];
    const key: string | null = row.key;
    const total: number | bigint | null = row['sum(value)'];
    const most: string | null = row['max(key)'];
    use([events, key, total, most]);
  });
}
use(perKey);

// Events of no known type.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
new Subject<any>().pipe(rollingWindow({ partitionBy: 'region', orderBy: 'at', measures: [sum('x'), count('y')] })).subscribe((row) => {
  expectTypeOf(row['sum(x)']).toEqualTypeOf<number | null>();
  expectTypeOf(row['count(y)']).toEqualTypeOf<number>();
});
new Subject<Record<string, number>>().pipe(rollingWindow({ partitionBy: 'region', orderBy: 'at', measures: [sum('x')] })).subscribe((row) => {
  expectTypeOf(row['sum(x)']).toEqualTypeOf<number | null>();
});

// A source that is made for a position: the event is what the function gives, wherever that is written.
const checkpoint = { store: memoryStore(), saved: sales$ as unknown as { next(saved: SavedCheckpoint): void } };
rollingWindowFrom(({ events }) => sales$.pipe(skip(events)), {
  partitionBy: ['region', 'shop'],
  orderBy: 'eventTime',
  clock: eventTime(),
  frontierSpec: { alias: 'asOf' },
  measures: [sum('revenue').filter((sale: Sale) => sale.paid), count()],
  checkpoint: { ...checkpoint, every: '1 minute', saved: ({ id, position }) => use([id, position.events]) },
  dropped: { next: ({ event }) => expectTypeOf(event).toEqualTypeOf<Sale>() },
}).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ region: string; shop: string | null; asOf: number; 'sum(revenue)': number | null; 'count(*)': number }>();
});
async function* readSales(from: number): AsyncGenerator<Sale> {
  yield* await Promise.resolve([] as Sale[]).then((sales) => sales.slice(from));
}
rollingWindowFrom(({ events }) => readSales(events), { partitionBy: [], orderBy: 'eventTime', measures: [count()], checkpoint }).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ __frontier: number; 'count(*)': number }>();
});

// The engine: rows as in a pipe, keys of the partition columns alone.
const engine = createEngine<Sale>()({ partitionBy: ['region', 'shop'], orderBy: 'eventTime', measures: [count()] });
expectTypeOf(engine.queryAll(5)).toEqualTypeOf<{ region: string; shop: string | null; __frontier: number; 'count(*)': number }[]>();
expectTypeOf(engine.queryAll).parameter(0).toEqualTypeOf<number | undefined>();
expectTypeOf(engine).toEqualTypeOf<
  Engine<Sale, { region: string; shop: string | null; __frontier: number; 'count(*)': number }, { region: string; shop: string | null }>
>();
rollingWindowFrom(() => sales$, engine, { checkpoint, clock: eventTime({ column: 'eventTime' }) }).subscribe((row) => {
  expectTypeOf(row.shop).toEqualTypeOf<string | null>();
});
