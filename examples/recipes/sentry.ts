import { captureMessage } from '@sentry/browser';
import { asyncScheduler, defer, filter, map, type Observable, type OperatorFunction, type SchedulerLike } from 'rxjs';
import { approxPercentile, count, microBatch, preceding, range, rollingWindow } from 'rxjs-rolling-window';

export interface Request {
  readonly route: string;
  readonly ms: number;
  readonly at: number;
}
/** How a route is doing. */
export interface Pace {
  readonly route: string;
  readonly requests: number;
  readonly p95: number | null;
}
export interface Limits {
  /** An alarm is raised above this, in milliseconds... */
  readonly above: number;
  /** ... and ends at this or below it: what lies between changes nothing, so a p95 that sways around a limit is one alarm. */
  readonly below: number;
  /** So few requests raise none. */
  readonly atLeast: number;
}
export interface Alarm extends Pace {
  readonly raised: boolean;
}

const minute = preceding(range('1 minute'));

/** The last minute by route, once a second while something changes: also when slow requests have left and no new ones come. */
export const paceByRoute = (scheduler: SchedulerLike = asyncScheduler): OperatorFunction<Request, Pace> =>
  rollingWindow({
    partitionBy: 'route',
    orderBy: 'at',
    trigger: microBatch('1 second'),
    measures: [count().over(minute).as('requests'), approxPercentile('ms', 0.95).over(minute).as('p95')],
    scheduler,
  });

/** Of each route, when its alarm is raised and when it ends. A route without requests has none. */
export const alarms = ({ above, below, atLeast }: Limits): OperatorFunction<Pace, Alarm> => (paces$) =>
  defer(() => {
    const raised = new Set<string>();
    return paces$.pipe(
      filter(({ route, requests, p95 }) => {
        const was = raised.has(route);
        const is = p95 !== null && (was ? p95 > below : p95 > above && requests >= atLeast);
        if (is) raised.add(route);
        else raised.delete(route);
        return is !== was;
      }),
      map((pace) => ({ ...pace, raised: raised.has(pace.route) })),
    );
  });

/** Sends an alarm, and its end. Sentry makes one issue of each route's. */
export function toSentry({ route, requests, p95, raised }: Alarm): void {
  captureMessage(raised ? `${route} is slow` : `${route} is as fast as before`, {
    level: raised ? 'warning' : 'info',
    fingerprint: ['slow route', route],
    tags: { route },
    contexts: { 'last minute': { requests, p95 } },
  });
}

/** @example slowRoutes(requests$, { above: 500, below: 400, atLeast: 20 }).subscribe(toSentry) */
export const slowRoutes = (requests$: Observable<Request>, limits: Limits, scheduler?: SchedulerLike): Observable<Alarm> => requests$.pipe(paceByRoute(scheduler), alarms(limits));
