/** One column of a partition key, as it is kept: null for what is missing, 0 for -0, a `Date` of its own. */
export type KeyPart = string | number | bigint | boolean | null | Date;

/** What can't be a part of a key. */
export const INVALID_KEY: unique symbol = Symbol('invalid key');

/** The part of a key that a column's value stands for. */
export function keyPart(value: unknown): KeyPart | typeof INVALID_KEY {
  switch (typeof value) {
    case 'string':
    case 'bigint':
    case 'boolean':
      return value;
    case 'number':
      return value + 0; // -0 becomes 0
    case 'undefined':
      return null;
    default:
      if (value === null) return null;
      // A copy: whoever made the event may move its date later.
      return value instanceof Date && !Number.isNaN(value.getTime()) ? new Date(value) : INVALID_KEY;
  }
}

/** The parts of the key that some columns make; `undefined` where one of them holds what can't be a part. */
export function keyParts(row: Readonly<Record<string, unknown>>, columns: readonly string[]): KeyPart[] | undefined {
  const parts: KeyPart[] = [];
  for (const name of columns) {
    const part = keyPart(row[name]);
    if (part === INVALID_KEY) return undefined;
    parts.push(part);
  }
  return parts;
}

/** The part as a row shows it: dates are copied again, since a subscriber may move them. */
export function shownPart(part: KeyPart): KeyPart {
  return part instanceof Date ? new Date(part) : part;
}

/**
 * What a `Map` finds a part by. A `Map` compares primitives just as keys compare (SameValueZero, types apart), but
 * dates by identity: a date becomes a text that no other part can become.
 */
export function indexOf(part: KeyPart): string | number | bigint | boolean | null {
  if (typeof part === 'string') return part.charCodeAt(0) === 0 ? `\0s${part}` : part;
  return part instanceof Date ? `\0d${String(part.getTime())}` : part;
}
