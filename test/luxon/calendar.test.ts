import fc from 'fast-check';
import { DateTime, Duration as LuxonDuration } from 'luxon';
import { describe, expect, test } from 'vitest';
import { calendar, type CalendarLength, type CalendarUnits } from '../../operators/luxon/index.ts';
import { preceding, range, RollingWindowError } from '../../src/index.ts';
import { inclusive, nextDown } from '../../src/time/lowerEdge.ts';
import { checkEdgeLaw } from '../time/edgeLaw.ts';

const day = 86_400_000;
const at = (text: string): number => Date.parse(text);
const edgeOf = (length: CalendarLength, zone: string) => calendar(length, { zone }).edge;

/** Days at which clocks were set, and a day that never was in Samoa. */
const turns: [zone: string, ...days: string[]][] = [
  ['Europe/Paris', '2026-03-29', '2026-10-25'],
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-04', '2026-10-03'],
  ['Pacific/Apia', '2011-12-30', '2011-09-24'],
  ['America/Sao_Paulo', '2018-11-04', '2019-02-17'],
  ['utc', '2027-03-31', '2028-03-30'],
];
const lengths: CalendarUnits[] = [{ days: 1 }, { months: 1 }, { years: 1 }, { weeks: 1, hours: 6 }, { months: 1, days: 1, minutes: 30 }];

/** Instants around the days, around the days one length later, and around ends of months; on quarters of an hour, whole, and in between. */
function instantsNear(days: readonly string[], length: CalendarUnits): fc.Arbitrary<number> {
  const centres = [...days, '2027-03-31', '2028-02-29'].flatMap((text) => [at(text), DateTime.fromMillis(at(text), { zone: 'utc' }).plus(length).toMillis()]);
  const quarters = fc.integer({ min: -250, max: 250 }).map((quarter) => quarter * 900_000);
  const aside = fc.oneof(quarters, fc.integer({ min: -3 * day, max: 3 * day }), fc.double({ min: -3 * day, max: 3 * day, noNaN: true }));
  return fc.tuple(fc.constantFrom(...centres), aside).map(([centre, offset]) => centre + offset);
}

