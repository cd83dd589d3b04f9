// What late and out-of-order events cost, against the same events in order. See README.md.
import { commandLine, positive, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings } from './support/surroundings.mjs';
import { table } from './support/table.mjs';
import { eventsPerMs } from './workload.mjs';

const shares = [0, 0.01, 0.1, 0.5];
const cases = [1000, 100_000].flatMap((perKey) => {
  const window = perKey / eventsPerMs;
  const streams = shares.map((share) => ({ name: `${share * 100}%`, share, by: window / 2 }));
  return [100, 0].map((tick) => ({
    what: `${perKey} events in the window, ${tick === 0 ? 'each event an evaluation' : `tick ${tick} ms`}`,
    task: { keys: 1, window, tick, delay: 0, streams },
  }));
});
const insideDelay = {
  what: '1,000 keys, delay 1 s, tick 100 ms',
  task: { keys: 1000, window: 10_000, tick: 100, delay: 1000, streams: [0, 10, 1000].map((by) => ({ name: `${by} ms`, share: 1, by })) },
};

const options = commandLine('bench:late', 'CPU time per event where a share of the events is late by up to half a window, and where all are out of order inside the delay; over that of the same events in order.')
  .option('--rounds <n>', 'fresh processes for each figure', whole, 5)
  .option('--seconds <n>', 'CPU seconds for each stream in a process', positive, 1.5)
  .parse()
  .opts();

const bar = progressBar((cases.length + 1) * options.rounds);
const results = [];
for (const { what, task } of [...cases, insideDelay]) {
  const runs = [];
  for (let round = 0; round < options.rounds; round++) {
    bar.step(what);
    const run = await inFreshProcess('late', { ...task, seconds: options.seconds }, 180);
    if (run.failed) throw new Error(`${what}: ${run.failed}`);
    runs.push(run);
  }
  const of = (i, read) => median(runs.map((run) => read(run[i])));
  results.push({ what, streams: task.streams.map(({ name }, i) => ({ name, ns: of(i, ({ ns }) => ns), ratio: of(i, ({ ratio }) => ratio) })) });
}
bar.done();

const outcome = { ...surroundings(), results };
const drawn = (part) => table([part[0].what.includes('delay') ? 'all out of order, inside the delay, by up to' : 'share of late events', ...part[0].streams.map(({ name }) => name)], part.map(({ what, streams }) => [what, ...streams.map(({ ns, ratio }) => `${Math.round(ns)} ns  ${ratio.toFixed(2)}x`)]));
console.log(options.json ? JSON.stringify(outcome, null, 2) : [described(outcome), '', drawn(results.slice(0, -1)), drawn(results.slice(-1))].join('\n'));
