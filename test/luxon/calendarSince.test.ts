import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { calendar, type CalendarLength } from '../../operators/luxon/index.ts';
import { count, createEngine, RollingWindowError, since, sum } from '../../src/index.ts';
import { nextUp } from '../../src/time/lowerEdge.ts';
import { checkEdgeLaw } from '../time/edgeLaw.ts';

const day = 86_400_000;
const at = (text: string): number => Date.parse(text);
const edgeOf = (length: CalendarLength, zone: string) => since(calendar(length, { zone })).edge;
const shown = (length: CalendarLength, zone: string, frontier: string): string => new Date(nextUp(edgeOf(length, zone).lower(at(frontier)))).toISOString();

/** Days at which clocks were set: some at midnight, some a minute after it, and a day that never was in Samoa. */
const turns: [zone: string, ...days: string[]][] = [
  ['Europe/Paris', '2026-03-29', '2026-10-25'],
  ['America/Sao_Paulo', '2018-11-04', '2019-02-17'],
  ['America/Havana', '2024-03-10', '2024-11-03'],
  ['America/St_Johns', '2009-11-01', '2010-03-14'],
  ['Pacific/Apia', '2011-12-30', '2011-09-24'],
  ['Australia/Lord_Howe', '2026-04-04', '2026-10-03'],
  ['utc', '2027-03-31', '2024-02-29'],
];
const units = [['day', { days: 1 }], ['week', { weeks: 1 }], ['month', { months: 1 }], ['quarter', { quarters: 1 }], ['year', { years: 1 }]] as const;

function instantsNear(days: readonly string[]): fc.Arbitrary<number> {
  const aside = fc.oneof(fc.integer({ min: -250, max: 250 }).map((quarter) => quarter * 900_000), fc.integer({ min: -3 * day, max: 3 * day }), fc.double({ min: -3 * day, max: 3 * day, noNaN: true }));
  return fc.tuple(fc.constantFrom(...days.map(at), at('2026-01-01'), at('2025-12-29'), at('1969-12-31')), aside).map(([centre, offset]) => centre + offset);
}

describe.each(turns)('K5: since the beginning of a unit in %s', (zone, ...days) => {
  test.each([...units.map(([, length]) => length), { days: 3 }, { weeks: 2 }, { months: 5 }, { years: 2 }])('the edge of %j keeps the law', (length) => {
    checkEdgeLaw(edgeOf(length, zone), instantsNear(days), 60);
  });

  // Luxon goes by one date at a time; where clocks are set back over midnight that date comes twice.
  test.each(units)('the beginning is that of the %s by Luxon', (unit, length) => {
    fc.assert(
      fc.property(instantsNear(days).map(Math.floor), (instant) => {
        const beginning = nextUp(edgeOf(length, zone).lower(instant));
        const local = DateTime.fromMillis(instant, { zone }), began = DateTime.fromMillis(beginning, { zone });
        expect(beginning).toBeLessThanOrEqual(instant);
        // Just before, the clocks had not shown this unit yet.
        const before = DateTime.fromMillis(beginning - 1, { zone });
        expect(before.startOf(unit) < began.startOf(unit)).toBe(true);
        if (local.startOf(unit).toISODate() !== began.startOf(unit).toISODate()) expect(zone).toBe('America/St_Johns');
      }),
      { numRuns: 60 },
    );
  });
});

