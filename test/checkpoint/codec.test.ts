import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decode, encode } from '../../src/checkpoint/codec.ts';

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }), fc.constantFrom('__proto__', 'constructor', '', '\uD800', '\uDC00\uD800'));
const leaf = fc.oneof(
  fc.constantFrom(null, undefined, true, false, NaN, -0, 0, Infinity, -Infinity, 5e-324, -1, 2 ** 28 - 1, 2 ** 28, 2 ** 53, 1.5, 0n, -1n, 2n ** 64n, -(36n ** 40n)),
  fc.double(),
  fc.integer(),
  fc.bigInt(),
  text,
  fc.date({ noInvalidDate: true }),
  fc.float64Array(),
  fc.int32Array(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value'), { maxLength: 5 }), fc.array(fc.tuple(text, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries) as unknown)),
}));

describe('codec', () => {
  test('any plain value comes back bit for bit', () => {
    fc.assert(
      fc.property(value, (given) => {
        const bytes = encode(given);
        expect(isDeepStrictEqual(decode(bytes), given)).toBe(true);
        expect(encode(decode(bytes))).toEqual(bytes);
      }),
      { numRuns: 1500 },
    );
  });

  test('-0, a property called __proto__ and the order of properties survive', () => {
    const given = JSON.parse('{"z": 1, "__proto__": {"polluted": true}, "a": -0}') as object;
    const back = decode(encode(given)) as Record<string, unknown>;
    expect(Object.keys(back)).toEqual(['z', '__proto__', 'a']);
    expect([back['a'], Object.getPrototypeOf(back), 'polluted' in back]).toEqual([-0, Object.prototype, false]);
  });

  test('an invalid date comes back as one', () => {
    expect((decode(encode(new Date(NaN))) as Date).getTime()).toBeNaN();
  });

  test('however a NaN came about, its bytes are the same', () => {
    const odd = new Float64Array(new BigUint64Array([0xfff8_0000_0000_0001n]).buffer);
    expect(encode(odd[0])).toEqual(encode(NaN));
    expect(encode(odd)).toEqual(encode(new Float64Array([NaN])));
  });

  test.each([
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a Map', new Map()],
    ['an object of a class', Object.create({ method: () => 1 })],
    ['deep inside', { list: [{ set: new Set() }] }],
  ])('%s is refused', (_, given) => {
    expect(() => encode(given)).toThrow(expect.objectContaining({ code: 'snapshot-unsupported-value' }));
  });

  test('bytes that say more than there is, or less, are damaged', () => {
    const whole = encode({ name: 'text', list: [1, 2.5, 3n, new Date(0)], flat: new Float64Array(2), whole: new Int32Array(2) });
    const damaged = expect.objectContaining({ code: 'snapshot-damaged' }) as Error;
    for (let length = 0; length < whole.length; length++) expect(() => decode(whole.subarray(0, length)), String(length)).toThrow(damaged);
    expect(() => decode(Uint8Array.from([...whole, 0]))).toThrow(damaged);
    for (const wrong of [[13], [255], [5, 255, 255, 255, 255, 255, 255, 255, 1], [9, 255, 255, 255, 127], [11, 2, 0], [7, 9]]) expect(() => decode(Uint8Array.from(wrong)), String(wrong)).toThrow(damaged);
  });

  test('reads from the middle of a buffer', () => {
    const bytes = encode([1.5, 'x']), padded = new Uint8Array(bytes.length + 9);
    padded.set(bytes, 5);
    expect(decode(padded.subarray(5, 5 + bytes.length))).toEqual([1.5, 'x']);
  });
});
