import { damaged } from './byteReader.ts';

/*
 * The header as JSON in ASCII: anyone can read it with `head`. What JSON has no form for gets one: NaN, the infinities and
 * -0 are { "$number": "NaN" }, a bigint is { "$bigint": "5" }. What is not ASCII is escaped, lone surrogates too, so a
 * character is a byte.
 */

const CHARACTERS_A_CALL = 4096;

export function headerBytes(header: object): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(header, (_, value: unknown) => {
    if (typeof value === 'bigint') return { $bigint: String(value) };
    if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return value;
    return { $number: Object.is(value, -0) ? '-0' : String(value) };
  }).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export function headerOf(bytes: Uint8Array): unknown {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHARACTERS_A_CALL) text += String.fromCharCode.apply(null, bytes.subarray(at, at + CHARACTERS_A_CALL) as unknown as number[]);
  try {
    return JSON.parse(text, text.includes('"$') ? plainOf : undefined) as unknown; // there are thousands of values, and hardly ever such a form
  } catch {
    throw damaged('a header that can not be read');
  }
}

function plainOf(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { $number, $bigint } = value as { $number?: string; $bigint?: string };
  return $number !== undefined ? Number($number) : $bigint !== undefined ? BigInt($bigint) : value;
}
