import { DateTime } from 'luxon';
import type { TimeAdapter } from '../../src/index.ts';
import { timeZoneOf } from './timeZone.ts';

/**
 * Reads Luxon `DateTime` columns and writes the frontier as a `DateTime` in the zone, UTC by default, floored to the
 * millisecond. Before the first evaluation the frontier is an invalid `DateTime`; an invalid one in an event is no time.
 *
 * @throws RollingWindowError `invalid-config` for an unknown zone or option.
 * @example rollingWindow({ time: luxonTime({ zone: 'Europe/Paris' }), ... })
 */
export function luxonTime(options: { readonly zone?: string | undefined } = {}): TimeAdapter<DateTime, DateTime> {
  const zone = timeZoneOf(options, 'utc');
  return {
    name: 'DateTime',
    read(value) {
      try {
        const ms = DateTime.isDateTime(value) ? value.toMillis() : NaN;
        return Number.isFinite(ms) ? ms : NaN;
      } catch {
        return NaN; // none of Luxon's, whatever it says of itself
      }
    },
    write: (frontier) => DateTime.fromMillis(Math.floor(frontier), { zone }),
  };
}
