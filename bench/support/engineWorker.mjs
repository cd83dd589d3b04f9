// A worker thread with the engine of bench:worker.
import { parentPort, workerData } from 'node:worker_threads';
import { built } from './builtPackage.mjs';

const { avg, count, createEngine, max, min, preceding, range, sum } = await built('engine.js');
const { exposeEngine } = await built('worker.js');
const over = preceding(range(workerData.window));
exposeEngine(createEngine()({ partitionBy: 'key', orderBy: 't', measures: [sum('v').over(over), count('v').over(over), avg('v').over(over), min('v').over(over), max('v').over(over)] }), parentPort);
