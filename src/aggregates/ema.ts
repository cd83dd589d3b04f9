import type { Aggregate } from './aggregate.ts';
import { addProduct, addWide, noSum, ratioOf, type Wide } from './wide.ts';

/** What an exponential average knows: the sum of weighted values, and the sum of weights. */
export interface Decayed {
  readonly values: Wide;
  readonly weights: Wide;
  /** The sum of NaNs and infinities, 0 where there are none: they decide alone, however old. */
  unbounded: number;
}

/**
 * The mean with weights 2^-((F - t) / halfLife). The frontier F is in every weight and cancels out, so the weights used
 * are 2^(t / halfLife), each kept as a number from 1 to 2 and a whole power of two. Such a weight depends on nothing but
 * its time, and shifting by whole powers rounds nothing: so the answer does not depend on how a window is grouped, which
 * one with weights relative to the newest event would, in its last digits.
 *
 * No `retract`: what a large value took from the small ones would not come back.
 *
 * @param halfLife In milliseconds.
 */
export function ema(halfLife: number): Aggregate<number, Decayed, number | null> {
  return {
    name: 'ema',
    builtIn: true,
    readsTimes: true,
    parameters: { halfLife },
    zero: () => ({ values: noSum(), weights: noSum(), unbounded: 0 }),
    reduce(state, value, time) {
      const rest = ((time % halfLife) + halfLife) % halfLife; // exact, as the remainder is
      const exponent = Math.round((time - rest) / halfLife), weight = 2 ** (rest / halfLife);
      addWide(state.weights, { high: weight, low: 0, exponent });
      if (Number.isFinite(value)) addProduct(state.values, weight, value, exponent);
      else state.unbounded += value;
      return state;
    },
    merge(into, from) {
      addWide(into.values, from.values);
      addWide(into.weights, from.weights);
      into.unbounded += from.unbounded;
      return into;
    },
    finish({ values, weights, unbounded }) {
      if (weights.high === 0) return null;
      return unbounded === 0 ? ratioOf(values, weights) : unbounded;
    },
  };
}
