import type { Offset, Partition } from './checkpoint/part.ts';

/** What became of an event at `push`. */
export type PushResult = 'counted' | 'held' | 'late' | 'future' | 'invalid' | 'outside' | 'limit';

/** Counts since the engine was made, restored ones included; `keys`, `events`, `held` and `bytes` are of this moment. */
export interface EngineStats {
  readonly keys: number;
  readonly events: number;
  readonly held: number;
  /** What the state occupies, without the key strings. */
  readonly bytes: number;
  readonly rows: number;
  readonly late: number;
  readonly future: number;
  readonly invalid: number;
  readonly outside: number;
  readonly evicted: number;
  /** Events refused by `onLimit: 'drop-new'`. */
  readonly limited: number;
  readonly clockRegressions: number;
}

/** How far the source has been read. */
export interface Position {
  /** Events offered to the engine, the late and invalid ones included. */
  readonly events: number;
  /** By partition, what the configuration's `position` said of the last event offered; empty where there is no such function. */
  readonly offsets: ReadonlyMap<Partition, Offset>;
}

export interface SnapshotOptions {
  /**
   * Only the keys that changed since this engine's last `snapshot`, or since its `restore`, and what is not of one key;
   * held events wholly. It goes on from the part before, which its header names. Where there is none, or more has changed
   * than that, such as the type of a column, it is a base all the same: `describeSnapshot` tells.
   */
  readonly delta?: boolean | undefined;
}

export interface RestoreOptions {
  /** Measures that the snapshot knows nothing of begin with the restore; rows say in `warmUntil` how long they are not whole. */
  readonly allowWarmUp?: boolean | undefined;
  /** Measures that the plan does not have any more are left out. */
  readonly dropRemoved?: boolean | undefined;
}

/**
 * The synchronous engine: the same calls give the same rows and the same snapshots.
 *
 * Micro-batch is `push` any number of times, then `advance` once; real time is `push`, `advance` for each event.
 */
export interface Engine<E, Row, Key> {
  /**
   * Takes in one event that arrived at clock reading `now`, in epoch milliseconds (minus infinity where no clock was
   * read yet). Never moves the frontier.
   *
   * @throws RollingWindowError where the configuration asks for errors instead of counting, and what user code throws;
   * the engine is then as it was.
   */
  push(event: E, now: number): PushResult;
  /**
   * Takes in a batch that arrived at one clock reading, in epoch milliseconds: the same comes of it as of pushing its events
   * one by one. An array costs less that way.
   *
   * @throws as `push` does: the events before the one that threw are in, those behind it are not.
   * @example engine.pushAll(await poll(), Date.now());
   */
  pushAll(events: Iterable<E>, now: number): void;
  /**
   * Moves frontier and watermark to the reading, frees what left every window, and returns the rows that changed.
   *
   * @throws RollingWindowError `user-code` where an aggregate of the user's threw: its key is dropped, the evaluation is
   * done for all others, and their rows come with the next one.
   */
  advance(now: number): Row[];
  /** The keys whose state the last `advance` dropped: emptied, or evicted since the one before. */
  readonly removed: readonly Key[];
  /** The clock reading at which a row could change without new events; `undefined` where nothing is due. */
  nextBoundary(key?: Key): number | undefined;
  /**
   * The key's row as of a reading, in epoch milliseconds, the last one by default. Held events that it reaches count, and
   * before the frontier it is the row at the frontier. An unknown key gives the empty row. Nothing moves.
   *
   * @throws RollingWindowError `invalid-key` for what is no key, `invalid-clock` for what is no reading, `user-code` where
   * an aggregate of the user's throws, `engine-in-use` where one of its functions asks.
   */
  query(key: Key, now?: number): Row;
  /**
   * The rows of all keys that the engine knows: of each what `query` gives, for less than so many questions cost. A key is
   * known from its first event on, also while all its events are held, until its state is dropped; where it has nothing in
   * its windows its row is the empty one. They are in the order in which `emit: 'every'` gives them, and the caller's own.
   *
   * @throws RollingWindowError as `query` does.
   * @example
   * engine.restore(await readFile('sales.snapshot'));
   * for (const row of engine.queryAll()) show(row); // what did not change since does not leave again
   */
  queryAll(now?: number): Row[];
  /**
   * The state as bytes: all of it, or what changed (`delta`). The same calls give the same bytes.
   *
   * @throws SnapshotError `snapshot-unsupported-value` where the state of a `udaf` holds what is not plain.
   */
  snapshot(options?: SnapshotOptions): Uint8Array;
  /**
   * Takes over a base, or a base and the deltas after it, in order. The plan may differ in delays, limits, the frontier's
   * name and the order of measures; a measure may be new, or look back less far, where the events for it are kept.
   *
   * @throws SnapshotError for damaged, foreign and newer bytes, parts that do not follow each other, and for a plan under
   * which the state would mean something else; the engine stays as it was.
   */
  restore(snapshot: Uint8Array | readonly Uint8Array[], options?: RestoreOptions): void;
  /** The operator's now: epoch milliseconds, minus infinity before the first evaluation. */
  readonly frontier: number;
  /** Events at or before it are late. The smallest, where there is one per source. */
  readonly watermark: number;
  readonly position: Position;
  readonly stats: EngineStats;
}
