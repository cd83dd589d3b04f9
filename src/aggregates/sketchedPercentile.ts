import type { Aggregate } from './aggregate.ts';
import { checkedProbabilities, type PercentileAnswer } from './approxPercentile.ts';
import { nearestRank } from './nearestRank.ts';
import type { PercentileSketch } from './percentileSketch.ts';
import { countOf, sketchedValues, type SketchedValues } from './sketchedValues.ts';

/**
 * The value at nearest rank `ceil(p * n)`, as closely as a sketch knows it; null where there is none. Infinities are
 * values, NaN sorts last.
 *
 * Told the smallest and the largest value, it answers with these at the first and the last rank, and with nothing outside
 * of them between. It can't know them itself: once a value was taken out, bins don't tell what is left at the ends. A NaN
 * is the largest, and then the numbers have no upper bound but the last bin's.
 *
 * @throws RollingWindowError `invalid-measure` for an empty list, and a probability outside 0 to 1.
 */
export function sketchedPercentile<const P extends number | readonly number[], State>(
  asked: P,
  sketch: PercentileSketch<State>,
): Aggregate<number, SketchedValues<State>, PercentileAnswer<P>> {
  const { p, answer } = checkedProbabilities(asked);

  const at = ({ sketch: numbers, finite, below, above }: SketchedValues<State>, rank: number): number => {
    if (rank <= below) return -Infinity;
    if (rank <= below + finite) return sketch.at(numbers, rank - below, finite);
    return rank <= below + finite + above ? Infinity : NaN;
  };

  return {
    ...sketchedValues(sketch),
    name: 'approx_percentile',
    parameters: { p, sketch: sketch.name },
    extremes: true,
    finish(state, smallest, largest) {
      const count = countOf(state);
      if (count === 0) return null;
      return answer((probability) => {
        const rank = nearestRank(probability, count);
        if (rank === 1 && smallest !== undefined) return smallest;
        if (rank === count && largest !== undefined) return largest;
        return clamped(at(state, rank), smallest, largest);
      });
    },
  };
}

/** Neither comparison holds where a bound is unknown, or NaN. */
function clamped(value: number, smallest: number | undefined, largest: number | undefined): number {
  return value < smallest! ? smallest! : value > largest! ? largest! : value;
}
