import { Subject } from 'rxjs';
import { rollingWindow } from 'rxjs-rolling-window';

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

// error: 'frontier' does not exist in type
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', frontier: { delay: '1 second' }, measures: [] }));

// error: Property 'measures' is missing
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime' }));

// error: Property 'partitionBy' is missing
sales$.pipe(rollingWindow({ orderBy: 'eventTime', measures: [] }));

// error: Type '"10 secs"' is not assignable to type 'Duration | undefined'
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', frontierSpec: { delay: '10 secs' }, measures: [] }));

// error: Type '"shop"' is not assignable to type
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', watermark: { delay: 1000, by: 'shop' }, measures: [] }));

// error: Type '"sometimes"' is not assignable to type
sales$.pipe(rollingWindow({ partitionBy: 'region', orderBy: 'eventTime', emit: 'sometimes', measures: [] }));
