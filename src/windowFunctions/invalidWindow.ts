import { RollingWindowError, shown } from '../errors.ts';

/** The error of a window, or of a function over one, that makes no sense. */
export function invalidWindow(expected: string, given: unknown, remedy?: string): RollingWindowError {
  return new RollingWindowError('invalid-window', { expected, given: shown(given), ...(remedy !== undefined && { remedy }) });
}
