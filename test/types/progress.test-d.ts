import { Subject } from 'rxjs';
import { count, max, microBatch, rollingBatches, rollingWindow, sum } from 'rxjs-rolling-window';
import { detailedProgress, observe, type Observation, type QueryEvent, type QueryProgress } from 'rxjs-rolling-window/progress';
import { expectTypeOf } from 'vitest';

interface Request {
  route: string;
  time: number;
  appended: Date | null;
  ms: number | null;
  bytes: bigint;
}
const requests$ = new Subject<Request>();
const events$ = new Subject<QueryEvent>();

// Rows are those of the window, whoever follows it.
const config = { partitionBy: 'route', orderBy: 'time' } as const;
requests$.pipe(rollingWindow({ ...config, measures: [count()], progress: detailedProgress(events$, { queuedSince: 'appended', now: () => 0, idleAfter: '1 minute' }) })).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<{ route: string; __frontier: number; 'count(*)': number }>();
});
requests$.pipe(rollingWindow({ ...config, measures: [count()], progress: detailedProgress({ next: ({ kind }) => kind }) })).subscribe();
requests$.pipe(rollingWindow({ ...config, measures: [count()], progress: { next: ({ stats }) => stats.late } })).subscribe();
requests$.pipe(rollingBatches({ ...config, trigger: microBatch(1000), measures: [count()], progress: detailedProgress(events$) })).subscribe(({ progress }) => {
  expectTypeOf(progress).toEqualTypeOf<QueryProgress | undefined>();
});

events$.subscribe((event) => {
  if (event.kind === 'progress') expectTypeOf(event.progress.rtmMetrics.e2eLatencyMs?.P99).toEqualTypeOf<number | undefined>();
  else if (event.kind === 'terminated' && event.reason === 'failed') expectTypeOf(event.error).toEqualTypeOf<unknown>();
  else expectTypeOf(event.timestamp).toEqualTypeOf<number>();
});

// What is observed passes as it is, and metrics are typed by the measures.
requests$
  .pipe(
    observe('requests', {
      measures: [count(), max('ms'), sum('bytes').as('total'), max('route'), count().filter<Request>(({ ms }) => ms === null).as('open')],
      every: '10 seconds',
      report: ({ metrics, timestamp }) => {
        expectTypeOf(metrics).toEqualTypeOf<{ 'count(*)': number; 'max(ms)': number | null; total: bigint | null; 'max(route)': string | null; open: number }>();
        expectTypeOf(timestamp).toEqualTypeOf<number>();
      },
    }),
  )
  .subscribe((request) => {
    expectTypeOf(request).toEqualTypeOf<Request>();
  });
const reports$ = new Subject<Observation<{ 'count(*)': number }>>();
requests$.pipe(observe('requests', { measures: [count()], every: events$, report: reports$ })).subscribe();
