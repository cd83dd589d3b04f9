import { Subject, type Observable } from 'rxjs';
import type { RollingBatch } from 'rxjs-rolling-window';
import { createLiveTable, liveTable, rank, Window, windowFunctions } from 'rxjs-rolling-window/window-functions';

interface Sale {
  region: string;
  revenue: number;
  basket: { items: number };
}
const sales$ = new Subject<Sale>();
const lists$ = new Subject<Sale[]>();
const table = createLiveTable<Sale>()({ key: 'region' });

// error: Type '"regoin"' is not assignable to type
createLiveTable<Sale>()({ key: 'regoin' });

// error: Type '"basket"' is not assignable to type
createLiveTable<Sale>()({ key: ['region', 'basket'] });

// error: Property 'region' is missing
table.get({});

// error: Type 'number' is not assignable to type 'string'
table.delete([{ region: 5 }]);

// error: Did you mean '"region"'?
sales$.pipe(liveTable({ key: 'regoin' }));

// error: Type '"basket"' is not assignable to type
lists$.pipe(liveTable({ key: 'basket' }));

// error: Property 'price' does not exist on type 'Sale'
lists$.pipe(liveTable({ key: 'region', deleted: ({ price }) => price === 0 }));

// error: Type '"sometimes"' is not assignable to type
sales$.pipe(liveTable({ key: 'region', limits: { maxKeys: 1, onLimit: 'sometimes' } }));

declare const perBasket$: Observable<RollingBatch<Sale, { shop: string }>>;
// error: is not assignable to
perBasket$.pipe(liveTable(table));

// error: Type '"prcie"' is not assignable to type
sales$.pipe(liveTable({ key: 'region' }), windowFunctions({ columns: [rank().over(Window.orderBy('prcie'))] }));
