import { random } from './samples.ts';

/** A part that says which save it was, and of which every byte can be checked. */
export function numberedPart(save: number): Uint8Array {
  const next = random(save);
  const bytes = Uint8Array.from({ length: 4 + Math.floor(60_000 * next() ** 3) }, (_, i) => i * save);
  new DataView(bytes.buffer).setUint32(0, save);
  return bytes;
}

export function partNumber(part: Uint8Array): number {
  return new DataView(part.buffer, part.byteOffset).getUint32(0);
}
