import type { Aggregate } from './aggregate.ts';
import { spreads, type CoMoments } from './coMoments.ts';
import { coMoments, type NumberPair } from './covariance.ts';
import { ratio } from './exact.ts';

/** Pearson's correlation. From exact moments its square is a fraction, rounded once, so it never leaves -1 to 1. */
export const corr: Aggregate<NumberPair, CoMoments, number | null> = /*#__PURE__*/ coMoments('corr', (state) => {
  if (state.count < 2) return null;
  if (state.notFinite > 0) return NaN;
  const { xy, xx, yy } = spreads(state);
  if (xx === 0n || yy === 0n) return null; // a constant goes along with nothing
  const strength = Math.sqrt(ratio(xy * xy, xx * yy));
  return xy < 0n ? -strength : strength;
});
