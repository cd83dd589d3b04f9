import { built } from '../support/builtPackage.mjs';

const { approxCountDistinct, approxPercentile, avg, count, max, min, preceding, range, sum } = await built('engine.js');

/** @param {import('../workload.mjs').Query} query */
export function config(query) {
  return { partitionBy: 'key', orderBy: 't', measures: query.lookbacks.flatMap((lookback, i) => measures(query.set, lookback, i)) };
}

/** @param {Record<string, any>} row */
export function values(row) {
  const [, , ...measured] = Object.values(row); // behind the key and the frontier
  // Three percentiles are one measure, and null where there is nothing.
  return 'percentiles_0' in row ? [...(row['percentiles_0'] ?? [null, null, null]), row['distinct_0']] : measured;
}

/** A distinct count may be a sketch, with a standard error of 5%. */
export const tolerance = { distinct: 0.15 };

function measures(set, lookback, i) {
  const over = (measure, name) => (lookback === Infinity ? measure : measure.over(preceding(range(lookback)))).as(`${name}_${i}`);
  if (set === 'C') return [over(approxPercentile('v', [0.5, 0.95, 0.99]), 'percentiles'), over(approxCountDistinct('v'), 'distinct')];
  return [over(sum('v'), 'sum'), over(count('v'), 'count'), over(avg('v'), 'avg'), over(min('v'), 'min'), over(max('v'), 'max')];
}
