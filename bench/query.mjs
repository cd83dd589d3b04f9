// What an answer costs beside the look-up of its key. See README.md.
import { commandLine, positive, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings } from './support/surroundings.mjs';
import { table } from './support/table.mjs';

const cases = [
  { delay: 0, emit: 'changed' },
  { delay: 0, emit: 'none' },
  { delay: 2000, emit: 'changed' },
];
const perKey = 10;

const options = commandLine('bench:query', 'CPU time of an answer, over that of looking the same key up in a Map; of a row of all keys; and of a request that asks, pushes and evaluates.')
  .option('--keys <n>', 'how many keys, with ten events each in the window', whole, 100_000)
  .option('--rounds <n>', 'fresh processes for each figure', whole, 5)
  .option('--seconds <n>', 'CPU seconds for each question in a process', positive, 1)
  .parse()
  .opts();

const bar = progressBar(cases.length * options.rounds);
const results = [];
for (const { delay, emit } of cases) {
  const what = `delay ${delay} ms, emit '${emit}'`, runs = [];
  for (let round = 0; round < options.rounds; round++) {
    bar.step(what);
    const run = await inFreshProcess('query', { keys: options.keys, perKey, delay, emit, seconds: options.seconds }, 180);
    if (run.failed) throw new Error(`${what}: ${run.failed}`);
    runs.push(run);
  }
  const combined = (part) => runs[0][part].map(({ name }, i) => ({ name, ns: median(runs.map((run) => run[part][i].ns)), ratio: median(runs.map((run) => run[part][i].ratio)) }));
  results.push({ what: `${what}, ${runs[0].held} held`, answers: combined('answers'), rows: combined('rows'), requests: combined('requests') });
}
bar.done();

const outcome = { ...surroundings(), keys: options.keys, perKey, results };
const names = (part) => results[0][part].map(({ name }) => name);
const lines = (part) => names(part).map((name, i) => [name, ...results.map(({ [part]: figures }) => `${Math.round(figures[i].ns)} ns  ${figures[i].ratio.toFixed(2)}x`)]);
const drawn = (part) => table([`${options.keys} keys`, ...results.map(({ what }) => what)], lines(part));
console.log(options.json ? JSON.stringify(outcome, null, 2) : [described(outcome), '', drawn('answers'), drawn('rows'), drawn('requests')].join('\n'));
