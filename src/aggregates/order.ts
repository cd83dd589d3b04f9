/** What has an order. One column holds one of these types. */
export type Orderable = number | bigint | string | boolean | Date;

/** Below 0 where `a` comes first, above where `b` does. NaN is larger than every number, -0 is 0, text goes by code point. */
export function order(a: Orderable, b: Orderable): number {
  if (typeof a === 'string' && typeof b === 'string') return codePointOrder(a, b);
  if (a < b) return -1;
  if (a > b) return 1;
  // Neither holds for equal values, and for NaN.
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/**
 * JavaScript's `<` goes by UTF-16 units, and so puts what lies beyond U+FFFF, in units from D800, before U+E000. The
 * order of code points is that of UTF-8, which is Spark's.
 */
function codePointOrder(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === end) return a.length - b.length;
  // Where the difference is in the second half of a pair, the code points differ one unit earlier.
  return codePointDifference(a, b, at - 1) || codePointDifference(a, b, at);
}

function codePointDifference(a: string, b: string, at: number): number {
  return (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0);
}
