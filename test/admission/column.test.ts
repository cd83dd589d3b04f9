import { describe, expect, test } from 'vitest';
import { Column, type ValueKind } from '../../src/admission/column.ts';

const values = { number: NaN, bigint: 1n, string: '', boolean: false, date: new Date(0), object: {}, list: [1], function: () => 1, symbol: Symbol('s'), invalid: new Date(NaN) };
const accepts = (column: Column): string[] => Object.entries(values).flatMap(([name, value]) => (column.accepts(value) ? name : []));
const open = (...kinds: ValueKind[]): Column => new Column('v', kinds);

describe('Column', () => {
  test.each([
    [['any'], ['number', 'bigint', 'string', 'boolean', 'date', 'object', 'list', 'function', 'symbol']],
    [['key'], ['number', 'bigint', 'string', 'boolean', 'date']],
    [['orderable'], ['number', 'bigint', 'string', 'boolean', 'date']],
    [['numeric'], ['number', 'bigint']],
    [['number'], ['number']],
    [['any', 'numeric'], ['number', 'bigint']], // what suits all measures
    [['orderable', 'number'], ['number']],
    [[], ['number', 'bigint', 'string', 'boolean', 'date', 'object', 'list', 'function', 'symbol']],
  ] as const)('for %o it takes %o', (kinds, names) => {
    expect(accepts(open(...kinds))).toEqual(names);
  });

  test.each([['number', 2.5], ['bigint', 2n], ['string', 'x'], ['boolean', true], ['date', new Date(3)]] as const)('keeps to %s once that counted', (type, first) => {
    const column = open('orderable');
    expect(column.isOpen).toBe(true);
    expect(column.settles(first)).toBe(true);
    expect([column.type, column.isOpen, column.expected]).toEqual([type, false, type]);
    expect(accepts(column)).toEqual([type]);
    expect(column.settles(first === true ? 1 : true)).toBe(false);
    expect(column.type).toBe(type);
  });

  test.each([[['any']], [['key']], [['number']], [[]]] as const)('need not keep to a type where measures ask for %o', (kinds) => {
    const column = open(...kinds);
    expect([column.isOpen, column.settles(1), column.type]).toEqual([false, false, undefined]);
  });

  test('says what it takes', () => {
    expect([open('numeric').expected, open('key').expected]).toEqual(['number, bigint', 'number, bigint, string, boolean, date']);
  });
});
