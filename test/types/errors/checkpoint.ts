import { Subject } from 'rxjs';
import { eventTime, rollingWindow, rollingWindowFrom, sum, type CheckpointStore } from 'rxjs-rolling-window';

interface Sale {
  region: string;
  revenue: number;
  at: number;
}
declare const store: CheckpointStore;
declare function read(from: number): Subject<Sale>;
const sales$ = new Subject<Sale>();
const checkpoint = { store };

export const withoutStore$ = sales$.pipe(
  // error: Property 'store' is missing
  rollingWindow({ partitionBy: 'region', orderBy: 'at', measures: [sum('revenue')], checkpoint: {} }),
);
export const unreadable$ = sales$.pipe(
  // error: is not assignable to type 'Duration | undefined'
  rollingWindow({ partitionBy: 'region', orderBy: 'at', measures: [sum('revenue')], checkpoint: { store, every: '1 houer' } }),
);
export const withOtherFunction$ = sales$.pipe(
  // error: is not assignable to type
  rollingWindow({ partitionBy: 'region', orderBy: 'at', measures: [sum('revenue')], checkpoint: { store, saved: (id: string) => id } }),
);
// error: Property 'checkpoint' is missing
export const withoutCheckpoint$ = rollingWindowFrom(({ events }) => read(events), { partitionBy: 'region', orderBy: 'at', measures: [sum('revenue')] });
export const otherKey$ = rollingWindowFrom(({ events }) => read(events), {
  // error: Type '"regoin"' is not assignable to type '"at" | "region" | "revenue" | readonly ("at" | "region" | "revenue")[]'
  partitionBy: 'regoin',
  orderBy: 'at',
  measures: [sum('revenue')],
  checkpoint,
});
export const otherColumn$ = rollingWindowFrom(({ events }) => read(events), {
  partitionBy: 'region',
  // error: Type '"region"' is not assignable to type '"at" | "revenue"'
  orderBy: 'region',
  // error: Type '"revenu"' is not assignable to type '"at" | "revenue"'
  measures: [sum('revenu')],
  // error: Type '"on"' is not assignable to type
  clock: eventTime({ column: 'on' }),
  checkpoint,
});
