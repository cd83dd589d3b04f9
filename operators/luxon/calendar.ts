import { DateTime, Duration } from 'luxon';
import { beginningEdge, RollingWindowError, shown, type AlignedLength } from '../../src/index.ts';
import { calendarEdge } from './calendarEdge.ts';
import { timeZoneOf } from './timeZone.ts';
import { daysUnit, monthsUnit, unitBeginnings } from './unitBeginnings.ts';

/** A length by the calendar: whole years, quarters, months, weeks and days, and any time of day besides. */
export interface CalendarUnits {
  readonly years?: number | undefined;
  readonly quarters?: number | undefined;
  readonly months?: number | undefined;
  readonly weeks?: number | undefined;
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
  readonly seconds?: number | undefined;
  readonly milliseconds?: number | undefined;
}

/** `{ months: 1 }`, ISO 8601 as in `'P1M'`, or a Luxon `Duration`. */
export type CalendarLength = CalendarUnits | `P${string}` | { toObject(): CalendarUnits };

export interface CalendarOptions {
  /** The time zone that days begin in: an IANA name such as `'Europe/Paris'`, `'utc'`, or a fixed offset such as `'UTC+3'`. */
  readonly zone: string;
}

/**
 * A length by the calendar for a frame: one month back from 31 March is 28 February, one day back over a change of the
 * clocks is 23 or 25 hours. The window's beginning never runs backwards: where the calendar would have it, at the end of
 * long months and when the clocks are set back, it waits, so that the window is never shorter than the calendar says.
 * Beyond the range of dates the length is the average one.
 *
 * For `since` it is where the current unit began in that zone: a day at midnight (or when the clocks first show a later
 * time, where midnight is skipped), a week on Monday, a month on its first. Several of a unit count from 1970: three
 * months are the quarters of the year, two weeks count from Monday, 29 December 1969. Seven days are a week. Lengths of
 * different units or with a time of day have no such beginnings: `since` refuses them.
 *
 * @throws RollingWindowError `invalid-duration` for a length that is zero, negative, unreadable, or a fraction of a day
 * or more, and `invalid-config` for an unknown zone or option.
 * @example sum('revenue').over(preceding(calendar({ months: 1 }, { zone: 'Europe/Paris' })))
 */
export function calendar(length: CalendarLength, options: CalendarOptions): AlignedLength {
  const zone = timeZoneOf(options);
  const { months, days, ms } = calendarParts(length);
  // Runs of months differ from their average by less than 3.5 days, and no zone has been set by more than a day.
  const average = (months * daysPerMonth + days) * day + ms;
  const slack = (months > 0 ? 3.5 * day : 0) + (months + days > 0 ? 26 * hour : 0);
  const edge = calendarEdge(`calendar ${isoText(months, days, ms)} ${zone.name}`, {
    shortest: average - slack,
    longest: average + slack,
    average,
    at: (instant) => instant - DateTime.fromMillis(instant, { zone }).minus({ months, days }).toMillis() + ms,
  });
  const unit = ms > 0 || (months > 0 && days > 0) ? undefined : months > 0 ? monthsUnit(months) : daysUnit(days);
  const sinceEdge = unit && beginningEdge(`since ${edge.text}`, edge.longest, unitBeginnings(unit, zone));
  return Object.freeze({ edge, sinceEdge: sinceEdge! }); // `since` tells at run time which lengths have none
}

const hour = 3_600_000;
const day = 24 * hour;
const daysPerMonth = 146_097 / 4800; // of the Gregorian cycle of 400 years

interface CalendarParts {
  readonly months: number;
  readonly days: number;
  readonly ms: number;
}

/** What a unit counts for, and in which part. */
const unitSizes: ReadonlyMap<string, readonly [keyof CalendarParts, number]> = new Map([
  ['years', ['months', 12]],
  ['quarters', ['months', 3]],
  ['months', ['months', 1]],
  ['weeks', ['days', 7]],
  ['days', ['days', 1]],
  ['hours', ['ms', hour]],
  ['minutes', ['ms', 60_000]],
  ['seconds', ['ms', 1000]],
  ['milliseconds', ['ms', 1]],
]);

function calendarParts(length: CalendarLength): CalendarParts {
  const parts = { months: 0, days: 0, ms: 0 };
  for (const [unit, amount] of Object.entries(unitsOf(length))) {
    const [part, size] = unitSizes.get(unit) ?? ['ms', NaN];
    parts[part] += amount === undefined ? 0 : isAmount(amount, part) ? amount * size : NaN;
  }
  const sum = parts.months + parts.days + parts.ms;
  if (sum > 0 && sum < Infinity) return parts;
  throw new RollingWindowError('invalid-duration', {
    expected: "a positive length such as { months: 1 }, { days: 1, hours: 12 }, 'P1M' or a Luxon Duration, with whole years, quarters, months, weeks and days",
    given: shown(length),
  });
}

function unitsOf(length: CalendarLength | null | undefined): object {
  if (typeof length === 'string') return Duration.fromISO(length).toObject();
  const { toObject } = (length ?? {}) as { toObject?: () => object };
  return toObject ? toObject.call(length) : (length ?? {});
}

/** Half a month is no calendar length; half an hour is. */
function isAmount(amount: unknown, part: keyof CalendarParts): amount is number {
  return typeof amount === 'number' && amount >= 0 && (part === 'ms' || Number.isInteger(amount));
}

/** Equal lengths have equal texts, however they were written. */
function isoText(months: number, days: number, ms: number): string {
  return `P${months > 0 ? `${months}M` : ''}${days > 0 ? `${days}D` : ''}${ms > 0 ? `T${ms / 1000}S` : ''}`;
}
