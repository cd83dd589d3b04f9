import type { Offset, Partition } from './checkpoint/part.ts';
import type { ColumnHolding, KeyValue, NamesIn } from './measures/columns.ts';
import type { AnyMeasure } from './measures/measure.ts';
import type { CheckedMeasures } from './measures/rowType.ts';
import type { Duration } from './time/duration.ts';
import type { TimeAdapter } from './time/timestamp.ts';

/** Something that takes values: of an observer, only `next` is ever called. */
export interface Listener<T> {
  next(value: T): void;
}

export type DropReason = 'late' | 'future' | 'invalid-time' | 'invalid-key' | 'invalid-value' | 'limit';

/** An event that did not count, and why. */
export interface Dropped<E, Reason extends string = DropReason> {
  readonly event: E;
  readonly reason: Reason;
  /** Epoch milliseconds; NaN where the event has no valid time. */
  readonly eventTime: number;
  /** The watermark that the event was judged by. Minus infinity where there is none. */
  readonly watermark: number;
  /** By how many milliseconds it came too late; 0 for the other reasons. */
  readonly lateBy: number;
}

export interface Limits {
  readonly maxKeys?: number | undefined;
  readonly maxEvents?: number | undefined;
  /** A key without events for this long, on the clock, is dropped at the next evaluation. */
  readonly keyTtl?: Duration | undefined;
  /** Default `'error'`. */
  readonly onLimit?: 'error' | 'evict-idle' | 'drop-new' | undefined;
}

/** The part of the configuration that does not depend on the columns of the event. */
export interface EngineSettings<E> {
  /** How late an event may be: by its time against the largest event time seen. Default: every event counts. */
  readonly watermark?: Duration | { readonly delay: Duration; readonly by?: (keyof E & string) | undefined } | undefined;
  /** How times are read and the frontier is written. Default: numbers are epoch milliseconds, and `Date`. */
  readonly time?: TimeAdapter | undefined;
  /** `'right'`: `F - R < t <= F`, the default. `'both'`: `F - R <= t <= F`, as SQL's RANGE. */
  readonly closed?: 'right' | 'both' | undefined;
  readonly emit?: 'changed' | 'every' | 'none' | undefined;
  /** How far an event may be ahead of its arrival. Default 5 minutes; `false` turns the guard off. */
  readonly maxFutureSkew?: Duration | false | undefined;
  readonly onFuture?: 'hold' | 'drop' | 'error' | undefined;
  readonly onInvalid?: 'drop' | 'error' | undefined;
  readonly limits?: Limits | undefined;
  readonly dropped?: Listener<Dropped<E>> | undefined;
  /**
   * Where the event stands in its source: a partition, and in it an offset. The last one of each partition, dropped events
   * included, is in `engine.position` and travels in snapshots, so that the source can go on after it.
   */
  readonly position?: ((event: E) => readonly [partition: Partition, offset: Offset]) | undefined;
}

/** Times that are read without an adapter: epoch milliseconds, and dates. */
export type PlainTime = number | Date;

export interface FrontierSpec<Alias extends string> {
  /** How far the frontier stays behind the clock. Default 0. */
  readonly delay?: Duration | undefined;
  /** The frontier's column in rows. Default `'__frontier'`. */
  readonly alias?: Alias | undefined;
}

/**
 * What the engine is configured with, checked against the event: `partitionBy` and `orderBy` name columns that hold keys
 * and times, measures name columns that hold what they take, and output names differ.
 */
export interface EngineConfig<
  E,
  PartitionBy extends ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[],
  Measures extends readonly AnyMeasure[],
  Alias extends string = '__frontier',
  Time = PlainTime,
  Frontier = number,
> extends EngineSettings<NoInfer<E>> {
  /** The key column, or the list of them; `[]` is one group of all events. */
  readonly partitionBy: PartitionBy;
  /** The column of the event time: epoch milliseconds or dates, or what the adapter in `time` reads. */
  readonly orderBy: ColumnHolding<E, NoInfer<Time>>;
  readonly frontierSpec?: FrontierSpec<Alias> | undefined;
  /** How times are read and the frontier is written. Default: numbers are epoch milliseconds, and `Date`. */
  readonly time?: TimeAdapter<Time, Frontier> | undefined;
  readonly measures: Measures & CheckedMeasures<E, Measures, NoInfer<Alias> | NamesIn<PartitionBy>>;
}

/** The configuration as the plan reads it, whatever the types of columns. */
export interface AnyEngineConfig extends EngineSettings<never> {
  readonly partitionBy: string | readonly string[];
  readonly orderBy: string;
  readonly frontierSpec?: { readonly delay?: Duration | undefined; readonly alias?: string | undefined } | undefined;
  readonly measures: readonly AnyMeasure[];
}
