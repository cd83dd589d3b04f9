// How long an event waits for its row, and how late a row comes that nothing but time brings, on the clock. See README.md.
import { commandLine, positive, severalOf, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { histogram, percentiles, shownTime } from './support/latencies.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings, warning } from './support/surroundings.mjs';
import { table } from './support/table.mjs';

const options = commandLine('bench:latency', 'Wall time from the instant at which an event is due, and from next(), to its row; and from the instant of an expiry to its row. Each beside a bare Subject with map, or a bare timer, in the same process.')
  .option('--rate <n>', 'events a second (several: 1000,10000)', severalOf(whole))
  .option('--rounds <n>', 'fresh processes for each figure', whole, 3)
  .option('--seconds <n>', 'seconds for which each is offered events', positive, 6)
  .parse()
  .opts();

const rates = options.rate ?? [1000, 10_000, 100_000];
const bar = progressBar((rates.length + 1) * options.rounds);
const results = [];
for (const rate of [...rates, 0]) {
  const what = rate === 0 ? 'expiries' : `${rate.toLocaleString('en')} events a second`, runs = [];
  for (let round = 0; round < options.rounds; round++) {
    bar.step(what);
    const run = await inFreshProcess('latency', { rate, seconds: options.seconds }, 120);
    if (run.failed) throw new Error(`${what}: ${run.failed}`);
    runs.push(run);
  }
  results.push({ what, series: runs[0].map(({ name, what: from, count, shares }, i) => ({ name, from, count, ...figures(runs, i), shares: shares.map((_, b) => median(runs.map((run) => run[i].shares[b]))) })) });
}
bar.done();

function figures(runs, i) {
  return Object.fromEntries(Object.keys(percentiles).map((name) => [name, median(runs.map((run) => run[i][name]))]));
}

const outcome = { ...surroundings(), results };
const lines = results.flatMap(({ what, series }) => series.map(({ name, from, ...times }) => [`${what}, ${from}: ${name}`, ...Object.keys(percentiles).map((p) => shownTime(times[p]))]));
const drawn = results.map(({ what, series }) => [`${what}, ${series[0].from}`, histogram(series.filter(({ from }) => from === series[0].from)), ''].join('\n'));
const warned = warning(outcome);
console.log(options.json ? JSON.stringify(outcome, null, 2) : [described(outcome), ...(warned ? [warned] : []), '', table(['', ...Object.keys(percentiles)], lines), '', ...drawn].join('\n'));
