// A thread with the engine of bench:worker.
import { parentPort } from 'node:worker_threads';
import { built } from './builtPackage.mjs';
import { fiveMeasures } from './fiveMeasures.mjs';

const { exposeEngine } = await built('worker.js');
exposeEngine(await fiveMeasures(), parentPort);
