import type { Watermarks } from '../admission/watermarks.ts';
import type { Counts, Key } from '../core.ts';
import type { Row } from '../emission/row.ts';

/** What a state holds beside its keys and what the header tells. */
export interface Globals {
  readonly reading: number;
  readonly regressions: number;
  readonly watermarks: ReturnType<Watermarks['snapshot']>;
  readonly latest: number;
  readonly counts: Counts;
  readonly evicted: readonly Key[];
  readonly owed: readonly Row[];
  /** Keys by their numbers in the part. */
  readonly dirty: Int32Array;
  /** Where an evaluation at the last reading would have put the frontier. */
  readonly horizon: number;
  /** Of this instant and before, not every event that counted is kept. */
  readonly retainedFrom: number;
  readonly knownFrom: number;
  readonly warmUntil: number;
  /** As the core has it; absent in early snapshots. */
  readonly rowsKnown?: number;
}
