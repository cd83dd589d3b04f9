import type { AnyAggregate, ValueKind } from '../aggregates/aggregate.ts';
import type { Frame } from './frames.ts';

/** What the engine reads of a measure; `Measure` is its typed face. */
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

/** Only there for the compiler: no measure has it at run time. */
declare const types: unique symbol;

/** A measure as the compiler sees it: which columns it reads, what they must hold, its name, and what stands in the row. */
export interface Measure<Column extends string, Values, Name extends string, Out, Event = unknown> extends AnyMeasure {
  readonly name: Name;
  readonly columns: readonly Column[];
  readonly predicate: ((event: Event) => boolean) | undefined;
  readonly [types]: { readonly values: Values; readonly out: Out };
}

/** What a measure must find in its columns. */
export type ValuesOf<M> = M extends { readonly [types]: { readonly values: infer Values } } ? Values : unknown;

/** What a measure leaves in the row, where that does not depend on the column; else `SumOfColumn` or `OfColumn`. */
export type AnswerOf<M> = M extends { readonly [types]: { readonly out: infer Out } } ? Out : unknown;

/** Stands for: the column's own type, or null. */
export interface OfColumn {
  readonly of: 'column';
}

/** Stands for: `number | null` of a number column, `bigint | null` of a bigint column. */
export interface SumOfColumn {
  readonly of: 'sum';
}
