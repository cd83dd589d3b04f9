import type { AnyAggregate, ValueKind } from '../aggregates/aggregate.ts';
import type { Frame } from './frames.ts';

/** What the engine reads of a measure; `Measure` is its typed face. */
export interface AnyMeasure {
  /** The output column. */
  readonly name: string;
  /** The columns of the event that it reads: none for `count(*)`. */
  readonly columns: readonly string[];
  /** What the first of those columns may hold. */
  readonly kind: ValueKind;
  /** What the second may hold, where there is one. */
  readonly secondKind?: ValueKind | undefined;
  readonly aggregate: AnyAggregate;
  /** Absent: every event since the stream started. */
  readonly frame: Frame | undefined;
  /** `.filter`: an event for which it is false is not there for this measure. */
  readonly predicate: ((event: never) => boolean) | undefined;
}

/** Only there for the compiler: no measure has it at run time. */
declare const types: unique symbol;

/** What the compiler knows beside what is there: what the columns must hold, and what stands in the row. */
export interface Typed<Values, Out> {
  readonly [types]: { readonly values: Values; readonly out: Out };
}

/** A measure as the compiler sees it: which columns it reads, what they must hold, its name, and what stands in the row. */
export interface Measure<Column extends string, Values, Name extends string, Out, Event = unknown> extends AnyMeasure, Typed<Values, Out> {
  readonly name: Name;
  readonly columns: readonly Column[];
  readonly predicate: ((event: Event) => boolean) | undefined;
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

/** Stands for: a list of the column's own type. */
export interface ListOfColumn {
  readonly of: 'list';
}

/** Stands for: a list of values of the column's own type, each with a count. */
export interface CountsOfColumn {
  readonly of: 'counts';
}

/** Stands for: the type of one of the measure's two columns, or null. */
export interface OfNamedColumn<Column extends string> {
  readonly of: 'named';
  readonly column: Column;
}

/** Only there for the compiler, as well. */
declare const orderedBy: unique symbol;

/** What a measure of two columns must find: any value in the first, and in the second, `By`, what has an order. */
export interface OrderedBy<By extends string> {
  readonly [orderedBy]: By;
}
