// Does an event cost more the longer the window is, and how long can it take while the store grows? See README.md.
import { commandLine, positive, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings } from './support/surroundings.mjs';
import { table } from './support/table.mjs';

const sizes = [1000, 10_000, 100_000];
const ticks = [100, 0];
const growing = ['K1-n2M', 'K1k-n2k'];

const options = commandLine('bench:growth', 'CPU time per event for longer and longer windows over one key, and the longest that one event takes, on the clock, while two million fill a window.')
  .option('--rounds <n>', 'fresh processes for each figure', whole, 5)
  .option('--seconds <n>', 'CPU seconds for each window in a process', positive, 1.5)
  .parse()
  .opts();

const bar = progressBar((ticks.length + 2 * growing.length) * options.rounds);
const costs = [];
for (const tick of ticks) {
  const runs = await rounds('growth', { sizes, tick, seconds: options.seconds }, tick === 0 ? 'each event an evaluation' : `tick ${tick} ms`);
  costs.push({ tick, sizes: sizes.map((size, i) => ({ size, ns: median(runs.map((run) => run[i].ns)), ratio: median(runs.map((run) => run[i].ratio)) })) });
}
const pauses = [];
for (const cell of growing) {
  for (const control of [false, true]) {
    const runs = await rounds('pauses', { cell, control }, `${cell}${control ? ', control' : ''}`);
    const of = (read) => median(runs.map(read));
    pauses.push({ cell, control, p50: of((run) => run.p50), p99: of((run) => run.p99), p999: of((run) => run.p999), p9999: of((run) => run.p9999), max: of((run) => run.max), maxOfEach: runs.map(({ max, at }) => ({ max, at })) });
  }
}
bar.done();

const outcome = { ...surroundings(), costs, pauses };
const costLines = costs.map(({ tick, sizes: measured }) => [tick === 0 ? 'each event an evaluation' : `tick ${tick} ms`, ...measured.map(({ ns, ratio }) => `${Math.round(ns)} ns  ${ratio.toFixed(2)}x`)]);
const pauseLines = pauses.map(({ cell, control, ...times }) => [`${cell}${control ? ', plain array' : ''}`, ...['p50', 'p99', 'p999', 'p9999', 'max'].map((name) => `${(times[name] * 1000).toFixed(1)} us`)]);
console.log(
  options.json
    ? JSON.stringify(outcome, null, 2)
    : [described(outcome), '', table(['events in the window', ...sizes.map(String)], costLines), 'Wall time of one event, push and evaluation, while the window fills:', table(['cell', 'p50', 'p99', 'p99.9', 'p99.99', 'longest'], pauseLines)].join('\n'),
);

async function rounds(name, task, what) {
  const runs = [];
  for (let round = 0; round < options.rounds; round++) {
    bar.step(what);
    const run = await inFreshProcess(name, task, 180);
    if (run.failed) throw new Error(`${what}: ${run.failed}`);
    runs.push(run);
  }
  return runs;
}
