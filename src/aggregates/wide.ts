import { productError, sumError } from '../windows/doubleDouble.ts';

/** (high + low) * 2^exponent: a sum with twice the digits of a double, and any range. */
export interface Wide {
  high: number;
  low: number;
  exponent: number;
}

/** Beyond these, a product and its rounding error are not both doubles. */
const LARGE = 2 ** 900, SMALL = 2 ** -900, SHIFT = 128;

export const noSum = (): Wide => ({ high: 0, low: 0, exponent: 0 });

/** Adds one to another. */
export function addWide(to: Wide, { high, low, exponent }: Wide): void {
  if (high === 0) return;
  if (to.high === 0) {
    Object.assign(to, { high, low, exponent });
    return;
  }
  const shift = exponent - to.exponent;
  if (shift > 0) {
    to.high = shifted(to.high, -shift);
    to.low = shifted(to.low, -shift);
    to.exponent = exponent;
  } else {
    high = shifted(high, shift);
    low = shifted(low, shift);
  }
  const sum = to.high + high, rest = sumError(to.high, high, sum) + (to.low + low);
  to.high = sum + rest;
  to.low = sum - to.high + rest;
}

/** Adds a * b * 2^exponent, for an `a` near 1 and any finite `b`. */
export function addProduct(to: Wide, a: number, b: number, exponent: number): void {
  const size = Math.abs(b), shift = size > LARGE ? SHIFT : size < SMALL ? -SHIFT : 0;
  const scaled = shifted(b, -shift), high = a * scaled;
  addWide(to, { high, low: productError(a, scaled, high), exponent: exponent + shift });
}

/** a / b as the nearest double, or one beside it. */
export function ratioOf(a: Wide, b: Wide): number {
  const first = a.high / b.high, product = first * b.high;
  const rest = a.high - product - productError(first, b.high, product) + a.low - first * b.low;
  return shifted(first + rest / b.high, a.exponent - b.exponent) + 0;
}

/** value * 2^power, in steps: the power alone may be no double. */
function shifted(value: number, power: number): number {
  for (; power > 1000 && value !== 0 && Number.isFinite(value); power -= 1000) value *= 2 ** 1000;
  for (; power < -1000 && value !== 0; power += 1000) value *= 2 ** -1000;
  return power > 1000 || power < -1000 ? value : value * 2 ** power;
}
