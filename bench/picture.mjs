// Measures events a second against the size of the window, and draws docs/benchmark.svg. See README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { theirs } from './contenders/index.mjs';
import { checkContenders, complaint } from './support/checkContenders.mjs';
import { commandLine, positive, whole } from './support/commandLine.mjs';
import { measurePairs } from './support/measurePairs.mjs';
import { progressBar } from './support/progressBar.mjs';
import { median } from './support/statistics.mjs';
import { surroundings } from './support/surroundings.mjs';
import { svgChart } from './support/svgChart.mjs';

const panels = [
  { title: 'one key, evaluated every 10 ms', xTitle: 'events in the window', tick: 10, sizes: [100, 1000, 10_000, 100_000], cellOf: (size) => `K1-n${size}` },
  { title: '1,000 keys, evaluated every 100 ms', xTitle: 'events per key in the window', tick: 100, sizes: [1, 10, 100, 1000], cellOf: (size) => `K1k-n${size}` },
];
const names = { engine: 'engine', pipe: 'rollingWindow()', hand: 'by hand', 'rxjs-careful': 'careful RxJS', 'rxjs-bufferTime': 'bufferTime', 'rxjs-windowTime': 'windowTime', 'rxjs-scan': 'groupBy + scan', sqlite: 'SQLite', duckdb: 'DuckDB' };

const colours = { engine: '#0969da', pipe: '#0969da', hand: '#6e7781', 'rxjs-careful': '#bc4c00', 'rxjs-bufferTime': '#bf3989', 'rxjs-windowTime': '#8250df', 'rxjs-scan': '#cf222e', sqlite: '#1a7f37', duckdb: '#9a6700' };
const darkColours = { engine: '#58a6ff', pipe: '#58a6ff', hand: '#9198a1', 'rxjs-careful': '#f0883e', 'rxjs-bufferTime': '#f778ba', 'rxjs-windowTime': '#bc8cff', 'rxjs-scan': '#ff7b72', sqlite: '#3fb950', duckdb: '#d29922' };
const coloured = (palette) => Object.entries(palette).map(([name, colour]) => `.line.${name}, .thread.${name} { stroke: ${colour} } .dot.${name}, .label.${name} { fill: ${colour} }`).join('\n');
const style = `
.thread { fill: none; stroke-width: 0.7; stroke-dasharray: 2 3 }
${coloured(colours)}
.line.pipe { stroke-width: 3.2 } .label.pipe { font-weight: 700 }
.line.engine { stroke-dasharray: 6 3; stroke-width: 2.2 }
.line.hand { stroke-dasharray: 2 3 }
@media (prefers-color-scheme: dark) {
${coloured(darkColours)}
}
`;

const options = commandLine('bench:picture', 'Measures events per second against the size of the window, for ours and the contenders, and draws it: docs/benchmark.json and docs/benchmark.svg.')
  .option('--rounds <n>', 'fresh processes for each pair', whole, 3)
  .option('--seconds <n>', 'CPU seconds for each contender in a process', positive, 1)
  .option('--from <file>', 'draw these results instead of measuring')
  .option('--to <path>', 'where to write, without .json and .svg', 'docs/benchmark')
  .parse()
  .opts();

const outcome = options.from ? JSON.parse(readFileSync(options.from, 'utf8')) : await measured();
writeFileSync(`${options.to}.json`, `${JSON.stringify(outcome, null, 2)}\n`);
writeFileSync(`${options.to}.svg`, drawn(outcome));
console.log(options.json ? JSON.stringify(outcome, null, 2) : `Wrote ${options.to}.json and ${options.to}.svg`);

async function measured() {
  const where = surroundings();
  const opponents = [{ ours: 'engine', theirs: 'hand' }, ...theirs.map((name) => ({ ours: 'pipe', theirs: name }))];
  const queries = panels.flatMap(({ tick, sizes, cellOf }) => sizes.map((size) => ({ cell: cellOf(size), tick, set: 'A' })));
  const pairs = queries.flatMap((query) => opponents.map((pair) => ({ ...pair, ...query })));
  const bar = progressBar(pairs.length * options.rounds + theirs.length + 2);
  const wrong = (await checkContenders(['engine', 'pipe', ...theirs], ['A'], bar.step)).map(complaint).filter(Boolean);
  if (wrong.length > 0) {
    console.error(wrong.join('\n'));
    process.exit(1);
  }
  const { rounds, seconds } = options;
  const results = await measurePairs(pairs, { rounds, seconds, fillSeconds: 20, wallSeconds: 90, deadline: Infinity, otherPlans: 0, step: bar.step });
  bar.done();
  return { ...where, rounds, seconds, results };
}

function drawn({ machine, node, date, results }) {
  return svgChart({
    title: 'Sum, count, average, minimum and maximum over a sliding window',
    subtitle: `${machine}, Node ${node}, ${date}. Higher is better. A line that ends early: it can't, or takes too long.`,
    yTitle: 'events per CPU second',
    style,
    panels: panels.map(({ title, xTitle, tick, sizes, cellOf }) => ({
      title,
      xTitle,
      lines: Object.entries(names).map(([name, shown]) => ({
        name: shown,
        className: name,
        points: sizes.flatMap((size) => {
          const ns = costOf(name, results.filter((result) => result.cell === cellOf(size) && result.tick === tick));
          return ns === undefined ? [] : [{ x: size, y: 1e9 / ns }];
        }),
      })),
    })),
  });
}

/** A contender is measured in several pairs: the median of them. */
function costOf(name, results) {
  const costs = results.flatMap(({ ours, theirs: other, oursNs, theirsNs }) => (ours === name ? [oursNs] : other === name ? [theirsNs] : [])).filter((ns) => ns !== undefined);
  return costs.length === 0 ? undefined : median(costs);
}
