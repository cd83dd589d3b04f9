// A RANGE frame over many rows: our CPU time over DuckDB's, for the same query. See README.md.
import { commandLine, whole } from './support/commandLine.mjs';
import { inFreshProcess } from './support/freshProcess.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { described, surroundings } from './support/surroundings.mjs';
import { table } from './support/table.mjs';

const cases = [
  { keys: 1000, shuffled: false },
  { keys: 1000, shuffled: true },
  { keys: 1, shuffled: false },
];
const withDuckDB = isInstalled('@duckdb/node-api');
const contenders = withDuckDB ? ['ours', 'duckdb'] : ['ours'];

const options = commandLine('bench:window', 'CPU time of sum, count, avg, min and max over the last hour of each row, per key: ours over that of DuckDB, all threads together.')
  .option('--rows <n>', 'how many rows', whole, 1_000_000)
  .option('--rounds <n>', 'fresh processes for each figure', whole, 3)
  .parse()
  .opts();

const bar = progressBar(cases.length * (1 + contenders.length * options.rounds));
const results = [];
for (const one of cases) {
  const what = `${one.keys} keys, ${one.shuffled ? 'shuffled' : 'in order of time'}`;
  const run = async (task) => {
    bar.step(`${what}: ${task.contender ?? 'same answers'}`);
    const outcome = await inFreshProcess('window', { ...one, rows: options.rows, ...task }, 300);
    if (outcome.failed) throw new Error(`${what}: ${outcome.failed}`);
    return outcome;
  };
  if (withDuckDB) {
    const { different } = await run({ compare: true, rows: Math.min(options.rows, 100_000) });
    if (different > 0) throw new Error(`${what}: ${different} rows differ`);
  } else bar.step(`${what}: nobody to compare with`);
  const runs = { ours: [], duckdb: [] };
  // By turns, so that what else the machine does meets both.
  for (let round = 0; round < options.rounds; round++) for (const contender of contenders) runs[contender].push(await run({ contender }));
  const of = (contender, figure) => (withDuckDB || contender === 'ours' ? median(runs[contender].map((outcome) => outcome[figure])) : undefined);
  results.push({ what, ours: of('ours', 'queryMs'), duckdb: of('duckdb', 'queryMs'), duckdbRead: of('duckdb', 'readMs'), ratio: withDuckDB ? of('ours', 'queryMs') / of('duckdb', 'queryMs') : undefined });
}
bar.done();

const outcome = { ...surroundings(), rows: options.rows, skipped: withDuckDB ? [] : ['duckdb'], results };
const ms = (figure) => (figure === undefined ? '–' : `${Math.round(figure)} ms`);
const lines = results.map(({ what, ours, duckdb, duckdbRead, ratio }) => [what, ms(ours), ms(duckdb), ms(duckdbRead), ratio === undefined ? '–' : `${ratio.toFixed(2)}x`]);
console.log(options.json ? JSON.stringify(outcome, null, 2) : [described(outcome), '', table([`${options.rows} rows`, 'ours', 'DuckDB', 'DuckDB, read as rows', 'ours over DuckDB'], lines), ...(withDuckDB ? [] : ['– duckdb: skipped, since it is not installed here; npm ci in bench/ installs it'])].join('\n'));

function isInstalled(name) {
  try {
    import.meta.resolve(name);
    return true;
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return false;
    throw error;
  }
}
