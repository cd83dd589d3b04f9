/** What `JSON.stringify` keeps of a value. */
export type JsonValue<T> = T extends bigint | Date
  ? string
  : T extends number
    ? number | 'NaN' | 'Infinity' | '-Infinity'
    : T extends readonly (infer Element)[]
      ? JsonValue<Element>[]
      : T;

/** A row whose values survive `JSON.stringify`. */
export type JsonRow<Row> = { [Column in keyof Row]: JsonValue<Row[Column]> };

/**
 * A copy of a row for `JSON.stringify`, which throws on a bigint and turns NaN and the infinities into null.
 *
 * Those become text, and dates their ISO text (`'Invalid Date'` where they are none), also inside lists and plain
 * objects. Everything else is as it was.
 *
 * @example JSON.stringify(jsonRow({ id: 7n, avg: NaN })) // => {"id":"7","avg":"NaN"}
 */
export function jsonRow<Row extends object>(row: Row): JsonRow<Row> {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, jsonValue(value)])) as JsonRow<Row>;
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (Array.isArray(value)) return value.map(jsonValue);
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? jsonRow(value) : value;
}
