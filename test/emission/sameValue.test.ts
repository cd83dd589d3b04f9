import { describe, expect, test } from 'vitest';
import { copied, sameValue } from '../../src/emission/sameValue.ts';

class Money {
  readonly cents = 5;
}
const withProto = JSON.parse('{"__proto__": {"a": 1}, "b": 2}') as object;
const money = new Money();
const cases = (): readonly unknown[] => [
  1, 2, NaN, 0, '1', '', 1n, true, null, undefined, new Date(5), new Date(6), new Date(NaN), [], [1], [1, 2], [[1], { a: NaN }], [undefined], [null],
  {}, { a: 1 }, { a: 2 }, { b: 1 }, { a: 1, b: 2 }, { a: undefined }, { a: [new Date(5)] }, { a: 5 }, withProto, money, Symbol.iterator,
];

describe('sameValue', () => {
  test('is true for the same values and no others, by content', () => {
    cases().forEach((a, i) => cases().forEach((b, j) => expect(sameValue(a, b), `${i} and ${j}`).toBe(i === j)));
  });

  test('0 is -0, the order of properties says nothing, a missing property is not one that is undefined', () => {
    expect(sameValue([0], [-0])).toBe(true);
    expect(sameValue({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
    expect(sameValue({ a: undefined }, { b: undefined })).toBe(false);
    expect(sameValue({ toString: undefined }, { a: undefined })).toBe(false);
  });

  test('without a prototype an object is plain; of a class, or other than a list, it is itself only', () => {
    expect(sameValue(Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 })).toBe(true);
    expect(sameValue(new Money(), new Money())).toBe(false);
    expect(sameValue([], {})).toBe(false);
    expect(sameValue(new Map(), new Map())).toBe(false);
    expect(sameValue(new Date(5), 5)).toBe(false);
  });
});

describe('copied', () => {
  test('is the same value and shares nothing that can be changed', () => {
    for (const value of cases()) expect(sameValue(copied(value), value)).toBe(true);
    const date = new Date(5), list = [date], given = { list };
    const copy = copied(given) as typeof given;
    date.setTime(9);
    list.push(date);
    expect(copy).toEqual({ list: [new Date(5)] });
  });

  test('a property called __proto__ stays a property', () => {
    const copy = copied(withProto) as object;
    expect([Object.keys(copy), Object.getPrototypeOf(copy)]).toEqual([['__proto__', 'b'], Object.prototype]);
  });

  test('what is not plain stays what it is', () => {
    expect(copied(money)).toBe(money);
  });
});
