import { crc32 } from 'node:zlib';
import { hexadecimal } from './uniqueName.ts';

/*
 * A file of one part:
 *
 *   R W C 1 | 1 where it is a base, else 0 | 12 random bytes | length of the part, a double | CRC-32 of all else | the part
 *
 * Numbers have their little end first. The random bytes keep two states apart that ever had one number, as when a folder
 * was cleared and filled again.
 */
const MAGIC = [0x52, 0x57, 0x43, 0x31];
const BASE = 4, NONCE = 5, LENGTH = 17, CHECKSUM = 25;
export const HEADER = 29;

export interface PartFile {
  readonly base: boolean;
  readonly nonce: string;
  readonly part: Uint8Array;
}

/** The header of a file with this part, and its random bytes as text. */
export function headerOf(part: Uint8Array, base: boolean): { readonly header: Uint8Array; readonly nonce: string } {
  const header = new Uint8Array(HEADER);
  header.set(MAGIC);
  header[BASE] = Number(base);
  crypto.getRandomValues(header.subarray(NONCE, LENGTH));
  const view = new DataView(header.buffer);
  view.setFloat64(LENGTH, part.length, true);
  view.setUint32(CHECKSUM, checksum(header, part), true);
  return { header, nonce: nonceOf(header)! };
}

/** The random bytes of a header, or undefined where it is none of ours. */
export function nonceOf(header: Uint8Array): string | undefined {
  const ours = header.length >= HEADER && MAGIC.every((byte, i) => header[i] === byte);
  return ours ? hexadecimal(header.subarray(NONCE, LENGTH)) : undefined;
}

/** What a file holds, or undefined where it was cut off or changed. */
export function readPartFile(bytes: Uint8Array): PartFile | undefined {
  const nonce = nonceOf(bytes);
  if (nonce === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const part = new Uint8Array(bytes.subarray(HEADER));
  if (view.getFloat64(LENGTH, true) !== part.length || view.getUint32(CHECKSUM, true) !== checksum(bytes, part)) return undefined;
  return { base: bytes[BASE] === 1, nonce, part };
}

function checksum(header: Uint8Array, part: Uint8Array): number {
  return crc32(part, crc32(header.subarray(0, CHECKSUM)));
}
