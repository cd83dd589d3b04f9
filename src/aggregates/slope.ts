import type { Aggregate } from './aggregate.ts';
import { addPair, mergeMoments, noMoments, scaledRatio, spreads, type CoMoments } from './coMoments.ts';

/** Milliseconds in the unit of the answer. */
const SECOND = 1000n;

/** The slope of the line through (time, value) that has the least squares, per second. Exact moments, rounded once. */
export const slope: Aggregate<number, CoMoments, number | null> = {
  name: 'slope',
  builtIn: true,
  readsTimes: true,
  zero: noMoments,
  reduce: (state, value, time) => addPair(state, time, value, 1),
  merge: mergeMoments,
  retract: (state, value, time) => addPair(state, time, value, -1),
  finish(state) {
    const { count, notFinite, xScale, yScale } = state;
    if (count < 2) return null;
    if (notFinite > 0) return NaN;
    const { xy, xx } = spreads(state);
    return xx === 0n ? null : scaledRatio(SECOND * xy, xx, yScale - xScale);
  },
};
