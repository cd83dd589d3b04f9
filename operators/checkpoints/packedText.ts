/*
 * Bytes as text that any storage keeps: 15 bits to a UTF-16 unit, from U+0020 on. So there are neither surrogates, which
 * some browsers do not store alone, nor control characters. Base64 takes two and a half times the room.
 */
const BITS = 15, FIRST = 0x20;
/** `String.fromCharCode` takes its units as arguments, and there is a limit to these. */
const AT_ONCE = 8192;

/** How many UTF-16 units so many bytes take. */
export function packedLength(bytes: number): number {
  return Math.ceil((bytes * 8) / BITS);
}

export function pack(bytes: Uint8Array): string {
  const units = new Uint16Array(packedLength(bytes.length));
  let rest = 0, width = 0, at = 0;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    width += 8;
    if (width < BITS) continue;
    width -= BITS;
    units[at++] = FIRST + (rest >>> width);
    rest &= (1 << width) - 1;
  }
  if (width > 0) units[at] = FIRST + (rest << (BITS - width));

  let text = '';
  for (let from = 0; from < units.length; from += AT_ONCE) text += String.fromCharCode(...units.subarray(from, from + AT_ONCE));
  return text;
}

/** So many bytes out of a text that begins with them, packed; undefined where no `pack` made it. */
export function unpack(text: string, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  let rest = 0, width = 0, at = 0;
  for (let i = 0; i < packedLength(length); i++) {
    const bits = text.charCodeAt(i) - FIRST; // NaN behind the end
    if (!(bits >= 0 && bits < 1 << BITS)) return undefined;
    rest = (rest << BITS) | bits;
    for (width += BITS; width >= 8 && at < length; ) {
      width -= 8;
      bytes[at++] = rest >>> width;
    }
    rest &= (1 << width) - 1;
  }
  return bytes;
}
