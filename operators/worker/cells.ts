/**
 * Records as they cross from one thread to the other: doubles, row by row, in a buffer that is transferred.
 *
 *      | region | revenue | region | revenue | ...             ... | from | reading | from | reading |
 *
 * A number is its own double, a text the number of its place in a list that both sides keep. Whatever else there is, null
 * and undefined too, stands beside, as structured cloning copies it. From the end of the buffer on, backwards, stands at
 * which readings events arrived: from which one on which.
 *
 * One buffer, since a transfer costs as much as hundreds of doubles. Row by row, since that is how events are written. What
 * is not touched costs nothing; what is goes through the caches of both threads, so a reading is not said with each event.
 */
export interface Cells {
  readonly count: number;
  readonly buffer: ArrayBuffer;
  /** How many readings there are. */
  readonly readings: number;
  /** Absent where nothing is new: most of the time. */
  readonly news?: News;
}

/** What a reader of cells must know beside them, from here on. */
export interface News {
  /** By column, whether its doubles are places of texts. */
  readonly isText: readonly boolean[];
  /** Texts that were not in the list. */
  readonly texts: readonly string[];
  /** The list begins anew with these: it had grown too large. */
  readonly anew: boolean;
  /** Of these cells alone: which doubles do not count, in order, and what stands there instead. */
  readonly otherAt: readonly number[];
  readonly others: readonly unknown[];
}
