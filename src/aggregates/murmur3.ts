/**
 * MurmurHash3 for 32-bit words (Appleby, x86_32), one word at a time: `mixed` takes each in, `finished` gives the hash.
 * Arithmetic on 32 bits is what JavaScript does without a bigint, and two hashes under different seeds make 64 bits.
 */
export function mixed(hash: number, word: number): number {
  word = Math.imul(word, 0xcc9e2d51);
  word = Math.imul((word << 15) | (word >>> 17), 0x1b873593);
  hash ^= word;
  return (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
}

/** The hash of what was taken in, of that length in bytes, from 0 to 2^32 - 1. */
export function finished(hash: number, bytes: number): number {
  hash ^= bytes;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
