/**
 * Records as they cross from one thread to the other: doubles, row by row, in a buffer that is transferred.
 *
 *      | head | region | revenue | region | revenue | ...             ... | from | reading | from | reading |
 *
 * A number is its own double, a text the number of its place in a list that both sides keep. Whatever else there is, null
 * and undefined too, stands beside, as structured cloning copies it. From the end of the buffer on, backwards, stands at
 * which readings events arrived: from which one on which.
 *
 * One buffer, since a transfer costs as much as hundreds of doubles. Row by row, since that is how events are written. What
 * is not touched costs nothing; what is goes through the caches of both threads, so a reading is not said with each event.
 * What a frame has to say in numbers stands in the head: as properties of an object each would be a name to write, to look
 * up and to keep, in code that runs once a frame and is cold each time.
 */
export interface Cells {
  readonly cells: ArrayBuffer;
  /** Absent where nothing is new: most of the time. */
  readonly news?: News;
}

/** Doubles before the first record. */
export const HEAD = 5;

/** What stands in the head. */
export const COUNT = 0;
/** Of events: how many readings there are; whether an evaluation is asked for behind them, and at which reading. */
export const READINGS = 1;
export const EVALUATES = 2;
export const NOW = 3;
/** Of rows: which evaluation gave them, where the engine stands, and when it is due next; NaN where nothing is. */
export const BATCH = 1;
export const FRONTIER = 2;
export const WATERMARK = 3;
export const NEXT = 4;

/** Of the first columns, whether they are of texts, as bits. */
export const bitsOf = (isText: readonly boolean[]): number => isText.reduce((bits, is, column) => (is && column < 31 ? bits | (1 << column) : bits), 0);

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
