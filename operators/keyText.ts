/**
 * One text for the values of a composite key: as `JSON.stringify` of their list, and never equal for different keys.
 *
 * Beyond JSON, a bigint is written with its `n`, a date as `@` and its epoch milliseconds, NaN and the infinities by
 * name; a missing value is null, and -0 is 0.
 *
 * @example keyText('eu', 'x') // => '["eu","x"]'
 */
export function keyText(...values: readonly unknown[]): string {
  return `[${values.map(partText).join(',')}]`;
}

function partText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'bigint':
      return `${String(value)}n`;
    case 'object':
      return value instanceof Date ? `@${String(value.getTime())}` : 'null';
    case 'undefined':
      return 'null';
    default:
      return String(value);
  }
}
