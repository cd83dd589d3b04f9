import { complaint } from './support/checkContenders.mjs';
import { described, warning } from './support/surroundings.mjs';
import { markdownTable, table } from './support/table.mjs';

/** How far the ratio of sums may be from the median of ratios before the table says so. */
const uneven = 1.25;
const roundedNote = '~ their window is rounded to whole ticks, which is not quite what was asked.';
const unevenNote = '* the ratio of whole sums differs by more than a quarter: one of the two has rare expensive turns (--json has both).';

/** The outcome for people: a line for each query, a column for each pair. */
export async function report(outcome, contender, markdown) {
  const { results, checks } = outcome;
  const pairs = distinct(results.map(({ ours, theirs }) => `${ours} / ${theirs}`));
  const queries = distinct(results.map(nameOf));
  const absolute = distinct(results.map(({ ours }) => ours));
  const lines = queries.map((query) => {
    const mine = results.filter((result) => nameOf(result) === query);
    return [
      query,
      ...absolute.map((name) => nanoseconds(mine.filter(({ ours }) => ours === name))),
      ...pairs.map((pair) => ratio(mine.find(({ ours, theirs }) => `${ours} / ${theirs}` === pair))),
    ];
  });
  const head = ['cell @tick set', ...absolute.map((name) => `${name} ns`), ...pairs.map((pair) => pair.replace('rxjs-', ''))];
  return [
    described(outcome),
    ...[warning(outcome)].filter(Boolean),
    '',
    'CPU time per event, ours over theirs: below 1 ours is cheaper. ns: CPU nanoseconds per event, median over pairs.',
    markdown ? `\n${markdownTable(head, lines)}\n` : table(head.map((text) => text.replace(' / ', '\n/ ')), lines),
    ...(lines.some((line) => line.some((text) => text.endsWith('*'))) ? [unevenNote] : []),
    ...(results.some(({ rounded }) => rounded) ? [roundedNote] : []),
    ...notes(results, checks),
    ...(await legend(results, contender)),
  ].join('\n');
}

function nameOf({ cell, tick, set }) {
  return `${cell} @${tick} ${set}`;
}

function nanoseconds(results) {
  const known = results.map(({ oursNs }) => oursNs).filter((ns) => ns !== undefined).sort((a, b) => a - b);
  return known.length === 0 ? '–' : String(Math.round(known[known.length >> 1]));
}

function ratio(result) {
  if (result?.ratio === undefined) return '–';
  const { ratio: median, mean } = result;
  const shown = median < 0.095 ? median.toPrecision(2) : median.toFixed(2);
  return `${result.rounded ? '~' : ''}${shown}${mean / median > uneven || median / mean > uneven ? '*' : ''}`;
}

/** Why there is a dash, each reason once. */
function notes(results, checks) {
  const wrong = checks.map(complaint).filter(Boolean).map((text) => `WRONG, not timed: ${text}`);
  const reasons = new Map();
  for (const { theirs, skipped, ...query } of results) {
    if (skipped === undefined) continue;
    const text = `${theirs}: ${skipped}`;
    reasons.set(text, [...(reasons.get(text) ?? []), nameOf(query)]);
  }
  return [...wrong, ...Array.from(reasons, ([text, queries]) => `– ${text} (${distinct(queries).join('; ')})`)];
}

async function legend(results, contender) {
  const lines = [];
  for (const name of distinct(results.flatMap(({ ours, theirs }) => [ours, theirs]))) {
    const known = await contender(name);
    if (known) lines.push(`${name}: ${known.title}. Not done by it: ${known.cannot}.`);
  }
  return lines.length === 0 ? [] : ['', ...lines];
}

function distinct(values) {
  return [...new Set(values)];
}
