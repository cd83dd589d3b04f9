// What percentiles can be kept in: what a value costs, what an answer costs, and how much memory it takes. See README.md.
import { commandLine, positive, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings } from './support/surroundings.mjs';
import { table } from './support/table.mjs';

const names = ['exact', 'ours, 1 %', 'ours, 0.1 %', '@datadog/sketches-js, 1 %', 'tdigest'];
const sizes = [1000, 100_000];

const options = commandLine('bench:sketches', 'CPU time for a value that goes in and, where it can, one that goes out; for an answer of three percentiles; bytes of one state, and the worst relative error.')
  .option('--rounds <n>', 'fresh processes for each figure', whole, 3)
  .option('--seconds <n>', 'CPU seconds for each structure in a process', positive, 1)
  .parse()
  .opts();

const bar = progressBar(names.length * sizes.length * options.rounds);
const results = [];
for (const size of sizes) {
  for (const name of names) {
    const runs = [];
    for (let round = 0; round < options.rounds; round++) {
      bar.step(`${name}, ${size}`);
      const run = await inFreshProcess('sketches', { name, size, seconds: options.seconds }, 180);
      if (run.failed) throw new Error(`${name}, ${size}: ${run.failed}`);
      runs.push(run);
    }
    const of = (read) => median(runs.map(read));
    results.push({ name, size, value: of(({ moves }) => median(moves)), answer: of(({ answers }) => median(answers)), bytes: of(({ bytes }) => bytes), error: of(({ error }) => error) });
  }
}
bar.done();

const outcome = { ...surroundings(), results };
const lines = results.map(({ name, size, value, answer, bytes, error }) => [`${name}, ${size} values`, `${Math.round(value)} ns`, `${Math.round(answer)} ns`, `${Math.round(bytes / 1024)} KiB`, `${(error * 100).toFixed(2)} %`]);
console.log(options.json ? JSON.stringify(outcome, null, 2) : [described(outcome), '', table(['', 'a value in and out', 'three percentiles', 'memory', 'error'], lines)].join('\n'));
