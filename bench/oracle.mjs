// @ts-check
/** Brute force: a row from all events, by its definition. Slow, and short enough to be believed. */

/**
 * The row of one key at a frontier: the columns of the set, once for each lookback.
 *
 * @param {readonly import('./workload.mjs').Event[]} events
 * @param {string} key
 * @param {number} frontier
 * @param {{ set: import('./workload.mjs').MeasureSet, lookbacks: readonly number[] }} query
 * @returns {(number | null)[]}
 */
export function expectedRow(events, key, frontier, { set, lookbacks }) {
  return lookbacks.flatMap((lookback) => {
    const inside = events.filter((event) => event.key === key && event.t > frontier - lookback && event.t <= frontier);
    const values = inside.map(({ v }) => v);
    return set === 'C' ? quantiles(values) : summary(values);
  });
}

/** @param {readonly number[]} values */
function summary(values) {
  if (values.length === 0) return [null, 0, null, null, null];
  const sum = values.reduce((total, value) => total + value);
  return [sum, values.length, sum / values.length, Math.min(...values), Math.max(...values)];
}

/** @param {readonly number[]} values */
function quantiles(values) {
  if (values.length === 0) return [null, null, null, 0];
  const sorted = [...values].sort((a, b) => a - b);
  return [...[0.5, 0.95, 0.99].map((p) => sorted[Math.ceil(p * sorted.length) - 1] ?? null), new Set(values).size];
}
