import { requireObject } from '../settings.ts';
import type { NullsIgnored } from './windowRow.ts';

/** Whether a function is to pass over rows without a value, as its options say. */
export function ignoresNulls(options: NullsIgnored = {}): boolean {
  requireObject(options, 'an object of options', { ignoreNulls: true });
  return options.ignoreNulls ?? false;
}
