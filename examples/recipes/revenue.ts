import { animationFrameScheduler, type Observable } from 'rxjs';
import { count, latestByKey, preceding, range, realTime, rollingBatches, sum } from 'rxjs-rolling-window';

export interface Purchase {
  readonly region: string;
  readonly revenue: number;
  readonly at: number;
}
export interface Revenue {
  readonly region: string;
  readonly revenue: number | null;
  readonly purchases: number;
}
export type RevenueTable = ReadonlyMap<string, Revenue>;

const hour = preceding(range('1 hour'));

/** The last hour by region: a new `Map` in a frame in which something changed, and none in all others. */
export const revenueByRegion = (purchases$: Observable<Purchase>): Observable<RevenueTable> =>
  purchases$.pipe(
    rollingBatches({
      partitionBy: 'region',
      orderBy: 'at',
      trigger: realTime({ coalesce: animationFrameScheduler }),
      measures: [sum('revenue').over(hour).as('revenue'), count().over(hour).as('purchases')],
    }),
    latestByKey(),
  );
