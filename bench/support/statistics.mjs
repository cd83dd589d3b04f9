// @ts-check

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b), half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/**
 * @param {ArrayLike<number>} sorted
 * @param {number} p
 */
export function quantile(sorted, p) {
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
}

/** @param {readonly number[]} values */
export function total(values) {
  return values.reduce((sum, value) => sum + value, 0);
}
