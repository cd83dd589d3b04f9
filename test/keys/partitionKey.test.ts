import { describe, expect, test } from 'vitest';
import { indexOf, INVALID_KEY, keyPart, shownPart } from '../../src/keys/partitionKey.ts';

describe('partition keys', () => {
  test.each([['a', 'a'], [1, 1], [-0, 0], [NaN, NaN], [5n, 5n], [false, false], [null, null], [undefined, null]])('%o is kept as %o', (value, part) => {
    expect(keyPart(value)).toBe(part);
  });

  test.each([[{}], [[]], [() => 1], [Symbol('s')], [new Date(NaN)], [Object('boxed')]])('%o is no key', (value) => {
    expect(keyPart(value)).toBe(INVALID_KEY);
  });

  test('a date is kept, and shown, as a date of its own', () => {
    const given = new Date(5), kept = keyPart(given) as Date, shown = shownPart(kept) as Date;
    expect([kept, shown]).toEqual([given, given]);
    expect(kept).not.toBe(given);
    expect(shown).not.toBe(kept);
  });

  test('no two parts have one index', () => {
    const parts = ['', 'd5', '\0', '\0d5', '\0s', '\0s\0d5', '5', 5, 5n, true, 'true', null, 'null', new Date(5), new Date(6), '\0d6'];
    expect(new Set(parts.map(indexOf)).size).toBe(parts.length);
    expect(indexOf(new Date(5))).toBe(indexOf(new Date(5)));
  });
});
