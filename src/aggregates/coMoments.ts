import { ratio } from './exact.ts';

/**
 * Exact sums over pairs of numbers: of both, of their squares and of their product. As in variance.ts, nothing is lost to
 * cancellation, whatever the pairs are and however they are grouped, and a pair can be taken out again.
 *
 * Sums are whole numbers of 2^-scale, where the scale is what the finest value so far asked for: an integer whose last
 * bits are all zero costs as much as one that uses them.
 */
export interface CoMoments {
  count: number;
  /** Pairs with a NaN or an infinity: while there is one, the answer is NaN. */
  notFinite: number;
  xScale: number;
  yScale: number;
  x: bigint;
  y: bigint;
  xx: bigint;
  yy: bigint;
  xy: bigint;
}

export function noMoments(): CoMoments {
  return { count: 0, notFinite: 0, xScale: 0, yScale: 0, x: 0n, y: 0n, xx: 0n, yy: 0n, xy: 0n };
}

export function addPair(state: CoMoments, x: number, y: number, times: 1 | -1): CoMoments {
  state.count += times;
  if (!Number.isFinite(x) || !Number.isFinite(y)) {
    state.notFinite += times;
    return state;
  }
  rescale(state, scaleOf(x), scaleOf(y));
  const a = whole(x, state.xScale), b = whole(y, state.yScale), sign = BigInt(times);
  state.x += sign * a;
  state.y += sign * b;
  state.xx += sign * a * a;
  state.yy += sign * b * b;
  state.xy += sign * a * b;
  return state;
}

export function mergeMoments(into: CoMoments, from: CoMoments): CoMoments {
  rescale(into, from.xScale, from.yScale);
  const dx = BigInt(into.xScale - from.xScale), dy = BigInt(into.yScale - from.yScale);
  into.count += from.count;
  into.notFinite += from.notFinite;
  into.x += from.x << dx;
  into.y += from.y << dy;
  into.xx += from.xx << (2n * dx);
  into.yy += from.yy << (2n * dy);
  into.xy += from.xy << (dx + dy);
  return into;
}

/** n^2 times the covariance, and the variances: exact, in units of the scales. */
export function spreads({ count, notFinite, x, y, xx, yy, xy }: CoMoments): { xy: bigint; xx: bigint; yy: bigint } {
  const n = BigInt(count - notFinite);
  return { xy: n * xy - x * y, xx: n * xx - x * x, yy: n * yy - y * y };
}

/** numerator * 2^-scale / denominator, rounded once. */
export function scaledRatio(numerator: bigint, denominator: bigint, scale: number): number {
  return scale < 0 ? ratio(numerator << BigInt(-scale), denominator) : ratio(numerator, denominator << BigInt(scale));
}

function rescale(state: CoMoments, xScale: number, yScale: number): void {
  const dx = BigInt(Math.max(0, xScale - state.xScale)), dy = BigInt(Math.max(0, yScale - state.yScale));
  if (dx === 0n && dy === 0n) return;
  state.xScale += Number(dx);
  state.yScale += Number(dy);
  state.x <<= dx;
  state.y <<= dy;
  state.xx <<= 2n * dx;
  state.yy <<= 2n * dy;
  state.xy <<= dx + dy;
}

/** How many bits behind the point a finite double needs, in steps of 32. */
function scaleOf(value: number): number {
  let scale = 0;
  for (; !Number.isInteger(value); scale += 32) value *= 2 ** 32;
  return scale;
}

/** A finite double as a whole number of 2^-scale. */
function whole(value: number, scale: number): bigint {
  for (; !Number.isInteger(value); scale -= 32) value *= 2 ** 32;
  return BigInt(value) << BigInt(scale);
}
