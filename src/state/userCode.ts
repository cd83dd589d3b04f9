import { RollingWindowError, shown } from '../errors.ts';

/** The error of a function of the user's that threw, under its name; an error that has one already stays as it is. */
export function userCode(name: string, cause: unknown): RollingWindowError {
  if (isNamed(cause)) return cause;
  return new RollingWindowError('user-code', {
    expected: `${name} to return`,
    given: `the error ${cause instanceof Error ? shown(cause.message) : shown(cause)}`,
    remedy: 'See the cause. Where this came from advance, the state of that key has been dropped',
    cause,
  });
}

const isNamed = (cause: unknown): cause is RollingWindowError => cause instanceof RollingWindowError && cause.code === 'user-code';
