import { finished, mixed } from './murmur3.ts';

/** The two halves of a hash of 64 bits. Written anew by each `hashValue`: an object for each would cost more than the hash. */
export const valueHash: { high: number; low: number } = { high: 0, low: 0 };

const HIGH_SEED = 0x9747b28c | 0, LOW_SEED = 0x3c6ef372;
const NUMBER = 1, TEXT = 2, BIGINT = 3, BOOLEAN = 4;

const cell = /*#__PURE__*/ new DataView(/*#__PURE__*/ new ArrayBuffer(8));

/** Hashes by type and value into `valueHash`: NaN is one value, -0 is 0; `1`, `'1'`, `1n` and `true` are four. */
export function hashValue(value: number | string | bigint | boolean): void {
  switch (typeof value) {
    case 'string':
      return hashText(TEXT, value);
    case 'number':
      return hashNumber(NUMBER, value);
    case 'bigint':
      return hashText(BIGINT, value.toString(36));
    case 'boolean':
      return hashNumber(BOOLEAN, Number(value));
  }
}

function hashNumber(type: number, value: number): void {
  cell.setFloat64(0, value === value ? value + 0 : NaN); // there are many NaNs
  const a = cell.getInt32(0), b = cell.getInt32(4);
  valueHash.high = finished(mixed(mixed(mixed(HIGH_SEED, type), a), b), 12);
  valueHash.low = finished(mixed(mixed(mixed(LOW_SEED, type), a), b), 12);
}

/** Two UTF-16 units to a word. */
function hashText(type: number, text: string): void {
  let high = mixed(HIGH_SEED, type), low = mixed(LOW_SEED, type);
  for (let i = 0; i < text.length; i += 2) {
    const word = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16); // beyond the end NaN, which is 0 here
    high = mixed(high, word);
    low = mixed(low, word);
  }
  valueHash.high = finished(high, 4 + text.length * 2);
  valueHash.low = finished(low, 4 + text.length * 2);
}
