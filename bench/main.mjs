// What one event costs rollingWindow() and its contenders, as ratios within one run. See README.md.
import process from 'node:process';
import { InvalidArgumentError } from 'commander';
import { contender, ours, theirs } from './contenders/index.mjs';
import { report } from './report.mjs';
import { checkContenders, complaint } from './support/checkContenders.mjs';
import { commandLine, oneOf, positive, severalOf, whole } from './support/commandLine.mjs';
import { measurePairs } from './support/measurePairs.mjs';
import { progressBar } from './support/progressBar.mjs';
import { surroundings } from './support/surroundings.mjs';
import { cells, readCell, sets, ticks } from './workload.mjs';

const quick = {
  queries: [
    ...['K1-n1k', 'K1-n100k', 'K1k-n10-z', 'K1k-n1k-u', 'K100k-n2-z'].map((cell) => ({ cell, tick: 100, set: 'A' })),
    { cell: 'K1k-n10-z', tick: 16, set: 'A' },
    { cell: 'K1k-n10-z', tick: 16, set: 'B' },
    { cell: 'K1k-n10-z', tick: 100, set: 'C' },
  ],
  theirs: ['hand', 'rxjs-careful', 'rxjs-bufferTime', 'sqlite'],
  limits: { rounds: 1, seconds: 0.8, fillSeconds: 4, wallSeconds: 12, within: 150 },
};
const full = {
  // Percentiles cost by the event and not by the key, and only some contenders have them: three cells tell it.
  queries: [
    ...['A', 'B'].flatMap((set) => ticks.flatMap((tick) => cells.map((cell) => ({ cell, tick, set })))),
    ...['K1-n1k', 'K1-n100k', 'K1k-n10-z'].map((cell) => ({ cell, tick: 100, set: 'C' })),
  ],
  theirs,
  limits: { rounds: 3, seconds: 2, fillSeconds: 30, wallSeconds: 120, within: Infinity },
};

const options = commandLine('bench', 'CPU time per event of the engine and of rollingWindow() in a pipe, over that of other ways to get the same rows. Each way is checked against an oracle first.')
  .option('--quick', 'fewer cells, contenders and rounds: ends within three minutes', false)
  .option('--cell <names>', `cells of the form K<keys>-n<events per key>[-z]; by itself ${cells.join(', ')}`, severalOf(cellName))
  .option('--tick <ms>', `milliseconds between evaluations; by itself ${ticks.join(' and ')}`, severalOf(whole))
  .option('--set <names>', 'measures: A five over one lookback, B over three, C percentiles and distinct; with --cell or --tick, by itself A', severalOf(oneOf(sets)))
  .option('--contender <names>', `whom to compare with: ${theirs.join(', ')}`, severalOf(oneOf(theirs)))
  .option('--ours <name>', `who is compared: ${ours.join(' or ')}; by itself the pipe with all, and the engine with hand`, oneOf(ours))
  .option('--rounds <n>', 'fresh processes for each pair', whole)
  .option('--seconds <n>', 'CPU seconds for each contender in a process', positive)
  .option('--within <n>', 'wall seconds after which no pair is started', positive)
  .option('--other-plans <n>', 'so many operators with other column names are warmed in the same process first', whole, 0)
  .option('--markdown', 'the table in Markdown', false)
  .parse()
  .opts();

const start = Date.now();
const where = surroundings();
const preset = options.quick ? quick : full;
const limits = { ...preset.limits, ...given(options, ['rounds', 'seconds', 'within']) };
const pairs = queries().flatMap((query) => opponents().map((pair) => ({ ...pair, ...query })));
const names = [...new Set(pairs.flatMap((pair) => [pair.ours, pair.theirs]))];
const wantedSets = [...new Set(pairs.map(({ set }) => set))];

const bar = progressBar(names.length * wantedSets.length + pairs.length * limits.rounds);
const checks = await checkContenders(names, wantedSets, bar.step);
const faulty = checks.filter((check) => complaint(check) !== undefined);
const timed = pairs.filter((pair) => !faulty.some(({ name, set }) => pair.set === set && (pair.ours === name || pair.theirs === name)));
const results = await measurePairs(timed, { ...limits, deadline: start + limits.within * 1000, otherPlans: options.otherPlans, step: bar.step });
bar.done();

const outcome = { ...where, ...limits, otherPlans: options.otherPlans, checks, results };
console.log(options.json ? JSON.stringify(outcome, null, 2) : await report(outcome, contender, options.markdown));
process.exit(faulty.some(({ name }) => ours.includes(name)) ? 1 : 0);

/** What is asked: the preset's list, or everything that the options combine to. */
function queries() {
  const { cell, tick, set } = options;
  if (!cell && !tick) return preset.queries.filter((query) => !set || set.includes(query.set));
  return (set ?? ['A']).flatMap((name) => (tick ?? ticks).flatMap((ms) => (cell ?? cells).map((other) => ({ cell: other, tick: ms, set: name }))));
}

/** One of ours in each pair: two plans of ours in one process would slow each other. */
function opponents() {
  const against = options.contender ?? preset.theirs;
  if (options.ours) return against.map((name) => ({ ours: options.ours, theirs: name }));
  return against.flatMap((name) => (name === 'hand' ? ours : ['pipe']).map((own) => ({ ours: own, theirs: name })));
}

function cellName(text) {
  if (!readCell(text)) throw new InvalidArgumentError('Accepted is a cell such as K1-n1k or K100k-n10-z.');
  return text;
}

function given(values, keys) {
  return Object.fromEntries(keys.filter((key) => values[key] !== undefined).map((key) => [key, values[key]]));
}
