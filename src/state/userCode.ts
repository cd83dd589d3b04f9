import { RollingWindowError, userCodeError } from '../errors.ts';

/** The error of a function of the user's that threw, under its name; an error that has one already stays as it is. */
export function userCode(name: string, cause: unknown): RollingWindowError {
  return isNamed(cause) ? cause : userCodeError(name, cause, 'advance');
}

const isNamed = (cause: unknown): cause is RollingWindowError => cause instanceof RollingWindowError && cause.code === 'user-code';
