// What a snapshot costs to write and to read, against a plain encoder of the same events. See README.md.
import { commandLine, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings } from './support/surroundings.mjs';
import { table } from './support/table.mjs';

const options = commandLine('bench:snapshot', 'CPU time to write and to read snapshots, over that of a plain loop that writes distances of times and doubles; how long a base in steps holds up the engine.')
  .option('--keys <n>', 'how many keys', whole, 100_000)
  .option('--rounds <n>', 'how often each is done', whole, 5)
  .parse()
  .opts();

const sizes = [10, 100];
const bar = progressBar(sizes.length);
const results = [];
for (const events of sizes) {
  bar.step(`${events} events a key`);
  const run = await inFreshProcess('snapshot', { keys: options.keys, events, rounds: options.rounds }, 600);
  if (run.failed) throw new Error(`${events} events a key: ${run.failed}`);
  const { costs } = run, ms = (name) => median(costs[name]);
  results.push({
    events,
    write: ms('write'),
    writeOver: median(costs.write.map((cost, i) => cost / costs.plainWrite[i])),
    read: ms('read'),
    readOver: median(costs.read.map((cost, i) => cost / costs.plainRead[i])),
    perEvent: run.perEvent,
    delta: run.delta,
    restore: run.restore,
    step: run.pauses.step,
    finish: run.pauses.finish,
  });
}
bar.done();

const outcome = { ...surroundings(), keys: options.keys, results };
const lines = results.map(({ events, write, writeOver, read, readOver, perEvent, delta, restore, step, finish }) => [
  `${options.keys} x ${events}`,
  `${write.toFixed(0)} ms  ${writeOver.toFixed(2)}x`,
  `${read.toFixed(0)} ms  ${readOver.toFixed(2)}x`,
  perEvent.toFixed(2),
  `${delta.toFixed(0)} ms`,
  `${restore.toFixed(0)} ms`,
  `${step.toFixed(1)} ms`,
  `${finish.toFixed(1)} ms`,
]);
const heads = ['keys x events', 'write', 'read into columns', 'bytes an event', 'delta, 10% of keys', 'restore', 'longest step of a base', 'its finish'];
console.log(options.json ? JSON.stringify(outcome, null, 2) : [described(outcome), '', table(heads, lines)].join('\n'));
