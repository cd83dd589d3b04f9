/**
 * Records as they cross from one thread to the other: doubles, row by row, in a buffer that is transferred.
 *
 *      | reading | region | revenue | reading | region | revenue | ...      events: a double per column, after the reading
 *
 * A number is its own double, a text the number of its place in a list that both sides keep. Whatever else there is, null
 * and undefined too, stands beside, as structured cloning copies it.
 *
 * One buffer, since a transfer costs as much as some hundred doubles. Row by row, since that is how events are written.
 */
export interface Cells {
  readonly count: number;
  readonly buffer: ArrayBuffer;
  /** By column, whether its doubles are places of texts. */
  readonly isText: readonly boolean[];
  /** Texts that were not in the list. */
  readonly texts: readonly string[];
  /** The list begins anew with these: it had grown too large. */
  readonly anew: boolean;
  /** Which doubles do not count, in order, and what stands there instead. */
  readonly otherAt: readonly number[];
  readonly others: readonly unknown[];
}
