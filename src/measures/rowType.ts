import type { Orderable } from '../aggregates/order.ts';
import type { ColumnHolding, KeyColumn, NamesIn, Shown } from './columns.ts';
import type { AnswerOf, AnyMeasure, CountsOfColumn, ListOfColumn, OfColumn, OfNamedColumn, OrderedBy, SumOfColumn, ValuesOf } from './measure.ts';

/** What leaves a column in the row. */
interface OutputColumn {
  readonly name: string;
  readonly columns: readonly string[];
}

/** What a row may hold for a measure: its answer, or what the column makes of it. */
export type Answer<Event, M extends OutputColumn> = [AnswerOf<M>] extends [OfNamedColumn<infer Column>]
  ? Resolved<OfColumn, ColumnValue<Event, Column>>
  : Resolved<AnswerOf<M>, ColumnValue<Event, M['columns'][number]>>;

type Resolved<Out, Value> = [Out] extends [OfColumn]
  ? Exclude<Value, null | undefined> | null
  : [Out] extends [SumOfColumn]
    ? SumOf<Value> | null
    : [Out] extends [ListOfColumn]
      ? Exclude<Value, null | undefined>[]
      : [Out] extends [CountsOfColumn]
        ? { value: Exclude<Value, null | undefined>; count: number }[]
        : Out;

type ColumnValue<Event, Column> = Column extends keyof Event ? Event[Column] : never;

type SumOf<Value> = 0 extends 1 & Value ? number : (number extends Widened<Value> ? number : never) | (bigint extends Widened<Value> ? bigint : never);

type Widened<Value> = Value extends number ? number : Value extends bigint ? bigint : never;

/** A row: the partition columns, the frontier, the measures. A row that is asked for never decides what its parts are. */
export type RollingRow<Event, PartitionBy, Measures extends readonly AnyMeasure[], Alias extends string = '__frontier', Frontier = number> = Shown<
  KeyColumns<Event, PartitionBy> & Record<NoInfer<Alias>, NoInfer<Frontier>> & { [M in Measures[number] as M['name']]: Answer<Event, M> }
>;

/** The partition columns alone: what `query` is asked for, and what `removed` lists. */
export type KeyOf<Event, PartitionBy> = Shown<KeyColumns<Event, PartitionBy>>;

type KeyColumns<Event, PartitionBy> = { [Column in NamesIn<PartitionBy> & keyof Event]: KeyColumn<Event[Column]> };

/** A measure that fits the events: its columns are among those that hold what it takes, and its filter takes the event. */
export interface MeasureOf<Event, Values, Column> {
  readonly columns: readonly Column[];
  readonly predicate: ((event: NoInfer<Event>) => boolean) | undefined;
  /** Names what the columns must hold where the compiler prints this type. */
  readonly values?: Values;
}

/** What is wrong with an output column; its parameters are what the compiler prints. */
export interface MeasureError<Problem extends string, Remedy extends string> {
  readonly problem: Problem;
  readonly remedy: Remedy;
}

/** The measures as they should be, so that what is wrong is shown at its own place in the list. */
export type CheckedMeasures<Event, Measures extends readonly OutputColumn[], Taken, Owner extends string = 'a partition column or the frontier', Places = PlacesByName<Measures>> = {
  readonly [Place in keyof Measures]: CheckedMeasure<Event, Measures[Place]> & CheckedName<Measures[Place], Place, Places, Taken, Owner>;
};

type CheckedMeasure<Event, M> = M extends unknown
  ? [ValuesOf<M>] extends [OrderedBy<infer By>]
    ? MeasureOf<Event, Orderable, ColumnHolding<Event, Orderable> | Exclude<ColumnHolding<Event, unknown>, By>>
    : MeasureOf<Event, ValuesOf<M>, ColumnHolding<Event, ValuesOf<M>>>
  : never;

/** Each output name with the places that have it. One pass: comparing pairs would cost the compiler the square. */
type PlacesByName<Measures extends readonly OutputColumn[]> = {
  [Place in keyof Measures & `${number}` as Measures[Place] extends OutputColumn ? Measures[Place]['name'] : never]: Place;
};

/** Names known only at run time are left to the run time. */
type CheckedName<M, Place, Places, Taken, Owner extends string> = M extends { readonly name: infer Name extends string }
  ? string extends Taken | Name
    ? unknown
    : Name extends Taken
      ? MeasureError<`'${Name}' is ${Owner} already`, 'rename with .as()'>
      : Name extends keyof Places
        ? [Places[Name]] extends [Place]
          ? unknown
          : MeasureError<`two measures are named '${Name}'`, 'rename one with .as()'>
        : unknown
  : unknown;
