import { productError, sumError } from '../windows/doubleDouble.ts';
import type { MomentArithmetic } from './aggregate.ts';

/**
 * Mean and sum of squared deviations, updated as Welford (1962) and merged as Chan, Golub & LeVeque (1979) do, but in
 * double-double: mean + meanLo and m2 + m2Lo (Dekker 1971).
 *
 * In plain doubles the result depends in its last digits on how events are grouped into blocks, so that a restored
 * engine would differ from one that ran on; and for epoch-like values, large with a small spread, in its first digits.
 * Nothing is ever taken out: running Welford backwards cancels catastrophically and can leave m2 below zero.
 *
 * Where a value is no finite number the mean is none either; where a square leaves the range of doubles m2 is infinite
 * or NaN while the mean is finite.
 */
export const moments: MomentArithmetic = { width: 4, fold, merge, variance };
const MEAN = 0, MEAN_LO = 1, M2 = 2, M2_LO = 3;
/** Deviations whose square, times any count, stays clear of the largest double. */
const WIDE = 2 ** 500;

function fold(state: Float64Array, at: number, n: number, values: Float64Array, first: number, end: number, stride: number): void {
  for (let i = first; i < end; i += stride) add(state, at, n++, values[i]!);
}

function add(state: Float64Array, at: number, n: number, x: number): void {
  const mean = state[at + MEAN]!, high = x - mean;
  if (!(Math.abs(high) < WIDE)) return widen(state, at, mean, n, x, 1, 0);
  // d = x - mean
  const low = sumError(x, -mean, high) - state[at + MEAN_LO]!, d = high + low, dLo = high - d + low;
  // e = d / (n + 1)
  const m = n + 1, e = d / m, product = e * m, eLo = (d - product - productError(e, m, product) + dLo) / m;
  addTo(state, at + MEAN, e, eLo);
  // m2 += d * (d - e), which is never negative
  const f = d - e, fLo = sumError(d, -e, f) + dLo - eLo, square = d * f;
  addTo(state, at + M2, square, productError(d, f, square) + (d * fLo + dLo * f));
}

function merge(state: Float64Array, at: number, n1: number, from: Float64Array, fromAt: number, n2: number): void {
  if (n1 === 0) {
    for (let i = 0; i < moments.width; i++) state[at + i] = from[fromAt + i]!;
    return;
  }
  const mean = state[at + MEAN]!, other = from[fromAt + MEAN]!, high = other - mean;
  if (!(Math.abs(high) < WIDE)) return widen(state, at, mean, n1, other, n2, from[fromAt + M2]!);
  const low = sumError(other, -mean, high) + from[fromAt + MEAN_LO]! - state[at + MEAN_LO]!, d = high + low, dLo = high - d + low;
  // e = d * n2 / (n1 + n2)
  const n = n1 + n2, g = d * n2, gLo = productError(d, n2, g) + dLo * n2;
  const e = g / n, product = e * n, eLo = (g - product - productError(e, n, product) + gLo) / n;
  addTo(state, at + MEAN, e, eLo);
  // m2 += m2 of the others + d * e * n1
  const p = d * e, pLo = productError(d, e, p) + (d * eLo + dLo * e), q = p * n1;
  addTo(state, at + M2, from[fromAt + M2]!, from[fromAt + M2_LO]!);
  addTo(state, at + M2, q, productError(p, n1, q) + pLo * n1);
}

function variance(state: Float64Array, at: number, divisor: number): number {
  const mean = state[at + MEAN]!, m2 = state[at + M2]!;
  if (mean - mean !== 0) return NaN;
  return m2 === m2 ? Math.max(0, m2) / divisor : Infinity;
}

/** The values are infinite, NaN, or so far apart that the square of their distance is out of range. */
function widen(state: Float64Array, at: number, mean: number, n1: number, other: number, n2: number, m2: number): void {
  const n = n1 + n2;
  state[at + MEAN] = mean * (n1 / n) + other * (n2 / n);
  state[at + MEAN_LO] = 0;
  state[at + M2] = n1 === 0 ? m2 : Infinity;
  state[at + M2_LO] = 0;
}

/** Adds high + low to the double-double at a place. */
function addTo(state: Float64Array, at: number, high: number, low: number): void {
  const before = state[at]!, sum = before + high;
  const error = sumError(before, high, sum) + (state[at + 1]! + low);
  const result = sum + error;
  state[at] = result;
  state[at + 1] = sum - result + error;
}
