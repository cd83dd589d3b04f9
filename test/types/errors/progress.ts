import { Subject } from 'rxjs';
import { count, max, rollingWindow, sum } from 'rxjs-rolling-window';
import { detailedProgress, observe, type QueryEvent } from 'rxjs-rolling-window/progress';

interface Request {
  route: string;
  time: number;
  ms: number;
}
const requests$ = new Subject<Request>();
const events$ = new Subject<QueryEvent>();
const config = { partitionBy: 'route', orderBy: 'time', measures: [count()] } as const;

// error: 'ProgressMeter<"appended">' is not assignable to type
requests$.pipe(rollingWindow({ ...config, progress: detailedProgress(events$, { queuedSince: 'appended' }) }));

// error: Type '"10 secs"' is not assignable to type
detailedProgress(events$, { idleAfter: '10 secs' });

// error: 'MeasureBuilder<"took",
requests$.pipe(observe('requests', { measures: [max('took')], report: () => undefined }));

// error: 'MeasureBuilder<"route",
requests$.pipe(observe('requests', { measures: [sum('route')], report: () => undefined }));

requests$.pipe(
  observe('requests', {
    measures: [
      // error: two measures are named 'count(*)'
      count(),
      // error: two measures are named 'count(*)'
      count(),
    ],
    report: () => undefined,
  }),
);

// error: Property 'most' does not exist on type
requests$.pipe(observe('requests', { measures: [count()], report: ({ metrics }) => metrics.most }));
