/**
 * `ceil(p * n)` for the decimal that p was written as, and 1 for p = 0. Its double may lie a hair above, and 0.07 * 100 is
 * 7.000000000000001: a product this close to a whole number is that number.
 */
export function nearestRank(p: number, n: number): number {
  const product = p * n;
  const whole = Math.round(product);
  const rank = Math.abs(product - whole) <= product * 2 ** -51 ? whole : Math.ceil(product);
  return Math.min(Math.max(rank, 1), n);
}
