import type { Aggregate } from './aggregate.ts';
import type { Bins } from './bins.ts';
import { ddSketch, type DDSketch } from './ddSketch.ts';
import { checkedAccuracy } from './percentileMethod.ts';
import { countOf, sketchedValues, type SketchedValues } from './sketchedValues.ts';

/** The bins of one sign that are not empty: in rising order of keys, how many numbers lie in each. */
export interface SignedBins {
  readonly keys: readonly number[];
  readonly counts: readonly number[];
}

/**
 * A DDSketch as plain values. With g = (1 + relativeAccuracy) / (1 - relativeAccuracy), the bin of key k holds what lies in
 * (g^(k-1), g^k]; negative numbers go by their magnitude.
 */
export interface DDSketchBins {
  readonly relativeAccuracy: number;
  readonly positive: SignedBins;
  readonly negative: SignedBins;
  readonly zeros: number;
  readonly positiveInfinities: number;
  readonly negativeInfinities: number;
  readonly nans: number;
}

/**
 * The DDSketch itself, to be merged with others elsewhere; null where there is no value.
 *
 * @throws RollingWindowError `invalid-measure` for what is no accuracy.
 */
export function ddSketchBins(relativeAccuracy: number): Aggregate<number, SketchedValues<DDSketch>, DDSketchBins | null> {
  const sketch = ddSketch(checkedAccuracy(relativeAccuracy));
  return {
    ...sketchedValues(sketch),
    name: 'ddsketch',
    parameters: { relativeAccuracy },
    finish(state) {
      if (countOf(state) === 0) return null;
      const { positive, negative, zeros } = state.sketch;
      return {
        relativeAccuracy,
        positive: plain(positive),
        negative: plain(negative),
        zeros,
        positiveInfinities: state.above,
        negativeInfinities: state.below,
        nans: state.nans,
      };
    },
  };
}

function plain(bins: Bins | undefined): SignedBins {
  const entries = bins ? [...bins.entries()] : [];
  return { keys: entries.map(([key]) => key), counts: entries.map(([, count]) => count) };
}