describe('K5: since(calendar(...))', () => {
  test.each([
    [{ days: 1 }, 'Europe/Paris', '2026-03-29T10:00Z', '2026-03-28T23:00:00.000Z'],
    [{ days: 1 }, 'Europe/Paris', '2026-03-29T21:59Z', '2026-03-28T23:00:00.000Z'],
    [{ days: 1 }, 'Europe/Paris', '2026-03-29T22:00Z', '2026-03-29T22:00:00.000Z'], // 23 hours later
    [{ days: 1 }, 'America/Sao_Paulo', '2018-11-04T12:00Z', '2018-11-04T03:00:00.000Z'], // 1:00, there was no midnight
    [{ days: 1 }, 'America/Havana', '2024-11-03T05:30Z', '2024-11-03T04:00:00.000Z'], // 0:30 for the second time
    [{ days: 1 }, 'America/St_Johns', '2009-11-01T03:00Z', '2009-11-01T02:30:00.000Z'], // 23:30 again: the day that has begun goes on
    [{ days: 1 }, 'Pacific/Apia', '2011-12-30T12:00Z', '2011-12-30T10:00:00.000Z'], // the 31st, after the 29th
    [{ days: 7 }, 'utc', '2026-11-29T12:00Z', '2026-11-23T00:00:00.000Z'], // a Sunday
    [{ weeks: 1 }, 'utc', '2026-11-30T00:00Z', '2026-11-30T00:00:00.000Z'], // a Monday
    [{ weeks: 2 }, 'utc', '1970-01-11T00:00Z', '1969-12-29T00:00:00.000Z'],
    [{ days: 2 }, 'utc', '1970-01-04T12:00Z', '1970-01-03T00:00:00.000Z'],
    ['P1M', 'Europe/Paris', '2026-07-31T22:30Z', '2026-07-31T22:00:00.000Z'],
    [{ months: 3 }, 'utc', '2026-11-30T00:00Z', '2026-10-01T00:00:00.000Z'],
    [{ quarters: 1 }, 'utc', '2024-03-01T00:00Z', '2024-01-01T00:00:00.000Z'],
    [{ years: 1 }, 'Asia/Tokyo', '2026-12-31T15:00Z', '2026-12-31T15:00:00.000Z'],
    [{ years: 10 }, 'utc', '2026-12-31T15:00Z', '2020-01-01T00:00:00.000Z'],
    [{ months: 1 }, 'utc', '2000-02-29T12:00Z', '2000-02-01T00:00:00.000Z'],
    [{ months: 1 }, 'utc', '1900-03-01T00:00Z', '1900-03-01T00:00:00.000Z'],
  ] as const)('%j in %s at %s began at %s', (length, zone, frontier, beginning) => {
    expect(shown(length, zone, frontier)).toBe(beginning);
  });

  test.each(['right', 'both'] as const)("closed: '%s': sales since midnight in Paris, which is inside", (closed) => {
    const engine = createEngine<{ t: number; v: number }>()({ partitionBy: [], orderBy: 't', closed, measures: [sum('v').over(since(calendar({ days: 1 }, { zone: 'Europe/Paris' }))).as('today'), count().over(since(calendar({ months: 1 }, { zone: 'Europe/Paris' }))).as('month')] });
    const midnight = at('2026-03-28T23:00Z');
    for (const [t, v] of [[midnight - 1, 1], [midnight, 2], [midnight + 1, 4], [at('2026-03-29T21:59Z'), 8]] as const) engine.push({ t, v }, t);
    expect(engine.advance(midnight)).toMatchObject([{ today: 2, month: 2 }]);
    expect(engine.advance(at('2026-03-29T21:59Z'))).toMatchObject([{ today: 14, month: 4 }]);
    expect(engine.nextBoundary()).toBe(at('2026-03-29T22:00Z'));
    expect(engine.advance(at('2026-03-29T22:00Z'))).toMatchObject([{ today: null, month: 4 }]);
    expect(engine.nextBoundary()).toBe(at('2026-03-31T22:00Z'));
    expect(engine.advance(at('2026-03-31T22:00Z'))).toMatchObject([{ today: null, month: 0 }]);
    expect(engine.stats.keys).toBe(0);
  });

  test('beyond the range of dates days, months and years go on', () => {
    for (const length of [{ days: 1 }, { months: 1 }, { years: 1 }]) {
      checkEdgeLaw(edgeOf(length, 'Europe/Paris'), fc.constantFrom(8.64e15, -8.64e15, 9e15, -9e15, 1e17, -1e17).chain((far) => fc.integer({ min: -400 * day, max: 400 * day }).map((aside) => far + aside)), 60);
    }
    expect(edgeOf({ days: 1 }, 'utc').lower(-Infinity)).toBe(-Infinity);
  });

  test('equal lengths are one lookback; not that of the same length from the frontier', () => {
    expect(edgeOf({ weeks: 1 }, 'utc').text).toBe(edgeOf({ days: 7 }, 'utc').text);
    expect(edgeOf({ weeks: 1 }, 'utc').text).not.toBe(calendar({ weeks: 1 }, { zone: 'utc' }).edge.text);
    expect(edgeOf({ days: 1 }, 'utc').text).not.toBe(edgeOf({ days: 1 }, 'Europe/Paris').text);
  });

  test.each([{ months: 1, days: 1 }, { days: 1, hours: 6 }, { hours: 6 }, 'P1YT1S'] as const)('refuses %j, which is of several units or no whole days', (length) => {
    expect(() => since(calendar(length, { zone: 'utc' }))).toThrow(RollingWindowError);
    expect(() => since(calendar(length, { zone: 'utc' }))).toThrow('[invalid-measure] expected a length whose multiples divide time');
  });
});
