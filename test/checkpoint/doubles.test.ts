import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DoubleColumn } from '../../src/checkpoint/doubles.ts';

const plain = Buffer.from(Float64Array.of(NaN).buffer).toString('hex');
/** NaN as arithmetic may leave it, with other bits. */
const strange = new Float64Array(BigUint64Array.of(0xff_f8_00_00_00_00_12_34n).buffer)[0]!;

test('columns hold what is copied into them, bit for bit, but for NaN, which has one form', () => {
  const value = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(Infinity, -Infinity, -0, strange, NaN));
  const piece = fc.tuple(fc.array(value, { maxLength: 9 }), fc.integer({ min: 1, max: 3 }));
  const check = (pieces: (readonly [number[], number])[]): void => {
    const column = new DoubleColumn(1), expected: number[] = [];
    for (const [values, stride] of pieces) {
      const from = new Float64Array(values.length * stride + 1);
      values.forEach((one, i) => (from[1 + i * stride] = one));
      column.copy(from, 1, stride, values.length);
      column.push(strange);
      expected.push(...values, NaN);
    }
    const bytes = Buffer.from(column.bytes), given = expected.map((_, i) => bytes.subarray(8 * i, 8 * i + 8).toString('hex'));
    expect(given).toEqual(expected.map((one) => (Number.isNaN(one) ? plain : Buffer.from(Float64Array.of(one).buffer).toString('hex'))));
  };
  fc.assert(fc.property(fc.array(piece, { maxLength: 6, size: 'max' }), check), { numRuns: 500 });
});
