import type { Aggregate } from './aggregate.ts';
import { addPair, mergeMoments, noMoments, scaledRatio, spreads, type CoMoments } from './coMoments.ts';

/** Two numbers of one event. */
export type NumberPair = readonly [x: number, y: number];

/** What aggregates of co-moments share: they differ in the answer. */
export function coMoments(name: string, finish: (state: CoMoments) => number | null): Aggregate<NumberPair, CoMoments, number | null> {
  return {
    name,
    builtIn: true,
    zero: noMoments,
    reduce: (state, [x, y]) => addPair(state, x, y, 1),
    merge: mergeMoments,
    retract: (state, [x, y]) => addPair(state, x, y, -1),
    finish,
  };
}

/** The two differ in the divisor. */
function covariance(name: string, fewer: 0 | 1): Aggregate<NumberPair, CoMoments, number | null> {
  return coMoments(name, (state) => {
    const { count, notFinite, xScale, yScale } = state;
    if (count <= fewer) return null;
    if (notFinite > 0) return NaN;
    return scaledRatio(spreads(state).xy, BigInt(count) * BigInt(count - fewer), xScale + yScale);
  });
}

export const covarSamp: Aggregate<NumberPair, CoMoments, number | null> = /*#__PURE__*/ covariance('covar_samp', 1);
export const covarPop: Aggregate<NumberPair, CoMoments, number | null> = /*#__PURE__*/ covariance('covar_pop', 0);
