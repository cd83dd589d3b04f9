import { DateTime, Duration, Settings } from 'luxon';
import { afterEach, describe, expect, expectTypeOf, test } from 'vitest';
import { luxonTime } from '../../operators/luxon/index.ts';
import { RollingWindowError, type TimeAdapter } from '../../src/index.ts';

const moment = 1_790_000_000_123;

describe('K3: luxonTime', () => {
  test('reads a DateTime of any zone, and writes one in the zone of choice', () => {
    const time = luxonTime({ zone: 'America/New_York' });
    expect(time.read(DateTime.fromMillis(moment, { zone: 'Asia/Tokyo' }))).toBe(moment);
    expect(time.read(DateTime.fromMillis(0))).toBe(0);
    expect(time.write(moment).toISO()).toBe('2026-09-21T10:13:20.123-04:00');
    expectTypeOf(time).toEqualTypeOf<TimeAdapter<DateTime, DateTime>>();
  });

  test('without a zone it is UTC, whatever the default of Luxon', () => {
    Settings.defaultZone = 'Asia/Tokyo';
    expect(luxonTime().write(moment).zoneName).toBe('UTC');
    expect(luxonTime({ zone: undefined }).write(moment).zoneName).toBe('UTC');
  });

  afterEach(() => {
    Settings.defaultZone = 'system';
  });

  test('floors to the millisecond, before 1970 too', () => {
    expect(luxonTime().write(moment + 0.75).toMillis()).toBe(moment);
    expect(luxonTime().write(-0.25).toMillis()).toBe(-1);
  });

  test('before the first evaluation, and beyond the range of dates, the frontier is an invalid DateTime', () => {
    for (const frontier of [-Infinity, 1e300]) expect(luxonTime().write(frontier).isValid).toBe(false);
  });

  const fail = (): never => {
    throw new Error('broken');
  };
  test.each([
    null,
    undefined,
    moment,
    new Date(moment),
    '2026-09-21T14:13:20Z',
    Duration.fromMillis(moment),
    DateTime.invalid('a test'),
    DateTime.fromISO('2026-02-30'),
    { toMillis: () => moment },
    { isLuxonDateTime: true },
    { isLuxonDateTime: true, toMillis: fail },
    { isLuxonDateTime: true, toMillis: () => Infinity },
    { get isLuxonDateTime() { return fail(); } },
  ].map((value) => [value]))('is no instant: case %#', (value) => {
    expect((luxonTime() as TimeAdapter).read(value)).toBeNaN();
  });

  test('refuses an unknown zone', () => {
    expect(() => luxonTime({ zone: 'Mars/Olympus' })).toThrow(RollingWindowError);
    expect(() => luxonTime({ zone: 'Mars/Olympus' })).toThrow('[invalid-config] expected a time zone such as \'Europe/Paris\' or \'utc\'; got "Mars/Olympus"');
  });
});
