import type { LaneShape } from '../windows/lanes.ts';

/**
 * What the columns of a state are, by the plan's measures, whose numbers these lists hold. It follows from the plan and the
 * types of its columns; a restore under another plan finds by it what it can use.
 */
export interface StateLayout {
  /** The columns of the event and the types that their values turned out to have. */
  readonly types: readonly (readonly [column: string, type: string | null])[];
  /** Columns of doubles, and of anything else. */
  readonly numbers: readonly LaneShape[];
  readonly cells: readonly LaneShape[];
  /** Per fused lifetime state: its lane, null where it counts events; what it keeps; how many doubles it is. */
  readonly sums: readonly { readonly lane: LaneShape | null; readonly keeps: number; readonly width: number; readonly measures: readonly number[] }[];
  /** Lifetime measures with a state of their own. */
  readonly states: readonly number[];
  /** Measures whose last answer is a double, and the others. */
  readonly fused: readonly number[];
  readonly summarised: readonly number[];
  /** Per measure: 0, or the number of the restore that it began with. Those of one number share what they count. */
  readonly since: readonly number[];
  readonly idle: boolean;
}
