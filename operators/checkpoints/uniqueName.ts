/** 24 hexadecimal digits that nobody else has. */
export function uniqueName(): string {
  return hexadecimal(crypto.getRandomValues(new Uint8Array(12)));
}

export function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
