// A million keys, evaluated in every frame: what is found, what it costs, and what nothing costs. See README.md.
import { commandLine, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings } from './support/surroundings.mjs';
import { table } from './support/table.mjs';

const options = commandLine('bench:keys', 'CPU time of one evaluation with a million keys and 1,667 arrivals every 16 ms, over a window of 600 evaluations.')
  .option('--keys <n>', 'how many keys', whole, 1_000_000)
  .option('--ticks <n>', 'evaluations that are measured, after 600 that fill the window', whole, 300)
  .option('--rounds <n>', 'fresh processes', whole, 5)
  .parse()
  .opts();

const bar = progressBar(options.rounds);
const runs = [];
for (let round = 0; round < options.rounds; round++) {
  bar.step(`${options.keys} keys`);
  const run = await inFreshProcess('keys', { keys: options.keys, ticks: options.ticks }, 300);
  if (run.failed) throw new Error(run.failed);
  runs.push(run);
}
bar.done();

const middle = (name) => (runs.some((run) => run[name] === null) ? null : median(runs.map((run) => run[name])));
const result = Object.fromEntries(Object.keys(runs[0]).map((name) => [name, middle(name)]));
const outcome = { ...surroundings(), ...options, result, runs };
const micro = (ms) => (ms === null ? 'not in this build' : `${(ms * 1000).toFixed(ms < 0.1 ? 1 : 0)} us`);
const times = (ratio) => (ratio === null ? '–' : `${ratio.toFixed(2)}x`);
const lines = [
  ['finding the keys that are due, engine', micro(result.boundaries), times(result.overRing), 'at most 3x the ring'],
  ['the same, one plain ring', micro(result.ring), '', ''],
  [`whole evaluation, engine, ${Math.round(result.rows)} rows`, micro(result.engine), times(result.overHand), 'at most 1.0x by hand'],
  ['whole evaluation, by hand', micro(result.hand), '', ''],
  ['nothing due', micro(result.idle), '', 'under 5 us'],
];
console.log(options.json ? JSON.stringify(outcome, null, 2) : [described(outcome), `${Math.round(result.liveKeys)} keys live`, '', table(['CPU per evaluation', 'time', 'ratio', 'bar'], lines)].join('\n'));
