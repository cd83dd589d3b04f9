/** Whether numbers in memory begin with their little end, as they do in a snapshot. */
export const isLittleEnded: boolean = /*#__PURE__*/ beginsWithLittleEnd();

function beginsWithLittleEnd(): boolean {
  return new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
}
