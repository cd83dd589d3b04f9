// Progress as metrics: gauges of OpenTelemetry read the last report whenever they are collected, and an observation counts on the way in.
import { metrics as registry, ValueType } from '@opentelemetry/api';
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { Subject } from 'rxjs';
import { avg, count, max, microBatch, preceding, range, rollingWindow } from 'rxjs-rolling-window';
import { detailedProgress, observe, type QueryEvent, type QueryProgress } from 'rxjs-rolling-window/progress';
import { manualScheduler } from 'rxjs-rolling-window/testing';

interface Request {
  readonly route: string;
  readonly time: number;
  readonly ms: number;
}

// In a service this is an exporter that sends; here it keeps what it is given.
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })] });
registry.setGlobalMeterProvider(provider);

const meter = registry.getMeter('rolling-window');
let last: QueryProgress | undefined;

/** A gauge that shows a number of the last report, and nothing where the report has none. */
function gauge(name: string, unit: string, read: (report: QueryProgress) => number | null | undefined, attributes = {}): void {
  meter.createObservableGauge(name, { unit, valueType: ValueType.DOUBLE }).addCallback((result) => {
    const value = last && read(last);
    if (value != null) result.observe(value, { query: last?.name ?? '', ...attributes });
  });
}
gauge('window.input.rate', '{event}/s', ({ inputRowsPerSecond }) => inputRowsPerSecond);
gauge('window.keys', '{key}', ({ stateOperators: [state] }) => state.numRowsTotal);
gauge('window.late', '{event}', ({ stateOperators: [state] }) => state.numRowsDroppedByWatermark);
gauge('window.latency', 'ms', ({ rtmMetrics: { e2eLatencyMs } }) => e2eLatencyMs?.P0, { quantile: 0 });
const slowest = meter.createGauge('requests.slowest', { unit: 'ms' });
const terminated = meter.createCounter('window.terminated');

const listener = {
  next(event: QueryEvent): void {
    if (event.kind === 'progress') last = event.progress;
    if (event.kind === 'terminated') terminated.add(1, { reason: event.reason });
  },
};

const scheduler = manualScheduler(); // so that this program prints the same each time; a service leaves it out
const minute = preceding(range('1 minute'));
const requests$ = new Subject<Request>();
requests$
  .pipe(
    observe('requests', {
      measures: [count(), max('ms').as('slowest')],
      every: '1 second',
      scheduler,
      report: ({ metrics }) => {
        if (metrics.slowest !== null) slowest.record(metrics.slowest);
      },
    }),
    rollingWindow({
      partitionBy: 'route',
      orderBy: 'time',
      watermark: '5 seconds',
      trigger: microBatch('1 second'),
      measures: [count().over(minute), avg('ms').over(minute)],
      progress: detailedProgress(listener, { name: 'per route' }), // a service adds { now: () => performance.now() }
      scheduler,
    }),
  )
  .subscribe();

/** What a collector would get now. */
async function show(): Promise<void> {
  await provider.forceFlush();
  for (const { descriptor, dataPoints } of exporter.getMetrics().at(-1)?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? []) {
    for (const { attributes, value } of dataPoints) console.log(descriptor.name, value, descriptor.unit, JSON.stringify(attributes));
  }
}

for (let time = 100; time <= 900; time += 100) {
  scheduler.moveTo(time);
  requests$.next({ route: time % 200 === 0 ? '/cart' : '/pay', time: time - 20, ms: time / 10 });
}
scheduler.moveTo(1000);
await show();
// => window.input.rate 9 {event}/s {"query":"per route"}
// => window.keys 2 {key} {"query":"per route"}
// => window.late 0 {event} {"query":"per route"}
// => window.latency 120 ms {"query":"per route","quantile":0}
// => requests.slowest 90 ms {}

scheduler.moveTo(30_000);
requests$.next({ route: '/cart', time: 29_990, ms: 15 });
scheduler.moveTo(31_000);
requests$.next({ route: '/pay', time: 20_000, ms: 8 }); // later than the watermark allows
scheduler.moveTo(31_500);
requests$.complete();
await show();
await provider.shutdown();
// => window.input.rate 2 {event}/s {"query":"per route"}
// => window.keys 2 {key} {"query":"per route"}
// => window.late 1 {event} {"query":"per route"}
// => window.latency 11500 ms {"query":"per route","quantile":0}
// => requests.slowest 8 ms {}
// => window.terminated 1  {"reason":"completed"}
