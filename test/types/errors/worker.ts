import { Subject } from 'rxjs';
import { count, createEngine } from 'rxjs-rolling-window';
import { engineProxy, exposeEngine, throughWorker } from 'rxjs-rolling-window/worker';

interface Sale {
  region: string;
  at: number;
}
const engine = createEngine<Sale>()({ partitionBy: 'region', orderBy: 'at', measures: [count()] });
declare const worker: Worker;

// error: Type '"regoin"' is not assignable to type
engineProxy<typeof engine>(worker, { columns: ['regoin', 'at'] });

// error: Type '"evict-idle"' is not assignable to type
engineProxy<typeof engine>(worker, { columns: ['region', 'at'], limits: { maxEvents: 5, onLimit: 'evict-idle' } });

// error: type 'WorkerPort'
exposeEngine(engine, {});

const proxy = engineProxy<typeof engine>(worker, { columns: ['region', 'at'] });

// error: Property 'at' is missing in type
proxy.push({ region: 'eu' }, 0);

// error: Expected 2 arguments, but got 1
proxy.push({ region: 'eu', at: 0 });

// error: 'Sale'
new Subject<{ region: string }>().pipe(throughWorker(proxy));
