import { parentPort } from 'node:worker_threads';
import { exposeEngine } from 'rxjs-rolling-window/worker';
import { salesEngine } from './salesEngine.ts';

/** A thread of Node with an engine: ends, or throws, when it is told to. */
if (parentPort === null) throw new Error('this is the program of a worker');
exposeEngine(salesEngine(), parentPort);
parentPort.on('message', (message: unknown) => {
  if (message === 'end') process.exit(3);
  if (message === 'throw') throw new Error('out of order');
});
