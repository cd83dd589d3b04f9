import type { Orderable } from '../aggregates/order.ts';
import type { ColumnHolding, KeyValue, Shown } from '../measures/columns.ts';
import type { AnswerOf } from '../measures/measure.ts';
import type { Answer, CheckedMeasures } from '../measures/rowType.ts';
import type { AnyWindowColumn } from '../measures/windowMeasure.ts';
import type { WindowSpec } from '../measures/windowSpec.ts';

/** Whether rows without a value are not there for a function. */
export interface NullsIgnored {
  readonly ignoreNulls?: boolean | undefined;
}

/** The columns that `windowFunctions` adds, checked against the rows. */
export interface WindowConfig<E, Columns extends readonly AnyWindowColumn[]> {
  readonly columns: Columns & CheckedMeasures<E, Columns, keyof E, 'a column of the row'> & CheckedWindows<E, Columns>;
}

/** A row: its own columns, then the new ones. A row that is asked for never decides what its parts are. */
export type WindowRow<E, Columns extends readonly AnyWindowColumn[]> = E extends unknown
  ? Shown<E & { [C in Columns[number] as C['name']]: WindowAnswer<E, C> }>
  : never;

type WindowAnswer<E, C extends AnyWindowColumn> = [AnswerOf<C>] extends [OffsetAnswer<infer Default>]
  ? OrNull<ValueOf<E, C['columns'][number]> | Default>
  : Answer<E, C>;

type ValueOf<E, Column> = Column extends keyof E ? E[Column] : never;

/** What may be missing stands as null in rows. */
type OrNull<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** A window that fits the rows: its columns are among those that hold keys, what has an order, differences, times. */
export interface WindowOf<Keys, Ordered, Amounts, Times> {
  readonly window: WindowFitting<Keys, Ordered, Amounts, Times>;
}

/** The parts of a window that name columns. */
export interface WindowFitting<Keys, Ordered, Amounts, Times> {
  readonly partitionColumns: readonly Keys[];
  readonly order: readonly { readonly column: Ordered }[];
  readonly rangeColumn: Amounts | undefined;
  readonly timeColumn: Times | undefined;
}

type CheckedWindows<E, Columns> = {
  readonly [Place in keyof Columns]: Columns[Place] extends { readonly window: WindowSpec }
    ? WindowOf<ColumnHolding<E, KeyValue>, ColumnHolding<E, Orderable>, ColumnHolding<E, number | bigint | Date>, ColumnHolding<E, number | Date>>
    : unknown;
};

/** Stands for: the column's own type, or that of the default. */
export interface OffsetAnswer<Default> {
  readonly of: 'offset';
  readonly otherwise: Default;
}

/** What a column must hold so that a default is of its type. */
export type ValuesLike<Default> = Default extends number ? number : Default extends string ? string : Default extends bigint ? bigint : Default extends boolean ? boolean : Default extends Date ? Date : unknown;

/** The default name of `lag` and `lead`. */
export type OffsetName<Name extends string, Column extends string, Offset extends number> = Offset extends 1 ? `${Name}(${Column})` : `${Name}(${Column}, ${Offset})`;
