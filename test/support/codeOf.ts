/** The code of the error that a call throws, or undefined where it throws none. */
export function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return undefined;
}
