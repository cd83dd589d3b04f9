import { describe, expect, test } from 'vitest';
import { RowBuilder } from '../../src/emission/row.ts';
import { KeyTable } from '../../src/keys/keyTable.ts';
import type { KeyPart } from '../../src/keys/partitionKey.ts';
import { MISSING } from '../../src/windows/eventStore.ts';

function rowOf(key: Record<string, KeyPart>, answers: Record<string, number>): Record<string, unknown> {
  const keys = new KeyTable(Object.keys(key).length);
  const slot = keys.add(Object.values(key));
  return new RowBuilder(keys, Object.keys(key), 'F', Object.keys(answers)).build(slot, 7, Float64Array.of(9, ...Object.values(answers)), 1);
}

describe('RowBuilder', () => {
  test.each([0, 1, 2, 3, 5])('with %i key columns: these, the frontier, then measures in order', (width) => {
    const key = Object.fromEntries(Array.from({ length: width }, (_, c) => [`key ${c}`, c]));
    const row = rowOf(key, { n: 1, m: 2 });
    expect(Object.entries(row)).toEqual([...Object.entries(key), ['F', 7], ['n', 1], ['m', 2]]);
  });

  test.each([0, 1, 15, 16, 17, 40])('with %i measures', (count) => {
    const answers = Object.fromEntries(Array.from({ length: count }, (_, i) => [`measure ${i}`, i * 10]));
    expect(Object.entries(rowOf({ k: 'a' }, answers))).toEqual([['k', 'a'], ['F', 7], ...Object.entries(answers)]);
  });

  test('is a plain object', () => {
    const row = rowOf({ constructor: 'a' }, { toString: 1, hasOwnProperty: 2 });
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
    expect(row).toEqual({ constructor: 'a', F: 7, toString: 1, hasOwnProperty: 2 });
    expect(Object.keys(row)).toEqual(['constructor', 'F', 'toString', 'hasOwnProperty']);
    expect(structuredClone(row)).toEqual(row);
  });

  test('null stands for what is missing, and nothing else', () => {
    expect(rowOf({ k: null }, { a: MISSING, b: 0, c: NaN, d: -1 })).toEqual({ k: null, F: 7, a: null, b: 0, c: NaN, d: -1 });
  });

  test('a date in the key is a new one in each row', () => {
    const keys = new KeyTable(3), date = new Date(5);
    const slot = keys.add([date, date, date]);
    const builder = new RowBuilder(keys, ['a', 'b', 'c'], 'F', []);
    const [first, second] = [builder.build(slot, 1, new Float64Array(0), 0), builder.build(slot, 1, new Float64Array(0), 0)];
    for (const column of ['a', 'b', 'c']) {
      expect(first[column]).toEqual(date);
      (first[column] as Date).setTime(99);
      expect(second[column]).toEqual(new Date(5));
    }
    expect(date).toEqual(new Date(5));
  });
});
