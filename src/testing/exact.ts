/**
 * Arithmetic without rounding, for judging code that rounds.
 *
 * A double is an integer times a power of two, so sums, means and squares of doubles are ratios of integers. They are
 * computed as such and rounded once, to the nearest double, ties to even.
 */

/** Values as integers of one unit: `value = integer * 2 ** exponent`, exactly. */
export interface Scaled {
  readonly integers: readonly bigint[];
  readonly exponent: number;
}

const cell = new DataView(new ArrayBuffer(8));

function significandAndExponent(value: number): [bigint, number] {
  cell.setFloat64(0, value);
  const bits = cell.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const significand = biased === 0 ? fraction : fraction | (1n << 52n);
  return [bits >> 63n === 1n ? -significand : significand, Math.max(biased, 1) - 1075];
}

/** Finite doubles or bigints on their common scale. */
export function scaled(values: readonly (number | bigint)[]): Scaled {
  const parts = values.map((value): [bigint, number] => (typeof value === 'bigint' ? [value, 0] : significandAndExponent(value)));
  const exponent = Math.min(0, ...parts.map(([significand, own]) => (significand === 0n ? 0 : own)));
  return { integers: parts.map(([significand, own]) => (significand === 0n ? 0n : significand << BigInt(own - exponent))), exponent };
}

export function total(integers: readonly bigint[]): bigint {
  return integers.reduce((sum, integer) => sum + integer, 0n);
}

/** `numerator / denominator * 2 ** exponent` as the nearest double. The denominator is positive. Never -0. */
export function nearestDouble(numerator: bigint, denominator: bigint, exponent: number): number {
  if (numerator < 0n) return 0 - nearestDouble(-numerator, denominator, exponent);
  if (numerator === 0n) return 0;
  // The result is an integer of 53 bits times 2 ** unit; below the normal doubles, of fewer bits.
  let unit = Math.max(bitLength(numerator) - bitLength(denominator) + exponent - 53, -1074);
  let [quotient, remainder, divisor] = divide(numerator, denominator, exponent - unit);
  if (bitLength(quotient) > 53) [quotient, remainder, divisor] = divide(numerator, denominator, exponent - ++unit);
  const twice = 2n * remainder;
  if (twice > divisor || (twice === divisor && quotient % 2n === 1n)) quotient += 1n;
  return Number(quotient) * 2 ** unit;
}

/** The square root of `numerator / denominator * 2 ** exponent`, to about a unit in the last place. */
export function squareRoot(numerator: bigint, denominator: bigint, exponent: number): number {
  if (numerator === 0n) return 0;
  // The square of a small double underflows, the square of a large one overflows; their roots don't. An even power of
  // two is set aside that brings the square near 1.
  const half = Math.floor((bitLength(numerator) - bitLength(denominator) + exponent) / 2);
  return Math.sqrt(nearestDouble(numerator, denominator, exponent - 2 * half)) * 2 ** half;
}

function divide(numerator: bigint, denominator: bigint, shift: number): [quotient: bigint, remainder: bigint, divisor: bigint] {
  const dividend = shift > 0 ? numerator << BigInt(shift) : numerator;
  const divisor = shift > 0 ? denominator : denominator << BigInt(-shift);
  return [dividend / divisor, dividend % divisor, divisor];
}

function bitLength(positive: bigint): number {
  const text = positive.toString(16);
  return 4 * text.length - Math.clz32(Number.parseInt(text.charAt(0), 16)) + 28;
}
