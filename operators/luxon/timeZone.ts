import { Info, type Zone } from 'luxon';
import { RollingWindowError, shown } from '../../src/index.ts';

/** The zone of a name. No name is no zone: Luxon's default would be another one on each machine. */
export function timeZone(name: unknown): Zone {
  const zone = typeof name === 'string' ? Info.normalizeZone(name) : undefined;
  if (zone?.isValid) return zone;
  throw new RollingWindowError('invalid-config', { expected: "a time zone such as 'Europe/Paris' or 'utc'", given: shown(name) });
}
