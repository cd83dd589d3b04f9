import { built } from './builtPackage.mjs';

/** The engine of bench:worker: five measures per key over five seconds. */
export async function fiveMeasures() {
  const { avg, count, createEngine, max, min, preceding, range, sum } = await built('engine.js');
  const over = preceding(range(5000));
  return createEngine()({ partitionBy: 'key', orderBy: 't', measures: [sum('v').over(over), count('v').over(over), avg('v').over(over), min('v').over(over), max('v').over(over)] });
}
