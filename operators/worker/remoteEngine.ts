import type { EngineStats, Position, RestoreOptions, SnapshotOptions } from '../../src/index.ts';
import type { RollingBatch } from '../rollingBatches.ts';
import type { Asker, Connection } from './connection.ts';
import type { AnswerTo, Call } from './messages.ts';

/** An engine that lives in a worker: its calls, with promises where something comes back. */
export interface EngineProxy<E, Row, Key> {
  /** How many events were dropped on this side, since too many were on their way: `limits` with `onLimit: 'drop-new'`. */
  readonly dropped: number;
  /**
   * Takes in one event that arrived at clock reading `now`, in epoch milliseconds. Its columns are written into a buffer,
   * which leaves with the next call, or when it is full; so nothing is known of it yet.
   *
   * What the engine throws at it, where the configuration asks for that, is what the next call rejects with; events
   * pushed between are not in.
   *
   * @throws RollingWindowError `invalid-value` for a value that can't be sent to a worker, such as a function;
   * `limit-exceeded` where more are on their way than `limits` allow; `worker-lost` after the end.
   */
  push(event: E, now: number): void;
  /** Takes in a batch that arrived at one clock reading: `push` for each. */
  pushAll(events: Iterable<E>, now: number): void;
  /** Moves the engine to the reading, and gives the rows that changed, the keys that were dropped, frontier and watermark. */
  advance(now: number): Promise<RollingBatch<Row, Key>>;
  /** The key's row as of a reading, the last one by default; events pushed before count. */
  query(key: Key, now?: number): Promise<Row>;
  /**
   * The rows of all keys as of a reading, the last one by default, as `query` would give them one by one: one message, in
   * which they cross as the rows of an evaluation do. Events pushed before count.
   *
   * @example show(await proxy.queryAll()); // once, after a restore: `throughWorker` gives the rows that change
   */
  queryAll(now?: number): Promise<Row[]>;
  /** The clock reading at which a row could change without new events; `undefined` where nothing is due. */
  nextBoundary(key?: Key): Promise<number | undefined>;
  /** The state as bytes, all events pushed before in it. They are transferred, not copied. */
  snapshot(options?: SnapshotOptions): Promise<Uint8Array>;
  /** Takes over a snapshot, or a base and its deltas. Rejects with a `SnapshotError`, and the engine is as it was. */
  restore(snapshot: Uint8Array | readonly Uint8Array[], options?: RestoreOptions): Promise<void>;
  stats(): Promise<EngineStats>;
  position(): Promise<Position>;
  /** Sets the engine free for another page. What has not been answered rejects with `worker-lost`. The worker runs on. */
  close(): void;
}

/** The calls of an engine, sent through a connection. */
export class RemoteEngine<E, Row, Key> implements EngineProxy<E, Row, Key> {
  readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  get dropped(): number {
    return this.connection.onTheirWay?.dropped ?? 0;
  }

  push(event: E, now: number): void {
    this.connection.push(event, now);
  }

  pushAll(events: Iterable<E>, now: number): void {
    this.connection.pushAll(events, now);
  }

  /** `advance` for whoever needs no promise. */
  evaluate(now: number, asker: Asker<RollingBatch<Row, Key>>): void {
    this.connection.evaluate(now, asker);
  }

  advance(now: number): Promise<RollingBatch<Row, Key>> {
    return new Promise((answered, failed) => this.evaluate(now, { answered, failed }));
  }

  query(key: Key, now?: number): Promise<Row> {
    return this.ask({ name: 'query', key, now }) as Promise<Row>;
  }

  queryAll(now?: number): Promise<Row[]> {
    return this.ask({ name: 'queryAll', now }).then(({ rows }) => rows as Row[]);
  }

  nextBoundary(key?: Key): Promise<number | undefined> {
    return this.ask({ name: 'nextBoundary', key });
  }

  snapshot(options?: SnapshotOptions): Promise<Uint8Array> {
    return this.ask({ name: 'snapshot', options });
  }

  restore(parts: Uint8Array | readonly Uint8Array[], options?: RestoreOptions): Promise<void> {
    return this.ask({ name: 'restore', parts, options });
  }

  stats(): Promise<EngineStats> {
    return this.ask({ name: 'stats' });
  }

  position(): Promise<Position> {
    return this.ask({ name: 'position' });
  }

  close(): void {
    this.connection.close();
  }

  private ask<C extends Call>(call: C): Promise<AnswerTo<C>> {
    return new Promise((answered, failed) => this.connection.ask(call, { answered, failed }));
  }
}
