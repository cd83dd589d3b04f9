import type { LowerEdge } from '../time/lowerEdge.ts';

/** Where the window of each lookback begins and ends at a frontier: it holds events with `cutoff < t <= upper`. */
export class Bounds {
  readonly edges: readonly LowerEdge[];
  readonly cutoffs: Float64Array;
  readonly uppers: Float64Array;
  /** That they are for. */
  private frontier = NaN;

  constructor(edges: readonly LowerEdge[]) {
    this.edges = edges;
    this.cutoffs = new Float64Array(edges.length).fill(-Infinity);
    this.uppers = new Float64Array(edges.length).fill(-Infinity);
  }

  moveTo(frontier: number): void {
    if (frontier === this.frontier) return;
    const { edges, cutoffs, uppers } = this;
    for (let l = 0; l < edges.length; l++) {
      const edge = edges[l]!;
      cutoffs[l] = edge.lower(frontier);
      uppers[l] = edge.upper === undefined ? frontier : edge.upper.upper(frontier);
    }
    this.frontier = frontier; // now: a calendar may throw
  }
}
