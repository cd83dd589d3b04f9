/**
 * A copy of what a snapshot can hold, sharing nothing with the original: numbers, text, booleans, bigints, null, dates,
 * arrays and plain objects.
 *
 * @throws TypeError for anything else.
 */
export function plainCopy(value: unknown): unknown {
  if (value === null || ['number', 'string', 'boolean', 'bigint'].includes(typeof value)) return value;
  if (value instanceof Date) return new Date(value.getTime());
  if (Array.isArray(value)) return value.map(plainCopy);
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  if (prototype === null || prototype === Object.prototype) {
    return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, plainCopy(part)]));
  }
  throw new TypeError(`a snapshot can't hold ${Object.prototype.toString.call(value)}: encode the state as plain values`);
}
