const SPLIT = 2 ** 27 + 1;

/** What rounding took from a + b (Knuth's TwoSum). */
export function sumError(a: number, b: number, sum: number): number {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

/** What rounding took from a * b (Dekker 1971, with Veltkamp's split). */
export function productError(a: number, b: number, product: number): number {
  const aSplit = SPLIT * a, aHigh = aSplit - (aSplit - a), aLow = a - aHigh;
  const bSplit = SPLIT * b, bHigh = bSplit - (bSplit - b), bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** (high + low) / n, rounded once: a mean of integers is exact also where their sum is beyond 2^53. */
export function quotient(high: number, low: number, n: number): number {
  if (low === 0) return high / n; // nothing was rounded away yet
  const sum = high + low, rest = low - (sum - high), first = sum / n, product = first * n;
  const second = (sum - product - productError(first, n, product) + rest) / n;
  return second === second ? first + second : first; // near the largest double the split is out of range
}
