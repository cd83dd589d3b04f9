import { RollingWindowError } from '../errors.ts';

/** The error of one more key than the limits allow. */
export function limitExceeded(maxKeys: number): RollingWindowError {
  return new RollingWindowError('limit-exceeded', {
    expected: `at most ${String(maxKeys)} keys`,
    given: 'one more',
    remedy: "Raise limits.maxKeys, or use onLimit: 'evict-idle' or 'drop-new'",
  });
}
