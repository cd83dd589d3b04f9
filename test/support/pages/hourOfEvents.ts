import { Subject } from 'rxjs';
import { approxCountDistinct, approxPercentile, avg, count, max, mode, preceding, range, rollingWindow, sum } from 'rxjs-rolling-window';
import { manualScheduler } from 'rxjs-rolling-window/testing';
import { random } from '../samples.ts';

interface Visit {
  readonly user: string;
  readonly ms: number;
  readonly page: string;
  readonly at: number;
}
declare global {
  /** Lets a thousand events a second come until the end of a minute, and gives how many rows left so far, and how many timers wait. */
  function playUntil(minute: number): { readonly rows: number; readonly timers: number };
}

const minute = preceding(range('1 minute')), seconds = preceding(range('10 seconds'));
const scheduler = manualScheduler();
const visits$ = new Subject<Visit>();
const next = random(1);
let rows = 0;

visits$
  .pipe(
    rollingWindow({
      partitionBy: 'user',
      orderBy: 'at',
      frontierSpec: { delay: '1 second' },
      watermark: '5 seconds',
      measures: [
        count().over(minute).as('visits'),
        sum('ms').over(minute).as('total'),
        avg('ms').over(seconds).as('mean'),
        max('ms').over(seconds).as('worst'),
        approxPercentile('ms', 0.95).over(minute).as('p95'),
        approxPercentile('ms', 0.95, { relativeAccuracy: 0.01 }).over(minute).as('sketched'),
        approxCountDistinct('page').over(minute).as('pages'),
        mode('page').over(seconds).as('favourite'),
      ],
      scheduler,
    }),
  )
  .subscribe(() => (rows += 1));

/** Half of them are of ten users who stay, half of users who come, stay for some seconds and never return. */
const user = (at: number): string => (next() < 0.5 ? `stays-${String(Math.floor(10 * next()))}` : `passes-${String(Math.floor(at / 2000) * 10 + Math.floor(10 * next()))}`);

globalThis.playUntil = (end) => {
  for (let at = scheduler.now() + 1; at <= end * 60_000; at++) {
    scheduler.moveTo(at);
    visits$.next({ user: user(at), ms: Math.floor(1000 * next()), page: `/${String(Math.floor(100 * next()))}`, at: at - Math.floor(900 * next()) });
  }
  return { rows, timers: scheduler.timers };
};
