import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pack, packedLength, unpack } from '../../../operators/checkpoints/packedText.ts';

test('bytes come back, whatever they are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.string({ unit: 'binary' }), (bytes, behind) => {
      const text = pack(bytes);
      expect(text).toHaveLength(packedLength(bytes.length));
      expect(unpack(text + behind, bytes.length)).toEqual(bytes);
    }),
    { numRuns: 2000 },
  );
});

test('no unit is a surrogate or a control character, and 15 bits go into each', () => {
  const bytes = Uint8Array.from({ length: 60_000 }, (_, i) => (i * i) >>> (i % 7));
  const text = pack(bytes);
  expect(text).toMatch(/^[\u0020-\u801f]*$/);
  expect(text).toHaveLength(32_000);
  expect(pack(new Uint8Array(15).fill(255))).toBe('\u801f'.repeat(8));
});

test('what is too short, or holds other units, was not packed', () => {
  const text = pack(new Uint8Array(30));
  expect(unpack(text.slice(1), 30)).toBeUndefined();
  for (const unit of ['\u801f\u8020', '\u001f', '\ud800']) expect(unpack(unit + text, 30), unit).toBeUndefined();
});
