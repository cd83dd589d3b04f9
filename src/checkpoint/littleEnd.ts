/** Whether numbers in memory begin with their little end, as they do in a snapshot. */
export function isLittleEnded(): boolean {
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
}
