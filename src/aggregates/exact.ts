/**
 * Exact arithmetic on doubles. Every finite double is a whole number of the smallest one, 2^-1074; sums of such wholes
 * neither round nor drift nor overflow, so adding and taking away again leaves nothing, and only the answer is rounded.
 */

/** A finite double as a whole number of 2^-1074. */
export function units(value: number): bigint {
  let shift = 1074;
  for (; !Number.isInteger(value); shift -= 32) value *= 2 ** 32;
  return BigInt(value) << BigInt(shift);
}

/** The double nearest to a fraction, ties to even; the denominator is positive. */
export function ratio(numerator: bigint, denominator: bigint): number {
  // Not `-ratio`: what rounds to nothing is 0, not -0.
  if (numerator < 0n) return 0 - ratio(-numerator, denominator);
  // Enough digits that the quotient fills a double and one sticky bit tells what is below. No more than two below the
  // smallest double: there the last step rounds, and it must be the only one that does.
  const shift = Math.min(70 + bits(denominator) - bits(numerator), 1076);
  const above = numerator << BigInt(Math.max(shift, 0));
  const below = denominator << BigInt(Math.max(-shift, 0));
  const quotient = above / below;
  const sticky = quotient * below === above ? 0n : 1n;
  const half = shift >> 1;
  return Number(quotient | sticky) * 2 ** -half * 2 ** (half - shift);
}

/** The length in bits, up to three too many. */
function bits(value: bigint): number {
  return value.toString(16).length * 4;
}
