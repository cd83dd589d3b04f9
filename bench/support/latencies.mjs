// @ts-check
import { quantile } from './statistics.mjs';

export const percentiles = /** @type {const} */ ({ P0: 0, P50: 0.5, P90: 0.9, P95: 0.95, P99: 0.99, max: 1 });
/** Upper ends of a histogram's bars, in microseconds. */
export const bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, Infinity];

/**
 * Percentiles, and the share of each bar.
 *
 * @param {readonly number[]} microseconds
 */
export function summaryOf(microseconds) {
  const sorted = Float64Array.from(microseconds).sort();
  const below = bounds.map((bound) => sorted.findLastIndex((value) => value <= bound) + 1);
  const shares = below.map((count, i) => (count - (below[i - 1] ?? 0)) / sorted.length);
  return { count: sorted.length, ...Object.fromEntries(Object.entries(percentiles).map(([name, p]) => [name, quantile(sorted, p)])), shares };
}

/** @param {number} microseconds */
export function shownTime(microseconds) {
  return microseconds >= 1000 ? `${(microseconds / 1000).toFixed(1)} ms` : `${microseconds.toFixed(microseconds < 10 ? 1 : 0)} us`;
}

/**
 * One line per bar that anybody needs, one column per series.
 *
 * @param {readonly { name: string, shares: readonly number[] }[]} series
 */
export function histogram(series) {
  const width = 28, used = bounds.map((_, i) => i).filter((i) => series.some(({ shares }) => shares[i] > 0));
  const label = (/** @type {number} */ i) => (bounds[i] === Infinity ? `> ${shownTime(bounds[i - 1])}` : `<= ${shownTime(bounds[i])}`).padStart(11);
  const bar = (/** @type {number} */ share) => `${'█'.repeat(Math.round(share * width)) || (share > 0 ? '▏' : '')}`.padEnd(width) + (share > 0 ? `${(share * 100).toFixed(share < 0.001 ? 3 : 1)}%` : '').padStart(7);
  return [`${''.padStart(11)}  ${series.map(({ name }) => name.padEnd(width + 7)).join('  ')}`, ...used.map((i) => `${label(i)}  ${series.map(({ shares }) => bar(shares[i])).join('  ')}`)].join('\n');
}
