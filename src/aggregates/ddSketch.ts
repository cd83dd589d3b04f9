import { Bins } from './bins.ts';
import type { PercentileSketch } from './percentileSketch.ts';
import { RelativeScale } from './relativeScale.ts';

/**
 * How many finite numbers lie where on a relative scale: of each sign in bins of their own, and the zeros.
 *
 * What it says depends on the numbers that are in it, not on their order, nor on what was taken out or merged in between.
 * Memory goes with the bins, not with the numbers: at 1 %, 116 of them for each factor of ten between the smallest and the
 * largest, two bytes each while counts are small; never more than 73,000 for each sign, which is the range of doubles.
 *
 * Masson, Rim & Lee: DDSketch: a fast and fully-mergeable quantile sketch with relative-error guarantees, VLDB 2019;
 * without its collapsing of bins, with negative numbers and with removal.
 */
export interface DDSketch {
  readonly positive: Bins;
  /** By magnitude. Most columns have none. */
  negative: Bins | undefined;
  zeros: number;
}

/** The sketch of a relative accuracy between 0 and 1. It is the fastest there is here, and can take numbers out again. */
export function ddSketch(relativeAccuracy: number): PercentileSketch<DDSketch> {
  const scale = new RelativeScale(relativeAccuracy);
  return {
    name: `ddsketch ${relativeAccuracy}`,
    zero: () => ({ positive: new Bins(), negative: undefined, zeros: 0 }),
    add(sketch, value) {
      if (value > 0) sketch.positive.add(scale.keyOf(value));
      else if (value < 0) (sketch.negative ??= new Bins()).add(scale.keyOf(-value));
      else sketch.zeros++;
      return sketch;
    },
    remove(sketch, value) {
      if (value > 0) sketch.positive.remove(scale.keyOf(value));
      else if (value < 0) sketch.negative!.remove(scale.keyOf(-value));
      else sketch.zeros--;
      return sketch;
    },
    merge(into, from) {
      into.positive.addAll(from.positive);
      if (from.negative) (into.negative ??= new Bins()).addAll(from.negative);
      into.zeros += from.zeros;
      return into;
    },
    at({ positive, negative, zeros }, rank) {
      const below = negative?.size ?? 0;
      if (rank <= below) return -scale.numberOf(negative!.keyAt(below + 1 - rank));
      return rank <= below + zeros ? 0 : scale.numberOf(positive.keyAt(rank - below - zeros));
    },
    encode: ({ positive, negative, zeros }) => [zeros, encodedBins(positive), negative ? encodedBins(negative) : []],
    decode(encoded) {
      const [zeros, positive, negative] = encoded as [number, number[], number[]];
      return { positive: decodedBins(positive), negative: negative.length > 0 ? decodedBins(negative) : undefined, zeros };
    },
  };
}

/** The first key, then count and distance to the next key in turn: mostly small numbers, which take two bytes each. */
function encodedBins(bins: Bins): number[] {
  const encoded: number[] = [];
  let last = 0;
  for (const [key, count] of bins.entries()) {
    encoded.push(key - last, count);
    last = key;
  }
  return encoded;
}

function decodedBins(encoded: readonly number[]): Bins {
  const bins = new Bins();
  let key = 0;
  for (let i = 0; i < encoded.length; i += 2) {
    key += encoded[i]!;
    bins.addTimes(key, encoded[i + 1]!);
  }
  return bins;
}
