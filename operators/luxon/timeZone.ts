import { Info, type Zone } from 'luxon';
import { RollingWindowError, shown } from '../../src/index.ts';
import { requireObject } from '../../src/internals.ts';

/** The zone that options name. No name is no zone: Luxon's default would be another one on each machine. */
export function timeZoneOf(options: { readonly zone?: string | undefined }, usual?: string): Zone {
  requireObject(options, 'an object with a zone', { zone: true });
  const { zone: name = usual } = options;
  const zone = typeof name === 'string' ? Info.normalizeZone(name) : undefined;
  if (zone?.isValid) return zone;
  throw new RollingWindowError('invalid-config', { expected: "a time zone such as 'Europe/Paris' or 'utc'", given: shown(name) });
}
