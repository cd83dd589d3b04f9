import type { AnyMeasure } from './measures/measure.ts';
import type { Duration } from './time/duration.ts';
import type { TimeAdapter } from './time/timestamp.ts';

/** Something that takes values: of an observer, only `next` is ever called. */
export interface Listener<T> {
  next(value: T): void;
}

export type DropReason = 'late' | 'future' | 'invalid-time' | 'invalid-key' | 'invalid-value' | 'limit';

/** An event that did not count, and why. */
export interface Dropped<E> {
  readonly event: E;
  readonly reason: DropReason;
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
}

/** The configuration as the plan reads it, whatever the types of columns. */
export interface AnyEngineConfig extends EngineSettings<never> {
  readonly partitionBy: string | readonly string[];
  readonly orderBy: string;
  readonly frontierSpec?: { readonly delay?: Duration | undefined; readonly alias?: string | undefined } | undefined;
  readonly measures: readonly AnyMeasure[];
}
