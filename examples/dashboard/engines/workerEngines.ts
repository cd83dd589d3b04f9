import { engineProxy, type ProxyOf } from 'rxjs-rolling-window/worker';
import type { WorkerPorts } from '../worker.ts';
import { columns, type openPerKind, type openPerRoute } from './plans.ts';

export interface WorkerEngines {
  readonly perRoute: ProxyOf<ReturnType<typeof openPerRoute>>;
  readonly perKind: ProxyOf<ReturnType<typeof openPerKind>>;
  close(): void;
}

/** A worker with two engines, each over a port of its own. */
export function startWorker(): WorkerEngines {
  const worker = new Worker(new URL('../worker.ts', import.meta.url), { type: 'module', name: 'rolling windows' });
  const routes = new MessageChannel(), kinds = new MessageChannel();
  const ports: WorkerPorts = { perRoute: routes.port1, perKind: kinds.port1 };
  worker.postMessage(ports, [routes.port1, kinds.port1]);
  return {
    perRoute: engineProxy<ReturnType<typeof openPerRoute>>(routes.port2, { columns }),
    perKind: engineProxy<ReturnType<typeof openPerKind>>(kinds.port2, { columns }),
    close: () => worker.terminate(),
  };
}
