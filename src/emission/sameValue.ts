/** Whether two answers are one value: SameValueZero, dates by epoch, arrays and plain objects by content. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b || (a !== a && b !== b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Date) return b instanceof Date && sameValue(a.getTime(), b.getTime());
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  if (!isPlain(a) || !isPlain(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && sameValue(a[name], b[name]));
}

/** A copy that shares nothing a subscriber could change. What is not plain stays what it is. */
export function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return new Date(value);
  if (Array.isArray(value)) return value.map(copied);
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copied(part)])) : value;
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === Object.prototype || prototype === null;
}
