import type { AnyAggregate, ValueKind } from '../aggregates/aggregate.ts';
import type { Frame } from './frames.ts';

/** What the engine reads of a measure; the typed faces of it are in rowType.ts. */
export interface AnyMeasure {
  /** The output column. */
  readonly name: string;
  /** The columns of the event that it reads: none for `count(*)`. */
  readonly columns: readonly string[];
  /** What those columns may hold. */
  readonly kind: ValueKind;
  readonly aggregate: AnyAggregate;
  /** Absent: every event since the stream started. */
  readonly frame: Frame | undefined;
  /** `.filter`: an event for which it is false is not there for this measure. */
  readonly predicate: ((event: never) => boolean) | undefined;
}
