import { TDigest } from 'tdigest';
import { RollingWindowError, shown, type PercentileSketch } from '../../src/index.ts';

/** Distances of larger numbers, times how many there are, would be no doubles, and the mean of their centroid none, either. */
const most = 1e290;

/** A group of neighbouring values: their mean, how many they are, and how many came before it, as the digest last noted. */
interface Centroid {
  mean: number;
  n: number;
  cumn: number;
  /** Not there before the next noting. */
  mean_cumn: number | undefined;
}

/** What the package has besides its documented face, and a state consists of. */
interface Internals {
  readonly centroids: { insert(centroid: Centroid): boolean; each(visit: (centroid: Centroid) => void): void };
  n: number;
  last_cumulate: number;
  compressing?: boolean;
  _cumulate(exact: boolean): void;
}

/**
 * The t-digest of the package `tdigest`, for lifetime percentiles: closest at the ends, between centroids elsewhere, without
 * a bound that holds for every stream.
 *
 * It can't remove, so it is refused over a frame. `delta` is the share of all values that one centroid may stand for, 0.01 by
 * default. The package compresses in an order that it draws from `Math.random`; here it is a fixed one, and reading changes
 * nothing, so the same events give the same rows, after a restart, too. An event costs some microseconds. Numbers
 * beyond 1e290 count as that.
 *
 * @throws RollingWindowError `invalid-measure` for a `delta` that is not above 0 and up to 1.
 * @example approxPercentile('ms', 0.99, { sketch: tdigest() })
 */
export function tdigest({ delta = 0.01 }: { readonly delta?: number | undefined } = {}): PercentileSketch {
  if (!(delta > 0 && delta <= 1)) throw new RollingWindowError('invalid-measure', { expected: 'a delta above 0 and up to 1', given: shown(delta) });
  const sketch: PercentileSketch<TDigest & Internals> = {
    name: `tdigest ${delta}`,
    zero: () => steadyDigest(delta),
    add(state, value) {
      state.push(Math.min(Math.max(value, -most), most));
      return state;
    },
    merge(into, from) {
      if (into.n === 0) return copyInto(into, from);
      into.push_centroid(scattered(from.toArray()));
      return into;
    },
    at: (state, rank) => valueBefore(state, rank - 0.5),
    encode: (state) => [state.n, state.last_cumulate, centroidsOf(state).flatMap(({ mean, n, cumn, mean_cumn }) => [mean, n, cumn, mean_cumn ?? NaN])],
    decode(encoded) {
      const [n, last_cumulate, fields] = encoded as [number, number, number[]];
      const state = steadyDigest(delta);
      for (let i = 0; i < fields.length; i += 4) {
        const [mean, size, cumn, mean_cumn] = fields.slice(i, i + 4) as [number, number, number, number];
        state.centroids.insert({ mean, n: size, cumn, mean_cumn });
      }
      return Object.assign(state, { n, last_cumulate });
    },
  };
  return sketch;
}

/** A digest that compresses in a fixed order. */
function steadyDigest(delta: number): TDigest & Internals {
  const digest = new TDigest(delta) as TDigest & Internals;
  digest.compress = () => {
    if (digest.compressing) return;
    const points = scattered(digest.toArray());
    digest.reset();
    digest.compressing = true;
    digest.push_centroid(points);
    digest._cumulate(true);
    digest.compressing = false;
  };
  return digest;
}

function centroidsOf(digest: Internals): Centroid[] {
  const found: Centroid[] = [];
  digest.centroids.each((centroid) => found.push(centroid));
  return found;
}

function copyInto(empty: TDigest & Internals, from: TDigest & Internals): TDigest & Internals {
  for (const centroid of centroidsOf(from)) empty.centroids.insert({ ...centroid });
  return Object.assign(empty, { n: from.n, last_cumulate: from.last_cumulate });
}

/** Neighbours far apart, as the digest wants it: in rising order it could not compress at all. */
function scattered<T>(sorted: readonly T[]): T[] {
  const golden = 0.618_033_988_749_894_9;
  return sorted.map((item, i) => [(i * golden) % 1, item] as const).sort(([a], [b]) => a - b).map(([, item]) => item);
}

/**
 * Where the distribution has so many values before it: between the middles of two centroids, in proportion. The package's
 * `percentile` says the same, but notes new totals at each call, by which later values are put elsewhere: what a row says
 * would depend on how often there were rows.
 */
function valueBefore(digest: Internals, wanted: number): number {
  let before = 0, lastMiddle = -Infinity, last = NaN, found: number | undefined;
  digest.centroids.each(({ mean, n }) => {
    const middle = before + n / 2;
    if (found === undefined && middle >= wanted) found = lastMiddle === -Infinity ? mean : between(last, mean, (wanted - lastMiddle) / (middle - lastMiddle));
    before += n;
    lastMiddle = middle;
    last = mean;
  });
  return found ?? last;
}

const between = (from: number, to: number, share: number): number => Math.min(Math.max(from * (1 - share) + to * share, from), to);
