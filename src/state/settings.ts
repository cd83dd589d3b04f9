import type { Dropped, DropReason, Limits, Listener } from '../config.ts';
import type { Duration } from '../time/duration.ts';

/** How many keys there may be at once, and what happens to one more. */
export interface StateLimits {
  readonly maxKeys?: number | undefined;
  /** Default `'error'`. `'evict-idle'` forgets the key that had nothing for longest, `'drop-new'` drops the event. */
  readonly onLimit?: Limits['onLimit'];
}

/** What decides whether an event counts at all; the same for `dropDuplicates` and `transformWithState`. */
export interface AdmissionSettings<E, Reason extends string = DropReason> {
  /** How late an event may be: by its time against the largest event time seen. Needs `orderBy`. */
  readonly watermark?: Duration | { readonly delay: Duration; readonly by?: (keyof E & string) | undefined } | undefined;
  /** How far an event may be ahead of its arrival. Default 5 minutes; `false` turns the guard off. */
  readonly maxFutureSkew?: Duration | false | undefined;
  /** What becomes of an event without a readable time or key. Default `'drop'`. */
  readonly onInvalid?: 'drop' | 'error' | undefined;
  readonly limits?: StateLimits | undefined;
  /** Is told of each event that did not count, and why. Only `next` is called. */
  readonly dropped?: Listener<Dropped<E, Reason>> | undefined;
}

/** What both count, since they were made, restored counts included; `keys` is of this moment. */
export interface AdmissionStats {
  readonly keys: number;
  readonly late: number;
  /** Events that were further ahead of the clock than `maxFutureSkew`, whatever became of them. */
  readonly future: number;
  readonly invalid: number;
  /** Keys forgotten by `onLimit: 'evict-idle'`, and by an error in one of their functions. */
  readonly evicted: number;
  /** Events refused by `onLimit: 'drop-new'`. */
  readonly limited: number;
  readonly clockRegressions: number;
}

/** What both have in common with an engine: time comes in by argument, the state at rest is bytes. */
export interface StateCore<E, Out, Key> {
  /** Takes in a batch that arrived at one reading. */
  pushAll(events: Iterable<E>, now: number): void;
  /**
   * Moves to a clock reading, in epoch milliseconds, and returns what is to leave, in order.
   *
   * @throws RollingWindowError `invalid-clock` for a reading that is none.
   */
  advance(now: number): Out[];
  /** The keys whose state went since the `advance` before the last one: expired, cleared or evicted. */
  readonly removed: readonly Key[];
  /** The clock reading at which something is due without new events; `undefined` where nothing is. */
  nextBoundary(): number | undefined;
  /** The whole state as bytes. The same state gives the same bytes. */
  snapshot(): Uint8Array;
  /**
   * Takes over a snapshot that was made with the same columns and modes.
   *
   * @throws SnapshotError for damaged, foreign and newer bytes, and for another configuration; all stays as it was.
   */
  restore(snapshot: Uint8Array): void;
  /** The frontier in epoch milliseconds, minus infinity before the first `advance`. */
  readonly frontier: number;
  /** Events at or before it are late. Minus infinity where there is none. */
  readonly watermark: number;
  /** Events offered, the late and invalid ones included. */
  readonly position: { readonly events: number };
}
