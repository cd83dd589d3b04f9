import fc from 'fast-check';
import { DateTime, Duration as LuxonDuration } from 'luxon';
import { describe, expect, test } from 'vitest';
import { RollingWindowError } from '../../src/errors.ts';
import { duration, durationMs, type Duration, type DurationText } from '../../src/time/duration.ts';

const hour = 3_600_000;
const refused = (run: () => unknown): RollingWindowError => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(RollingWindowError);
    return error as RollingWindowError;
  }
  throw new Error('nothing was refused');
};

describe('K5: a duration', () => {
  test.each<[Duration, number]>([
    [1500, 1500],
    [0.25, 0.25],
    ['10 minutes', 600_000],
    ['1 hour', hour],
    ['1.5 hours', 1.5 * hour],
    ['.5 hours', hour / 2],
    ['250 ms', 250],
    ['1 hour 30 minutes', 1.5 * hour],
    ['1 week', 168 * hour],
    ['2 days', 48 * hour],
    ['PT1H', hour],
    ['PT1H30M', 1.5 * hour],
    ['PT0.5S', 500],
    ['P1D', 24 * hour],
    ['P1DT2H', 26 * hour],
    ['P2W', 336 * hour],
    [{ hours: 1 }, hour],
    [{ weeks: 1, days: 1, hours: 1, minutes: 1, seconds: 1, milliseconds: 1 }, 193 * hour + 61_001],
    [{ hours: 2, minutes: undefined }, 2 * hour],
    [{ toMillis: () => 42 }, 42],
    [LuxonDuration.fromObject({ hours: 1, minutes: -15 }), 0.75 * hour],
    [LuxonDuration.fromObject({ months: 0, days: 1 }), 24 * hour],
  ])('%j is %d ms', (length, ms) => {
    expect(durationMs(length)).toBe(ms);
    expect(durationMs(length, { positive: true })).toBe(ms);
  });

  test.each<[string, number]>([
    ['1 day 2 hours 3 minutes 4 seconds 5 milliseconds', 26 * hour + 184_005],
    ['2h30m', 2.5 * hour],
    ['1 w 1 d 1 h 1 m 1 s 1 ms', 193 * hour + 61_001],
    ['2 hrs 5 mins 6 secs', 2 * hour + 306_000],
    ['1 hr 1 min 1 sec', hour + 61_000],
    ['5m', 300_000],
  ])('known only at run time, %j is %d ms', (text, ms) => {
    expect(duration(text)).toBe(ms);
  });

  test.each(['', ' ', 'soon', '10', '1 houer', '1 hour x', 'x 1 hour', '1 hour, 30 minutes', '1,5 hours', '1 000 ms', '-1 hour', '1 hour -30 minutes', '1. hours', '5 parsecs', '1 M', '1 Hours', 'Infinity hours', 'NaN ms', 'P', 'PT', 'P1DT', 'PT1,5H', 'P1H', 'PT1D', '-PT1H', '1 ns', '1 hour30', 'P1D 1 hour'])('refuses the text %j', (text) => {
    const error = refused(() => duration(text));
    expect(error.code).toBe('invalid-duration');
    expect(error.message).toContain("'10 minutes'");
    expect(error.given).toBe(JSON.stringify(text));
  });

  test.each<[string, unknown]>([
    ['a negative number', -1],
    ['NaN', NaN],
    ['infinity', Infinity],
    ['an infinite text', `${'9'.repeat(400)} weeks`],
    ['a negative object', { hours: -1 }],
    ['an unknown unit', { houers: 1 }],
    ['the unit of another object', { constructor: 1 }],
    ['text in an object', { hours: '1' }],
    ['an empty object', {}],
    ['null', null],
    ['undefined', undefined],
    ['a bigint', 10n],
    ['an array', []],
    ['a Date', new Date(0)],
    ['a DateTime, which has toMillis() too', DateTime.fromMillis(hour)],
    ['an invalid Luxon Duration', LuxonDuration.fromISO('soon')],
    ['toMillis() that is no number', { toMillis: () => '5' }],
  ])('refuses %s', (_, length) => {
    expect(refused(() => durationMs(length as Duration)).code).toBe('invalid-duration');
  });

  test.each<unknown>(['1 month', '2 months', '1 mo', '1 year', '1y', '1 hour 1 month', 'P1M', 'P1Y', 'P1Y2DT1H', 'P1M1D', { months: 1 }, { years: 1 }, LuxonDuration.fromObject({ months: 1 }), LuxonDuration.fromObject({ quarters: 1, days: 1 }), LuxonDuration.fromObject({ years: 1 })])(
    'sends months and years to the calendar: %j',
    (length) => {
      expect(refused(() => durationMs(length as Duration)).message).toContain("calendar(...) of 'rxjs-rolling-window/luxon'");
    },
  );

  test.each<Duration>([0, '0 ms', 'PT0S', { hours: 0 }, { toMillis: () => 0 }])('may be zero, but not where a length is meant: %j', (length) => {
    expect(durationMs(length)).toBe(0);
    expect(refused(() => durationMs(length, { positive: true })).expected).toContain('a positive length');
  });

  test('any sum of parts is read as that sum, whatever stands between number and unit', () => {
    const units = { week: 168 * hour, day: 24 * hour, hour, minute: 60_000, second: 1000, millisecond: 1 };
    const parts = fc.array(fc.tuple(fc.nat(1000), fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])), fc.constantFrom('', 's'), fc.constantFrom('', ' ')), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(parts, (chosen) => {
        const text = chosen.map(([amount, unit, plural, space]) => `${amount}${space}${unit}${plural}`).join(' ');
        expect(duration(text)).toBe(chosen.reduce((ms, [amount, unit]) => ms + amount * units[unit], 0));
      }),
    );
  });

  test('the compiler knows texts that can be read', () => {
    const right: DurationText[] = ['10 minutes', '1 hour', '1.5 hours', '1 hour 30 minutes', '250 ms', 'PT1H', 'P1D', 'P2W', 'P1DT12H'];
    const wrong: DurationText[] = [
      // @ts-expect-error the unit is misspelt
      '1 houer',
      // @ts-expect-error short units are for run time only
      '10 secs',
      // @ts-expect-error the length of a month depends on the calendar
      '1 month',
      // @ts-expect-error a month of ISO 8601 too
      'P1M',
      // @ts-expect-error and so does that of a year
      'P1Y',
      // @ts-expect-error a number is missing
      'minutes',
      // @ts-expect-error no duration at all
      'Potato',
    ];
    for (const text of right) expect(durationMs(text)).toBeGreaterThan(0);
    for (const text of wrong.filter((each) => !each.endsWith('secs'))) refused(() => durationMs(text));
  });
});
