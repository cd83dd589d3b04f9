// What an event costs the main thread where the engine is in a worker. See README.md.
import { commandLine, positive, severalOf, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings, warning } from './support/surroundings.mjs';
import { table } from './support/table.mjs';
import { named } from './tasks/worker.mjs';

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
    base: of(({ base }) => base),
    ns: Object.fromEntries(named.map((way) => [way, of((run) => run[way])])),
    ratio: of(({ array, proxy }) => proxy / array),
    ratioOverSent: of(({ sent, proxy }) => proxy / sent),
    sentOverArray: of(({ array, sent }) => sent / array),
    whole: of(({ base, array, proxy }) => (base + proxy) / (base + array)),
  });
}
bar.done();

const outcome = { ...surroundings(), rate: options.rate, results };
const warned = warning(outcome);
const rounded = (ns) => `${Math.round(ns)} ns`;
const lines = results.map(({ keys, rows, base, ns, ratio, sentOverArray, ratioOverSent, whole }) => [`${keys} keys, ${Math.round(rows)} rows a frame`, rounded(base), ...Object.values(ns).map(rounded), ...[ratio, sentOverArray, ratioOverSent, whole].map((one) => one.toFixed(2))]);
const heads = ['', 'nobody', 'array', 'array + bare message', 'array sent', 'proxy', 'throughWorker', 'event by event', 'engine here', 'proxy / array', 'sent / array', 'proxy / sent', 'whole thread'];
console.log(options.json ? JSON.stringify(outcome, null, 2) : [described(outcome), ...(warned ? [warned] : []), '', table(heads, lines), "The first column is taken off all others. 'Whole thread' compares proxy and array with it."].join('\n'));
