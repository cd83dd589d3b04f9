import { expect, test } from 'vitest';
import { jsonRow } from '../../operators/index.ts';

test('turns into text what JSON can not keep, and leaves the rest', () => {
  class Custom {
    value = NaN;
  }
  const row = {
    id: 7n,
    nan: NaN,
    up: Infinity,
    down: -Infinity,
    at: new Date(0),
    never: new Date(NaN),
    list: [NaN, 1, [2n]],
    entry: { value: 3n, count: 1 },
    bare: Object.assign(Object.create(null) as object, { value: 4n }),
    custom: new Custom(),
    n: 1.5,
    text: 'x',
    yes: true,
    none: null,
  };
  const json = jsonRow(row);

  expect(json).toEqual({
    id: '7',
    nan: 'NaN',
    up: 'Infinity',
    down: '-Infinity',
    at: '1970-01-01T00:00:00.000Z',
    never: 'Invalid Date',
    list: ['NaN', 1, ['2']],
    entry: { value: '3', count: 1 },
    bare: { value: '4' },
    custom: row.custom,
    n: 1.5,
    text: 'x',
    yes: true,
    none: null,
  });
  expect(json.custom).toBe(row.custom);
  expect(row.id).toBe(7n);
  expect(JSON.stringify(jsonRow({ id: 7n, avg: NaN }))).toBe('{"id":"7","avg":"NaN"}');
});
