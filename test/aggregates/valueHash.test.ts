import { describe, expect, test } from 'vitest';
import { finished, mixed } from '../../src/aggregates/murmur3.ts';
import { hashValue, valueHash } from '../../src/aggregates/valueHash.ts';

const hashOf = (value: number | string | bigint | boolean): string => {
  hashValue(value);
  return `${valueHash.high} ${valueHash.low}`;
};

describe('MurmurHash3', () => {
  // Published values of x86_32: the words, the seed, the hash.
  test.each([
    [[], 0, 0],
    [[], 1, 0x514e28b7],
    [[], 0xffffffff, 0x81f16f39],
    [[0], 0, 0x2362f9de],
    [[0xffffffff], 0, 0x76293b50],
    [[0x87654321], 0, 0xf55b516b],
    [[0x87654321], 0x5082edee, 0x2362f9de],
  ])('of %o under the seed %i', (words, seed, hash) => {
    expect(finished(words.reduce(mixed, seed), words.length * 4)).toBe(hash);
  });
});

describe('the hash of a value', () => {
  test('is the same for what is the same, and only for that', () => {
    expect(hashOf(-0)).toBe(hashOf(0));
    expect(hashOf(-NaN)).toBe(hashOf(NaN));
    const different = [0, 1, '1', 1n, true, '', '\0', '\0\0', 'a', 'a\0', NaN, 'NaN', false, Infinity, -Infinity, 5e-324, 2 ** 32, 2 ** -32, -1n, 36n, '10', 10n];
    expect(new Set(different.map(hashOf)).size).toBe(different.length);
  });

  test('has halves that are independent, each bit of which is even', () => {
    const ones = Array<number>(64).fill(0), count = 20_000;
    let agreed = 0;
    for (let n = 0; n < count; n++) {
      hashValue(n);
      const { high, low } = valueHash;
      for (let bit = 0; bit < 32; bit++) {
        ones[bit]! += (high >>> bit) & 1;
        ones[32 + bit]! += (low >>> bit) & 1;
        agreed += ~(high ^ low) & (1 << bit) ? 1 : 0;
      }
    }
    for (const one of ones) expect(Math.abs(one / count - 0.5)).toBeLessThan(0.02); // more than five standard errors
    expect(Math.abs(agreed / count / 32 - 0.5)).toBeLessThan(0.005);
  });
});
