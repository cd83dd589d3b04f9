import { DDSketch } from '@datadog/sketches-js';
import { RollingWindowError, shown, type PercentileSketch } from '../../src/index.ts';

type Store = DDSketch['store'];

/** A store grows with all its new bins as arguments of one call: many more than this overflow the stack. */
const widestStep = 32_768;

/**
 * The DDSketch of `@datadog/sketches-js`, for lifetime percentiles: within the relative accuracy of the value at the rank,
 * 1 % by default, from 0.001 on.
 *
 * It can't remove, so it is refused over a frame. Its bins are dense: memory goes with the ratio between the smallest and
 * the largest magnitude. Numbers below 1.2e-308 count as 0. States are merged bin by bin, since the package's own `merge`
 * forgets negative numbers. It keeps what the library's own sketch keeps in a fraction of the time: take it to have exactly
 * the package's answers.
 *
 * @throws RollingWindowError `invalid-measure` for another accuracy.
 * @example approxPercentile('ms', 0.95, { sketch: datadogSketch() })
 */
export function datadogSketch({ relativeAccuracy = 0.01 }: { readonly relativeAccuracy?: number | undefined } = {}): PercentileSketch {
  if (!(relativeAccuracy >= 0.001 && relativeAccuracy < 1)) {
    throw new RollingWindowError('invalid-measure', { expected: 'a relativeAccuracy from 0.001 to below 1', given: shown(relativeAccuracy) });
  }
  const zero = (): DDSketch => new DDSketch({ relativeAccuracy });
  const sketch: PercentileSketch<DDSketch> = {
    name: `@datadog/sketches-js ${relativeAccuracy}`,
    zero,
    add(state, value) {
      const magnitude = Math.abs(value);
      if (magnitude > state.mapping.minPossible) reach(value > 0 ? state.store : state.negativeStore, state.mapping.key(magnitude));
      state.accept(value);
      return state;
    },
    merge(into, from) {
      addBins(into.store, binsOf(from.store));
      addBins(into.negativeStore, binsOf(from.negativeStore));
      into.zeroCount += from.zeroCount;
      into.count += from.count;
      into.sum += from.sum;
      into.min = Math.min(into.min, from.min);
      into.max = Math.max(into.max, from.max);
      return into;
    },
    // The package counts ranks from 0, and takes fractions: half a rank further is still the same bin, whatever is rounded.
    at: (state, rank, count) => state.getValueAtQuantile(Math.min((rank - 0.5) / (count - 1), 1)),
    encode: ({ store, negativeStore, zeroCount, count, sum, min, max }) => [binsOf(store), binsOf(negativeStore), zeroCount, count, sum, min, max],
    decode(encoded) {
      const [positive, negative, zeroCount, count, sum, min, max] = encoded as [number[], number[], number, number, number, number, number];
      const state = zero();
      addBins(state.store, positive);
      addBins(state.negativeStore, negative);
      return Object.assign(state, { zeroCount, count, sum, min, max });
    },
  };
  return sketch;
}

/** The distance to the next key, and the count there, in turn. */
function binsOf({ bins, offset }: Store): number[] {
  const found: number[] = [];
  let last = 0;
  bins.forEach((count, i) => {
    if (count === 0) return;
    found.push(i + offset - last, count);
    last = i + offset;
  });
  return found;
}

function addBins(store: Store, bins: readonly number[]): void {
  let key = 0;
  for (let i = 0; i < bins.length; i += 2) {
    key += bins[i]!;
    addToStore(store, key, bins[i + 1]!);
  }
}

/** Counts numbers in the bin of a key, however far that is from the bins that are there. */
export function addToStore(store: Store, key: number, count: number): void {
  reach(store, key);
  store.add(key, count);
}

function reach(store: Store, key: number): void {
  if (store.count === 0) return;
  while (key > store.maxKey + widestStep) store.add(store.maxKey + widestStep, 0);
  while (key < store.minKey - widestStep) store.add(store.minKey - widestStep, 0);
}
