import type { AnyAggregate, ValueKind } from '../aggregates/aggregate.ts';
import type { Typed } from './measure.ts';
import type { WindowSpec } from './windowSpec.ts';

/** What is computed of a row's place in its window, or of the rows beside it; `windowFunctions/windowFunction.ts` knows them. */
export interface AnyWindowFunction {
  readonly name: string;
}

/** What `windowFunctions` reads of a column; `WindowColumn` is its typed face. */
export interface AnyWindowColumn {
  /** The output column. */
  readonly name: string;
  /** The columns of the row that it reads, beside those of its window. */
  readonly columns: readonly string[];
  /** What the first of those columns may hold. */
  readonly kind: ValueKind;
  /** What the second may hold, where there is one. */
  readonly secondKind?: ValueKind | undefined;
  readonly window: WindowSpec;
  /** What is computed of the rows of the frame; absent where `compute` is there. */
  readonly aggregate?: AnyAggregate | undefined;
  readonly compute?: AnyWindowFunction | undefined;
  /** `.filter`: a row for which it is false is not there for this column. */
  readonly predicate: ((row: never) => boolean) | undefined;
}

/** A column over a window as the compiler sees it: which columns it reads, what they must hold, its name, and what stands in the row. */
export interface WindowColumn<Column extends string, Values, Name extends string, Out, W extends WindowSpec, Event = unknown> extends AnyWindowColumn, Typed<Values, Out> {
  readonly name: Name;
  readonly columns: readonly Column[];
  readonly window: W;
  readonly predicate: ((row: Event) => boolean) | undefined;
}

interface As<Column extends string, Values, Out, W extends WindowSpec, Event> {
  /** Names the output column. */
  as<const Name extends string>(name: Name): WindowColumn<Column, Values, Name, Out, W, Event>;
}

/** A column over its window, still to be named otherwise than by default. */
export interface FilteredWindowMeasure<Column extends string, Values, Name extends string, Out, W extends WindowSpec, Event = unknown>
  extends WindowColumn<Column, Values, Name, Out, W, Event>,
    As<Column, Values, Out, W, Event> {}

/** A measure over a window: a column of `windowFunctions`. */
export interface WindowMeasure<Column extends string, Values, Name extends string, Out, W extends WindowSpec, Event = unknown>
  extends WindowColumn<Column, Values, Name, Out, W>,
    As<Column, Values, Out, W, unknown> {
  /** Counts only rows for which the predicate is true. It runs once per row. */
  filter<E = Event>(predicate: (row: E) => boolean): FilteredWindowMeasure<Column, Values, Name, Out, W, E>;
}
