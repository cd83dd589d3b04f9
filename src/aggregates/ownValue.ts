/** A value as it may stand in a row: a date that nobody else can change, and never -0. */
export function ownValue<T>(value: T): T {
  if (value instanceof Date) return new Date(value.getTime()) as T;
  return value === 0 ? (0 as T) : value;
}
