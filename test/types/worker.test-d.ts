import { parentPort, type Worker as NodeWorker, type MessagePort as NodePort } from 'node:worker_threads';
import { Subject } from 'rxjs';
import { count, createEngine, latestByKey, sum, type RollingBatch } from 'rxjs-rolling-window';
import { batchesThroughWorker, engineProxy, exposeEngine, throughWorker, type EngineProxy, type ProxyOf } from 'rxjs-rolling-window/worker';
import { expectTypeOf } from 'vitest';

type Sale = { region: string; revenue: number; at: number } | { region: string | null; refund: bigint; revenue: number; at: Date };
const engine = createEngine<Sale>()({ partitionBy: 'region', orderBy: 'at', measures: [sum('revenue'), count()] });
interface Row {
  region: string | null;
  __frontier: number;
  'sum(revenue)': number | null;
  'count(*)': number;
}

// What speaks to another thread is a port: of browsers, of Node, and the scope of a worker.
declare const worker: Worker;
declare const channel: MessageChannel;
declare const shared: SharedWorker;
declare const nodeWorker: NodeWorker;
declare const nodePort: NodePort;
for (const port of [worker, channel.port1, shared.port, nodeWorker, nodePort]) engineProxy<typeof engine>(port, { columns: ['region', 'revenue', 'at'] });
expectTypeOf(exposeEngine(engine)).toEqualTypeOf<() => void>();
exposeEngine(engine, nodePort);
exposeEngine(engine, channel.port2);
if (parentPort) exposeEngine(engine, parentPort);

// Events, rows and keys are the engine's; a column of some kinds of events is a column.
const proxy = engineProxy<typeof engine>(worker, { columns: ['region', 'revenue', 'at', 'refund'] });
expectTypeOf(proxy).toEqualTypeOf<EngineProxy<Sale, Row, { region: string | null }>>();
expectTypeOf<ProxyOf<typeof engine>>().toEqualTypeOf<typeof proxy>();
expectTypeOf(proxy.push).parameters.toEqualTypeOf<[event: Sale, now: number]>();
expectTypeOf(proxy.query({ region: 'eu' }, 5)).toEqualTypeOf<Promise<Row>>();
expectTypeOf(proxy.queryAll(5)).toEqualTypeOf<Promise<Row[]>>();
expectTypeOf(proxy.queryAll).parameter(0).toEqualTypeOf<number | undefined>();
expectTypeOf(proxy.advance(5)).toEqualTypeOf<Promise<RollingBatch<Row, { region: string | null }>>>();
expectTypeOf(proxy.snapshot({ delta: true })).toEqualTypeOf<Promise<Uint8Array>>();

// The page may limit what is on its way.
engineProxy<typeof engine>(worker, { columns: ['region'], limits: { maxEvents: 1e6, onLimit: 'drop-new' } });
engineProxy<typeof engine>(worker, { columns: ['region'], limits: undefined });
expectTypeOf(proxy.dropped).toEqualTypeOf<number>();

const sales$ = new Subject<Sale>();
sales$.pipe(throughWorker(proxy)).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<Row>();
});
sales$.pipe(batchesThroughWorker(proxy, { coalesce: undefined, flush$: new Subject<void>() }), latestByKey()).subscribe((latest) => {
  expectTypeOf([...latest.values()]).toEqualTypeOf<Row[]>();
});
new Subject<Sale[]>().pipe(throughWorker(proxy)).subscribe((row) => {
  expectTypeOf(row).toEqualTypeOf<Row>();
});
