import { RollingWindowError, shown, type Engine } from '../../src/index.ts';
import { internalsOf } from '../../src/internals.ts';
import { mustHave } from '../mustHave.ts';
import type { ToWorker } from './messages.ts';
import { listen, type WorkerPort } from './port.ts';
import { ServedEngine } from './servedEngine.ts';

/** The ports on which an engine is exposed. */
const taken = /*#__PURE__*/ new WeakSet<WorkerPort>();

/**
 * Lets a page drive and ask an engine that lives in this worker, through `engineProxy`.
 *
 * One page at a time: a second one, and a pipe in the worker, get the error `engine-in-use` until the first one closes
 * its proxy. The engine takes its time from the page; nothing here has a clock.
 *
 * @param port Where the page is heard: in Node `parentPort`, of a shared worker the port of a connection. Default: the
 * worker's own scope.
 * @returns Ends it: the page's requests are rejected, its rows end with the error `worker-lost`.
 * @throws RollingWindowError `invalid-config` for what is no engine or no port, and for a port that has an engine.
 * @example
 * // worker.ts
 * export const engine = createEngine<Sale>()({ partitionBy: 'region', orderBy: 'at', measures: [sum('revenue')] });
 * exposeEngine(engine);
 */
export function exposeEngine<E, Row, Key>(engine: Engine<E, Row, Key>, port: WorkerPort = ownScope()): () => void {
  internalsOf(engine); // says what is wrong with it where something is
  mustHave('port', port, 'postMessage');
  if (taken.has(port)) throw new RollingWindowError('invalid-config', { expected: 'a port on which no engine is exposed', given: 'one that has an engine', remedy: 'Send each engine a MessagePort of its own.' });
  taken.add(port);
  const served = new ServedEngine(engine, (message, transfer) => port.postMessage(message, transfer));
  const stopListening = listen(
    port,
    {
      message: (message) => {
        if (isForUs(message)) served.take(message);
      },
      lost: (reason) => served.lose(reason),
    },
    ['messageerror', 'close'],
  );
  return () => {
    served.lose('an engine that is exposed no more');
    stopListening();
    taken.delete(port);
  };
}

const isForUs = (message: unknown): message is ToWorker => typeof (message as Partial<ToWorker> | null)?.rollingWindow === 'number';

function ownScope(): WorkerPort {
  if ('DedicatedWorkerGlobalScope' in globalThis) return globalThis as unknown as WorkerPort;
  throw new RollingWindowError('invalid-config', {
    expected: 'a worker, whose own scope is the port',
    given: `the scope ${shown(Object.prototype.toString.call(globalThis))}`,
    remedy: 'Pass the port: exposeEngine(engine, parentPort) in Node, ports[0] of the event in onconnect of a shared worker.',
  });
}
