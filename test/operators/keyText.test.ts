import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyText } from '../../operators/index.ts';

test('is the JSON text of the list where JSON has a text', () => {
  const values = ['a"b', '', '\ud800', 1.5, true, null];
  expect(keyText(...values)).toBe(JSON.stringify(values));
});

test('differs where keys differ, by value or by type', () => {
  const part = fc.oneof(fc.string(), fc.constantFrom('@1', '1n', 'NaN', 'null', '1'), fc.double(), fc.integer({ max: 2 }), fc.bigInt({ max: 2n }), fc.boolean(), fc.constant(null), fc.date({ noInvalidDate: true }));
  const key = fc.array(part, { maxLength: 3 });
  const same = (a: unknown, b: unknown): boolean =>
    a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b || (Number.isNaN(a) && Number.isNaN(b));
  fc.assert(
    fc.property(key, key, (a, b) => {
      const equal = a.length === b.length && a.every((value, index) => same(value, b[index]));
      expect(keyText(...a) === keyText(...b)).toBe(equal);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  [[undefined], '[null]'],
  [[-0], '[0]'],
  [[NaN, -Infinity], '[NaN,-Infinity]'],
  [[1n, '1n', '@1', new Date(1)], '[1n,"1n","@1",@1]'],
  [['a,b', 'c'], '["a,b","c"]'],
  [[], '[]'],
])('%o is %s', (values, text) => {
  expect(keyText(...values)).toBe(text);
});
