/**
 * What a window asks of the summary that it keeps: the contract between `BlockWindows`, which knows where events enter
 * and leave, and the kernels, which know what is summed.
 *
 * A kernel holds one state for each of these, and owns the memory:
 *
 *   partial   per page: everything of a block that has entered
 *   suffix    per lookback and page: that block and all later ones before the window's flip
 *   back      per window: the blocks completed since the flip
 *   head      per window: what makes answers cheap that start inside the head block
 *   lifetime  per slot
 *   result    per lookback and for the lifetime: the answer being put together
 *
 * `window` numbers a (record, lookback) pair; `page` is `pageOf` a block; positions name events in the store.
 * Nothing is ever subtracted: states are folded from events or merged from other states, so a NaN or an infinity
 * leaves with the last state that held it, and so does the rounding error of a huge value.
 */
export interface Kernel {
  clearPartial(page: number): void;
  foldPartial(page: number, from: number, to: number): void;
  /** An event was put at `position` in front of others that had entered, which lie in [block, end). */
  patchPartial(page: number, position: number, block: number, end: number): void;

  /** suffix(page) = partial(page), then suffix(next) unless that is NONE. */
  buildSuffix(lookback: number, page: number, next: number): void;
  foldSuffix(lookback: number, page: number, position: number): void;

  reserveRecord(record: number): void;
  clearBack(window: number): void;
  mergeBack(window: number, page: number): void;
  foldBack(window: number, position: number): void;
  /** Prepares answers that start at event `first` or later of a block; `next`: the page of the suffix after it, or NONE. */
  buildHead(lookback: number, window: number, block: number, first: number, length: number, next: number): void;

  /** result = head from event `at` on, suffix, back, partial of the enter block. */
  answer(lookback: number, window: number, block: number, at: number, length: number, enterPage: number): void;
  clearResult(lookback: number): void;
  /**
   * result = the events at [from, end), of one block. Of these, [shorterFrom, end) is already the result of another
   * lookback, unless `shorter` is NONE.
   */
  windowResult(lookback: number, from: number, end: number, shorter: number, shorterFrom: number): void;
  foldResult(lookback: number, from: number, to: number): void;
  mergeResult(lookback: number, page: number): void;

  clearLifetime(slot: number): void;
  foldLifetime(slot: number, from: number, to: number): void;
  lifetimeResult(slot: number): void;

  readonly bytes: number;
}

/**
 * A summary that takes values in and out one by one: bounded windows of aggregates that can `retract`, and lifetime
 * windows, which nothing leaves, of aggregates that are not numeric.
 */
export interface RunningSummary {
  /** The lookback whose events it holds; the number of lookbacks where it is the lifetime. */
  readonly lookback: number;
  /** Runs no user code: a key must be dropped whatever that does. */
  clear(slot: number): void;
  /** The events at [from, to) entered the window. */
  enter(slot: number, from: number, to: number): void;
  leave(slot: number, from: number, to: number): void;
}

/** All that is kept about the windows of a key. */
export interface Summaries {
  readonly kernels: readonly Kernel[];
  readonly running: readonly RunningSummary[];
  /** Some summary depends on the order of values: what it holds of a window is built anew instead of added to. */
  readonly inOrder: boolean;
}
