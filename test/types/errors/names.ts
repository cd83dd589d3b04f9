import { Subject } from 'rxjs';
import { count, preceding, range, rollingWindow, sum } from 'rxjs-rolling-window';

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

sales$.pipe(
  rollingWindow({
    partitionBy: 'region',
    orderBy: 'eventTime',
    measures: [
      // error: two measures are named 'sum(revenue)'
      sum('revenue').over(preceding(range('1 hour'))),
      count(),
      // error: two measures are named 'sum(revenue)'
      sum('revenue').over(preceding(range('1 day'))),
      sum('revenue').as('total'),
    ],
  }),
);

// error: 'region' is a partition column or the frontier already
sales$.pipe(rollingWindow({ partitionBy: ['product', 'region'], orderBy: 'eventTime', measures: [sum('revenue').as('region')] }));

// error: '__frontier' is a partition column or the frontier already
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', measures: [sum('revenue').as('__frontier')] }));

// error: 'at' is a partition column or the frontier already
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', frontierSpec: { alias: 'at' }, measures: [sum('revenue').as('at')] }));