describe.each(turns)('K5: in %s', (zone, ...days) => {
  test.each(lengths)('the edge of %j keeps the law, with both edges in too', (length) => {
    const edge = edgeOf(length, zone);
    checkEdgeLaw(edge, instantsNear(days, length), 100);
    checkEdgeLaw(inclusive(edge), instantsNear(days, length), 30);
  });

  test('the edge is the smallest that Luxon answers from here on', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...lengths).chain((length) => fc.tuple(fc.constant(length), instantsNear(days, length))),
        ([length, frontier]) => {
          const instant = Math.floor(frontier);
          const begins = (from: number): number => DateTime.fromMillis(from, { zone }).minus(length).toMillis();
          let smallest = begins(instant);
          for (let later = Math.ceil((instant + 1) / 900_000) * 900_000; later < instant + 4 * day; later += 900_000) smallest = Math.min(smallest, begins(later));
          expect(edgeOf(length, zone).lower(instant)).toBe(smallest);
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('K5: a day by the calendar', () => {
  test('C26: has 23 or 25 hours where the clocks are set, and a range of a day has 24', () => {
    const paris = edgeOf({ days: 1 }, 'Europe/Paris');
    expect(paris.lower(at('2026-03-29T10:00Z'))).toBe(at('2026-03-28T11:00Z'));
    expect(paris.lower(at('2026-10-25T11:00Z'))).toBe(at('2026-10-24T10:00Z'));
    for (const length of [range({ days: 1 }), range({ hours: 24 }), range(day)]) {
      expect(length.edge.lower(at('2026-03-29T10:00Z'))).toBe(at('2026-03-28T10:00Z'));
      expect(length.edge.lower(at('2026-10-25T11:00Z'))).toBe(at('2026-10-24T11:00Z'));
    }
  });

  test('waits while the clocks go through an hour twice', () => {
    const paris = edgeOf({ days: 1 }, 'Europe/Paris'); // 2026-10-25: 3:00 summer time, 01:00Z, is 2:00 winter time
    expect(paris.lower(at('2026-10-24T23:30Z'))).toBe(at('2026-10-23T23:30Z'));
    expect(paris.lower(at('2026-10-25T00:30Z'))).toBe(at('2026-10-24T00:00Z'));
    expect(paris.lower(at('2026-10-25T01:00Z'))).toBe(at('2026-10-24T00:00Z'));
    expect(paris.lower(at('2026-10-25T01:30Z'))).toBe(at('2026-10-24T00:30Z'));
    expect(paris.leavesAt(at('2026-10-24T00:00Z'))).toBe(at('2026-10-25T00:00Z'));
    expect(paris.leavesAt(at('2026-10-24T00:00Z') + 1)).toBe(at('2026-10-25T01:00Z') + 1);
  });

  test('fractions of a millisecond are kept', () => {
    const edge = edgeOf({ days: 1 }, 'utc');
    expect(edge.lower(1000.25)).toBe(1000.25 - day);
    expect(edge.leavesAt(1000.25)).toBe(day + 1000.25);
    expect(edge.lower(nextDown(edge.leavesAt(1000.25)))).toBeLessThan(1000.25);
  });
});

describe('K5: a month by the calendar', () => {
  const month = edgeOf({ months: 1 }, 'utc');

  test.each([
    ['2027-03-28T00:00Z', '2027-02-28T00:00Z'],
    ['2027-03-29T00:00Z', '2027-02-28T00:00Z'],
    ['2027-03-31T00:00Z', '2027-02-28T00:00Z'],
    ['2027-04-01T00:00Z', '2027-03-01T00:00Z'],
    ['2027-04-02T00:00Z', '2027-03-02T00:00Z'],
    ['2028-03-30T00:00Z', '2028-02-29T00:00Z'],
  ])('C28: on %s the edge is %s', (frontier, lower) => {
    expect(month.lower(at(frontier))).toBe(at(lower));
  });

  test('C28: no event comes back after it left', () => {
    const [b, d] = [at('2027-02-28T12:00Z'), at('2027-03-28T12:00Z')];
    expect(month.leavesAt(b)).toBe(at('2027-03-31T12:00Z'));
    expect(month.leavesAt(d)).toBe(at('2027-04-28T12:00Z'));
  });

  test('the longest is an upper bound, and not much more', () => {
    for (let frontier = at('2025-01-01'); frontier < at('2029-06-01'); frontier += day / 2) {
      expect(frontier - month.lower(frontier)).toBeLessThanOrEqual(month.longest);
    }
    expect(month.longest).toBeLessThan(36 * day);
    expect(month.fixed).toBeUndefined();
  });
});

describe('K5: calendar(length, { zone })', () => {
  test('takes units, ISO text and Luxon durations; equal lengths are one lookback', () => {
    const texts = (...many: CalendarLength[]): string[] => [...new Set(many.map((length) => edgeOf(length, 'Europe/Paris').text))];
    expect(texts({ months: 1 }, 'P1M', LuxonDuration.fromObject({ months: 1, days: 0 }), { months: 1, hours: undefined })).toEqual(['calendar P1M Europe/Paris']);
    expect(texts({ years: 1, quarters: 1 }, { months: 15 }, 'P1Y3M')).toEqual(['calendar P15M Europe/Paris']);
    expect(texts({ weeks: 1, days: 1, hours: 1.5 }, 'P8DT90M')).toEqual(['calendar P8DT5400S Europe/Paris']);
    expect(edgeOf({ months: 1 }, 'utc').text).not.toBe(edgeOf({ months: 1 }, 'Europe/Paris').text);
  });

  test('is a length of frames', () => {
    expect(preceding(calendar({ quarters: 1 }, { zone: 'utc' })).edge.lower(at('2026-05-15T00:00Z'))).toBe(at('2026-02-15T00:00Z'));
    expect(Object.isFrozen(calendar({ days: 1 }, { zone: 'utc' }))).toBe(true);
  });

  test('beyond the range of dates a month has its average length', () => {
    const month = edgeOf({ months: 1 }, 'Europe/Paris');
    expect(month.lower(9e15)).toBe(9e15 - 30.436875 * day);
    expect(month.lower(-9e15)).toBe(-9e15 - 30.436875 * day);
    checkEdgeLaw(month, fc.integer({ min: 8.64e15 - 10 * day, max: 8.64e15 + 2 * day }).chain((instant) => fc.constantFrom(instant, -instant, -instant + 40 * day)), 100);
    expect(edgeOf({ years: 10_000_000 }, 'utc').lower(0)).toBe(-10_000_000 * 365.2425 * day);
  });

  test.each<unknown>([{}, { months: 0 }, { months: -1 }, { months: 2, days: -1 }, { months: 0.5 }, { days: 1.5 }, { days: NaN }, { years: Infinity }, { hours: Infinity }, { fortnights: 1 }, { months: 1, fortnights: 1 }, { days: '1' }, { constructor: 1 }, 'P', 'soon', '1 month', 5, null, undefined, DateTime.fromMillis(0), LuxonDuration.fromISO('soon'), LuxonDuration.fromObject({ months: -1 })])(
    'refuses the length %j',
    (length) => {
      expect(() => calendar(length as CalendarLength, { zone: 'utc' })).toThrow(RollingWindowError);
      expect(() => calendar(length as CalendarLength, { zone: 'utc' })).toThrow('[invalid-duration] expected a positive length such as { months: 1 }');
    },
  );

  test.each<unknown>(['Europe/Pari', '', undefined, null, 5])('refuses the zone %j', (zone) => {
    expect(() => calendar({ days: 1 }, { zone: zone as string })).toThrow("[invalid-config] expected a time zone such as 'Europe/Paris'");
  });
});
