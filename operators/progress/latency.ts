import { DDSketch } from '@datadog/sketches-js';
import type { LatencyPercentiles } from './queryProgress.ts';

/** A picosecond: what is shorter counts as nothing, and spares the sketch bins down to the smallest double. */
const shortest = 1e-9;

/** Latencies of one kind, in a sketch. */
export class Latency {
  private readonly sketch: DDSketch = new DDSketch({ relativeAccuracy: 0.01 });

  /** `count` events took so many milliseconds; fewer than none is none. */
  add(ms: number, count: number): void {
    this.sketch.accept(ms > shortest ? ms : 0, count);
  }

  /** Their percentiles, null where there is nothing; from here on a new distribution begins. */
  take(): LatencyPercentiles | null {
    const { sketch } = this;
    const { count, min, max } = sketch;
    if (count === 0) return null;
    const [P50, P90, P95, P99] = atRanks(sketch, [0.5, 0.9, 0.95, 0.99].map((p) => Math.ceil(p * count)));
    empty(sketch);
    const clamped = (value: number | undefined): number => Math.min(Math.max(value ?? max, min), max);
    return { P0: min, P50: clamped(P50), P90: clamped(P90), P95: clamped(P95), P99: clamped(P99) };
  }
}

/** The values at ranks that rise, in one walk: the package would walk over all bins for each of them. */
function atRanks({ store: { bins, offset }, mapping, zeroCount }: DDSketch, ranks: readonly number[]): number[] {
  const found: number[] = [];
  let passed = zeroCount;
  let bin = -1;
  for (const rank of ranks) {
    while (passed < rank && bin < bins.length - 1) passed += bins[++bin]!;
    found.push(bin < 0 ? 0 : mapping.value(bin + offset));
  }
  return found;
}

/** A new sketch would move its bins again and again, until the latencies of the next batch have shown how far they reach. */
function empty(sketch: DDSketch): void {
  sketch.store.bins.fill(0);
  sketch.store.count = 0;
  Object.assign(sketch, { zeroCount: 0, count: 0, sum: 0, min: Infinity, max: -Infinity });
}
