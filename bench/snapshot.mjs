// What a snapshot costs to write and to read, against a plain encoder of the same events. See README.md.
import { commandLine, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings } from './support/surroundings.mjs';
import { table } from './support/table.mjs';

const options = commandLine('bench:snapshot', 'CPU time to write and to read snapshots, over that of a plain loop that writes distances of times and doubles; how long checkpoints hold events up.')
  .option('--keys <n>', 'how many keys', whole, 100_000)
  .option('--rounds <n>', 'how often each is done', whole, 5)
  .parse()
  .opts();

const sizes = [10, 100];
const bar = progressBar(sizes.length + 1);
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
    base: longest(run.pauses.base),
    delta10: longest(run.pauses.delta),
    control: longest(run.pauses.control),
  });
}
bar.step('checkpoints of a pipe');
const pipe = await inFreshProcess('checkpointPauses', { keys: options.keys, events: 10, seconds: 4 * options.rounds }, 600);
if (pipe.failed) throw new Error(`checkpoints of a pipe: ${pipe.failed}`);
bar.done();

/** Of each round the longest step, and the finish: the median of the rounds, since one alone may be the machine's. */
function longest(pauses) {
  return { step: median(pauses.map(({ step }) => step)), finish: median(pauses.map(({ finish }) => finish)), worst: Math.max(...pauses.flatMap(({ step, finish }) => [step, finish])) };
}

const outcome = { ...surroundings(), keys: options.keys, results, pipe };
const lines = results.map(({ events, write, writeOver, read, readOver, perEvent, delta, restore }) => [
  `${options.keys} x ${events}`,
  `${write.toFixed(0)} ms  ${writeOver.toFixed(2)}x`,
  `${read.toFixed(0)} ms  ${readOver.toFixed(2)}x`,
  perEvent.toFixed(2),
  `${delta.toFixed(0)} ms`,
  `${restore.toFixed(0)} ms`,
]);
const heads = ['keys x events', 'write', 'read, each event', 'bytes an event', 'delta, 10% of keys', 'restore'];
const shown = (ms) => `${ms.toFixed(1)} ms`;
const held = results.flatMap(({ events, base, delta10, control }) =>
  [['a base', base], ['a delta, 10% of keys', delta10], ['empty steps', control]].map(([what, { step, finish, worst }]) => [`${options.keys} x ${events}`, what, shown(step), shown(finish), shown(worst)]),
);
const turns = [['with checkpoints', pipe.checkpoints], ['without', pipe.control]].map(([what, { longest, turns, above20, saves }]) => [what, shown(longest), `${above20} of ${turns}`, String(saves)]);
const text = [
  described(outcome),
  table(heads, lines),
  table(['keys x events', 'in steps', 'longest step', 'finish', 'worst of all rounds'], held),
  table([`a pipe, ${options.keys} x 10`, 'longest time between turns', 'above 20 ms', 'checkpoints'], turns),
].join('\n\n');
console.log(options.json ? JSON.stringify(outcome, null, 2) : text);
