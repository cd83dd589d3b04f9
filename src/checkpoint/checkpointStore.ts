/** What a store holds: a base, then the deltas that were saved after it, in order. */
export interface StoredCheckpoint {
  readonly parts: readonly Uint8Array[];
  /** Names this state of the store. Opaque: only the store that gave it reads it. */
  readonly rev: string;
}

/** How a part goes into a store. */
export interface SaveOptions {
  /** The `rev` of the last `load` or `save` of whoever saves; undefined where the store was empty. */
  readonly ifRev: string | undefined;
  /** A base takes the place of all parts; a delta is put behind them. */
  readonly base: boolean;
}

/**
 * A place where checkpoints outlive the program: the contract that every store keeps, and `checkStore` of the testing entry
 * verifies.
 *
 *   1. What `load` gives is what was saved last, whole: the parts of one `rev`, in order, byte for byte.
 *   2. A save that resolved is durable. One that was broken off has happened wholly or not at all.
 *   3. `ifRev` is compared as the save happens: where somebody else saved meanwhile, the error is `checkpoint-conflict`
 *      and the store stays as it was. Two states never have the same `rev`.
 *   4. The bytes are copied on the way in and out: the caller may write over its own.
 *   5. Saves are taken in the order of their calls.
 *   6. After `close`, which may be called twice, everything rejects with `checkpoint-closed`.
 */
export interface CheckpointStore {
  /** The parts, or undefined where nothing was saved yet. At once where the store can read at once, else as a promise. */
  load(): StoredCheckpoint | undefined | Promise<StoredCheckpoint | undefined>;
  /** @returns The new `rev`, once the part is durable. */
  save(part: Uint8Array, options: SaveOptions): Promise<string>;
  close(): void | Promise<void>;
}
