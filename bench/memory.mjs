// What the state takes in memory, per event and per idle key. See README.md.
import { commandLine } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { described, surroundings } from './support/surroundings.mjs';
import { table } from './support/table.mjs';

const names = ['engine', 'hand', 'rxjs-careful'];
const cases = [
  { what: '10 events per key, one lookback', cell: 'K100k-n10', bound: 65 },
  { what: '100 events per key, one lookback', cell: 'K10k-n100', bound: 57 },
  { what: '1,000 events per key, one lookback', cell: 'K1k-n1k', bound: 38 },
  { what: '10 events per key, three lookbacks', cell: 'K100k-n10', lookbacks: 3 },
  { what: '1,000 events per key, three lookbacks', cell: 'K1k-n1k', lookbacks: 3 },
  { what: 'per idle key: 1,000,000 of one event', cell: 'K1M-n1', roundRobin: true, bound: 230 },
];

const options = commandLine('bench:memory', 'Bytes per event in the window, and per key with one event, with five measures. Key strings are not counted.').parse().opts();

const bar = progressBar(cases.length * names.length);
const results = [];
for (const { what, bound, ...task } of cases) {
  for (const name of names) {
    bar.step(`${name}: ${what}`);
    results.push({ what, bound, name, ...(await inFreshProcess('memory', { set: 'A', lookbacks: 1, roundRobin: false, ...task, name }, 120)) });
  }
}
bar.done();

const outcome = { ...surroundings(), results };
const lines = cases.map(({ what, bound }) => [what, ...names.map((name) => figure(results.find((result) => result.what === what && result.name === name))), bound === undefined ? '' : `at most ${bound}`]);
console.log(options.json ? JSON.stringify(outcome, null, 2) : [described(outcome), '', table(['bytes', ...names, "the engine's bar"], lines)].join('\n'));

function figure({ failed, perEvent }) {
  return failed ?? perEvent.toFixed(1);
}
