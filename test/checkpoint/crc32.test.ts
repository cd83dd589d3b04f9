import { crc32 as zlib } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from '../../src/checkpoint/crc32.ts';

test.each([['', 0], ['123456789', 0xcbf43926], ['The quick brown fox jumps over the lazy dog', 0x414fa339]])('crc32 of %o', (text, sum) => {
  expect(crc32(new TextEncoder().encode(text))).toBe(sum);
});

test('crc32 is that of zlib', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), fc.nat(9), (bytes, from) => {
      const tail = bytes.subarray(from); // words begin at multiples of four
      return crc32(tail) === zlib(tail);
    }),
  );
});
