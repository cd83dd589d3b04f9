// What reports of progress cost: the same pipe with and without them. See README.md.
import { commandLine, positive, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings } from './support/surroundings.mjs';
import { table } from './support/table.mjs';

const variants = ['off', 'counts', 'detailed', 'detailed, own stopwatch'];
const cases = [
  { cell: 'K1k-n10-z', tick: 1000, disorder: 0 },
  { cell: 'K1k-n10-z', tick: 100, disorder: 0 },
  { cell: 'K1k-n10-z', tick: 16, disorder: 0 },
  { cell: 'K1k-n10-z', tick: 0, disorder: 0 },
  { cell: 'K1k-n10-z', tick: 100, disorder: 50 },
];

const options = commandLine('bench:progress', 'CPU time per event with reports of progress over the same pipe without.')
  .option('--rounds <n>', 'pairs of fresh processes for each figure', whole, 2)
  .option('--seconds <n>', 'CPU seconds for each pipe in a process', positive, 5)
  .parse()
  .opts();

const bar = progressBar(2 * cases.length * (variants.length - 1) * options.rounds);
const results = [];
for (const one of cases) {
  const ratios = [];
  for (const variant of variants.slice(1)) {
    const pairs = [];
    for (let round = 0; round < options.rounds; round++) {
      const [[off, on], [, offAfterOn]] = [await runOf(one, ['off', variant]), await runOf(one, [variant, 'off'])];
      pairs.push({ ratio: Math.sqrt(on.ratio / offAfterOn.ratio), mean: Math.sqrt(on.mean / offAfterOn.mean), ns: off.ns });
    }
    const middle = (field) => median(pairs.map((pair) => pair[field]));
    ratios.push({ variant, ratio: middle('ratio'), mean: middle('mean'), ns: middle('ns') });
  }
  results.push({ ...one, ns: median(ratios.map(({ ns }) => ns)), ratios });
}
bar.done();

const outcome = { ...surroundings(), results };
const lines = results.map((result) => [nameOf(result), `${Math.round(result.ns)} ns`, ...result.ratios.map(({ ratio, mean }) => `${ratio.toFixed(3)} (${mean.toFixed(3)})`)]);
console.log(options.json ? JSON.stringify(outcome, null, 2) : [described(outcome), '', table(['', 'off', ...variants.slice(1)], lines), 'Medians of ratios, and in brackets those of whole sums.'].join('\n'));

/** Whoever is first in a process is compiled first: both orders are run, and the mean of their ratios has nothing of that. */
async function runOf(one, order) {
  bar.step(`${nameOf(one)}, ${order.join(' and ')}`);
  const run = await inFreshProcess('progress', { ...one, variants: order, seconds: options.seconds }, 180);
  if (run.failed) throw new Error(`${nameOf(one)}, ${order.join(' and ')}: ${run.failed}`);
  return run;
}

function nameOf({ cell, tick, disorder }) {
  return `${cell} ${tick === 0 ? 'realTime()' : `@${tick}`}${disorder === 0 ? '' : ', out of order'}`;
}
