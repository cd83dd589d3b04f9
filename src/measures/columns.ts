/** Columns of an event by what they hold; missing and null values are allowed everywhere. Types only. */

/** The columns that all events have. */
export type ColumnOf<Event> = keyof Event & string;

/**
 * The columns that hold such values. The condition on `Event`, which always holds, spreads over unions, and lets the
 * compiler look through a type parameter to its constraint, so that generic functions can name columns, too. `keyof` is
 * outermost, or messages would show the name of this type instead of the columns; and `| 0`, which no column is called,
 * makes a union of its own, or they would show `keyof Sale` where every column qualifies.
 */
export type ColumnHolding<Event, Values> = keyof (Event extends unknown
  ? HintWithoutColumns<Event> & {
      [Column in keyof Event | 0 as Column extends keyof Event & string ? (Event[Column] extends Values | null | undefined ? Column : never) : never]: Column;
    }
  : never);

/** What the compiler shows where it knows of no event, as for an operator made outside of a pipe. */
type HintWithoutColumns<Event> = [keyof Event] extends [never] ? { 'no columns are known here: outside of a pipe use rollingWindowOf<Event>(), createKeyedState<Event>(), createDeduplicator<Event>() or createLiveTable<Row>()': never } : unknown;

/** What can be a partition key. */
export type KeyValue = string | number | bigint | boolean | Date;

/** The names in `partitionBy`, which is one column or a list. */
export type NamesIn<PartitionBy> = PartitionBy extends readonly (infer Column)[] ? Column : PartitionBy;

/** A partition column as it stands in rows and keys: what may be missing is null. */
export type KeyColumn<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** A type whose parts are shown, not the operations that made it. */
export type Shown<T> = { [Key in keyof T]: T[Key] } & {};
