import { Subject, type Observable } from 'rxjs';
import { approxPercentile, avg, collect, corr, count, createEngine, ema, histogram, isoTime, max, minBy, mode, preceding, range, rollingWindow, rollingWindowOf, sum, topK, udaf } from 'rxjs-rolling-window';

// The line after a comment that starts with `error:` must fail with a message that contains its text; nothing else may fail.

interface Sale {
  region: string;
  product: string;
  revenue: number;
  price: number | null;
  basket: { items: number };
  iso: string;
  label?: string;
  eventTime: Date;
}
const sales$ = new Subject<Sale>();

// error: Did you mean '"region"'?
sales$.pipe(rollingWindow({ partitionBy: 'regoin', orderBy: 'eventTime', measures: [] }));

// error: Type '"prodct"' is not assignable
sales$.pipe(rollingWindow({ partitionBy: ['region', 'prodct'], orderBy: 'eventTime', measures: [] }));

// A key is a number, a bigint, text, a boolean or a date.
// error: Type '"basket"' is not assignable to type
sales$.pipe(rollingWindow({ partitionBy: 'basket', orderBy: 'eventTime', measures: [] }));

interface Visit {
  page: string;
  at: number;
}
const visits$ = new Subject<Visit>();
// The columns are named also where every one of them qualifies.
// error: Type '"pgae"' is not assignable to type '"
visits$.pipe(rollingWindow({ partitionBy: 'pgae', orderBy: 'at', measures: [] }));
// error: Type '"when"' is not assignable to type '"
visits$.pipe(rollingWindow({ partitionBy: 'page', orderBy: 'at', measures: [count('when')] }));

// Columns have names.
// error: Type 'number' is not assignable to type
new Subject<{ 0: string; key: string; at: number }>().pipe(rollingWindow({ partitionBy: 0, orderBy: 'at', measures: [] }));

// error: Did you mean '"eventTime"'?
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventtime', measures: [] }));

// Text is no time by itself.
// error: Type '"iso"' is not assignable to type '"eventTime" | "
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'iso', measures: [] }));

// An adapter reads its own type only.
// error: Type '"eventTime"' is not assignable to type '"
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', time: isoTime, measures: [] }));

const hour = preceding(range('1 hour'));
sales$.pipe(
  rollingWindow({
    partitionBy: 'region',
    orderBy: 'eventTime',
    measures: [
      avg('price'),
      // error: Type '"revenu"' is not assignable to type '"
      sum('revenu').over(hour).as('total'),
      // error: MeasureOf<Sale, number | bigint, "
      sum('product'),
      // error: Did you mean '"label"'?
      count('lable'),
      // error: Type '"basket"' is not assignable
      max('basket'),
      // error: MeasureOf<Sale, number, "
      approxPercentile('label', 0.5).over(hour),
      // error: Did you mean '"label"'?
      minBy('lable', 'price'),
      // error: Did you mean '"price"'?
      minBy('product', 'prce'),
      // error: Type '"basket"' is not assignable to type '"
      minBy('product', 'basket'),
      // error: Type '"basket"' is not assignable to type '"
      minBy('basket', 'basket').as('itself'),
      // error: MeasureOf<Sale, number, "
      corr('price', 'product'),
      // error: Type '"basket"' is not assignable
      mode('basket'),
      // error: Type '"basket"' is not assignable
      topK('basket', 3),
      // error: MeasureOf<Sale, number, "
      histogram('label', [1]),
      // error: Type '"lable"' is not assignable
      collect('lable', 3).as('collected'),
      // error: is not assignable to parameter of type 'LengthOfTime<
      ema('price', '1 houer'),
      // error: Property 'paid' is missing in type 'Sale'
      count().filter((sale: { paid: boolean }) => sale.paid),
    ],
  }),
);

const double = udaf({ name: 'double', zero: () => 0, reduce: (_, value: number) => 2 * value, merge: (_, b) => b, finish: (state) => state });
// error: Type '"iso"' is not assignable to type '"
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', measures: [double('iso')] }));

// error: Type '"product"' is not assignable to type '"
rollingWindowOf<Sale>()({ partitionBy: 'region', orderBy: 'eventTime', measures: [sum('product')] });

// error: Type '"product"' is not assignable to type '"
createEngine<Sale>()({ partitionBy: 'region', orderBy: 'eventTime', measures: [sum('product')] });

// A key of the engine has the partition columns and no others.
const engine = createEngine<Sale>()({ partitionBy: 'region', orderBy: 'eventTime', measures: [count()] });
// error: 'product' does not exist in type '{ region: string; }'
engine.query({ product: 'x' });
// error: Argument of type '{ region: string; }' is not assignable to parameter of type 'number'
engine.queryAll({ region: 'eu' });

// The row has the columns that were asked for.
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', measures: [sum('revenue')] })).subscribe((row) => {
  // error: Did you mean 'sum(revenue)'?
  row['sum(revenu)'];
});

// Not every member of the union has a number there.
type Signal = { kind: 'on'; at: number; level: number } | { kind: 'off'; at: number; level: string };
// error: Type '"level"' is not assignable to type '"at"'
new Subject<Signal>().pipe(rollingWindow({ partitionBy: 'kind', orderBy: 'at', measures: [sum('level')] }));

export function perKey<E extends { key: string; at: number; value: string }>(source$: Observable<E>): void {
  // error: Type '"value"' is not assignable to type '"at"'
  source$.pipe(rollingWindow({ partitionBy: 'key', orderBy: 'at', measures: [sum('value')] }));
}

// Where nothing tells the type of the events, the message tells what does.
rollingWindow({
  // error: outside of a pipe use rollingWindowOf<Event>()
  partitionBy: 'region',
  // error: outside of a pipe use rollingWindowOf<Event>()
  orderBy: 'eventTime',
  measures: [],
});
