// What an event costs the main thread where the engine is in a worker. See README.md.
import { commandLine, positive, severalOf, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings, warning } from './support/surroundings.mjs';
import { table } from './support/table.mjs';

const options = commandLine('bench:worker', 'CPU time of the main thread per event, at a steady rate on the clock: through a proxy, with its messages and the rows of each frame, and for writing the same columns into a typed array. Linux only: it keeps the time of each thread.')
  .option('--rate <n>', 'events a second', whole, 100_000)
  .option('--keys <n>', 'keys (several: 20,1000)', severalOf(whole))
  .option('--rounds <n>', 'fresh processes for each figure', whole, 3)
  .option('--seconds <n>', 'seconds for which each way is offered events', positive, 8)
  .parse()
  .opts();

const sizes = options.keys ?? [20, 100, 1000];
const bar = progressBar(sizes.length * options.rounds);
const results = [];
for (const keys of sizes) {
  const runs = [];
  for (let round = 0; round < options.rounds; round++) {
    bar.step(`${keys} keys`);
    const run = await inFreshProcess('worker', { rate: options.rate, keys, seconds: options.seconds }, 60 + 8 * options.seconds);
    if (run.failed) throw new Error(`${keys} keys: ${run.failed}`);
    runs.push(run);
  }
  const of = (figure) => median(runs.map(figure));
  results.push({
    keys,
    rows: of(({ rows }) => rows),
    ns: Object.fromEntries(['array', 'proxy', 'pipe', 'here'].map((way) => [way, of((run) => run[way])])),
    ratio: of(({ array, proxy }) => proxy / array),
  });
}
bar.done();

const outcome = { ...surroundings(), rate: options.rate, results };
const warned = warning(outcome);
const lines = results.map(({ keys, rows, ns, ratio }) => [`${keys} keys, ${Math.round(rows)} rows a frame`, ...Object.values(ns).map((one) => `${Math.round(one)} ns`), ratio.toFixed(2)]);
console.log(options.json ? JSON.stringify(outcome, null, 2) : [described(outcome), ...(warned ? [warned] : []), '', table(['', 'typed array', 'proxy', 'throughWorker', 'engine here', 'proxy over array'], lines)].join('\n'));
