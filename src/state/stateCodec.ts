import { shown } from '../errors.ts';
import { invalidConfig } from '../settings.ts';
import { userCode } from './userCode.ts';

type Conversion = (value: unknown) => unknown;

/** How something of the user's is put to rest and taken up again. */
export interface StateCodec {
  encode(value: unknown): unknown;
  decode(saved: unknown): unknown;
}

/**
 * The pair of functions that a caller gave; where there is none, values are saved as they are.
 *
 * @throws RollingWindowError `invalid-config` for one without the other.
 */
export function codecOf(encodeName: string, encode: unknown, decodeName: string, decode: unknown): StateCodec {
  if (encode === undefined && decode === undefined) return { encode: (value) => value, decode: (saved) => saved };
  if (typeof encode !== 'function' || typeof decode !== 'function') {
    throw invalidConfig({ expected: `functions ${encodeName} and ${decodeName}, or neither`, given: `${shown(encode)} and ${shown(decode)}` });
  }
  return { encode: named(encodeName, encode as Conversion), decode: named(decodeName, decode as Conversion) };
}

/** The user's function; what it throws comes with its name. */
function named(name: string, call: Conversion): Conversion {
  return (value) => {
    try {
      return call(value);
    } catch (cause) {
      throw userCode(name, cause);
    }
  };
}
