import { DDSketch } from '@datadog/sketches-js';
import type { DDSketchBins, SignedBins } from '../../src/index.ts';
import { addToStore } from './datadogSketch.ts';

/**
 * A DDSketch of this library as one of `@datadog/sketches-js`: to be merged with theirs, or sent on with `toProto()`, for
 * which the package wants `protobufjs` beside it.
 *
 * Counts are the same, bin for bin. `min`, `max` and `sum` are those of the bins' numbers, within the accuracy. Infinities
 * and NaN have no place in it and are left out: the bins say how many there were.
 *
 * @example rows$.pipe(map((row) => toDatadogSketch(row['ddsketch(ms)']).toProto()))
 */
export function toDatadogSketch({ relativeAccuracy, positive, negative, zeros }: DDSketchBins): DDSketch {
  const sketch = new DDSketch({ relativeAccuracy });
  const put = ({ keys, counts }: SignedBins, sign: 1 | -1): void => {
    const store = sign > 0 ? sketch.store : sketch.negativeStore;
    keys.forEach((key, i) => {
      addToStore(store, key, counts[i]!);
      summarise(sketch, sign * sketch.mapping.value(key), counts[i]!);
    });
  };
  put(positive, 1);
  put(negative, -1);
  sketch.zeroCount = zeros;
  if (zeros > 0) summarise(sketch, 0, zeros);
  return sketch;
}

function summarise(sketch: DDSketch, value: number, count: number): void {
  sketch.count += count;
  sketch.sum += value * count;
  sketch.min = Math.min(sketch.min, value);
  sketch.max = Math.max(sketch.max, value);
}
