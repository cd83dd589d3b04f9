import type { Zone } from 'luxon';
import type { Beginnings } from '../../src/index.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** Within the range of dates, wherever the clocks stand. */
const lastDate = 8.64e15 - 2 * day;
/** Beyond this not even days are told apart. */
const lastDay = 1e18;
/** No clock has ever been further from UTC. */
const furthest = 16 * hour;
const daysPerMonth = 146_097 / 4800; // of the Gregorian cycle of 400 years

/** Numbered stretches of whole days: the first day of each, counted from 1970-01-01, and the number of the one that a day is in. */
export interface CalendarUnit {
  firstDay(index: number): number;
  indexOf(day: number): number;
}

/** So many days, counted from 1970-01-01; whole weeks begin on Mondays. */
export function daysUnit(days: number): CalendarUnit {
  const first = days % 7 === 0 ? -3 : 0; // the first day of 1970 is a Thursday
  return {
    firstDay: (index) => first + index * days,
    indexOf: (of) => Math.floor((of - first) / days),
  };
}

/** So many months, counted from January 1970: three are a quarter, twelve a year. */
export function monthsUnit(months: number): CalendarUnit {
  const firstDay = (index: number): number => firstDayOfMonth(index * months);
  return {
    firstDay,
    indexOf(of) {
      let index = Math.floor(of / daysPerMonth / months) - 1;
      while (firstDay(index + 1) <= of) index++;
      return index;
    },
  };
}

/** Months count from January 1970, days from its first. Not by `Date`, whose range ends. */
function firstDayOfMonth(month: number): number {
  const years = Math.floor(month / 12), year = 1970 + years, inYear = month - 12 * years;
  const isLeap = leapYearsBefore(year + 1) > leapYearsBefore(year);
  return 365 * years + leapYearsBefore(year) - leapYearsBefore(1970) + daysBefore[inYear]! + (isLeap && inYear > 1 ? 1 : 0);
}

const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const leapYearsBefore = (year: number): number => Math.floor((year - 1) / 4) - Math.floor((year - 1) / 100) + Math.floor((year - 1) / 400);

/**
 * The instants at which units of the calendar begin in a time zone: when the clocks there show the first midnight of one, or
 * a later time, for the first time. There are midnights that no clock shows, as one hour after 23:59 it is 1:00; and
 * there were clocks set back from 0:01 to 23:01: what has begun does not begin again.
 */
export function unitBeginnings(unit: CalendarUnit, zone: Zone): Beginnings {
  const found = new Map<number, number>();
  // Frontiers advance in small steps: the unit of the last one mostly serves the next.
  let current = NaN, next = NaN;

  const offsetAt = (instant: number): number => Math.round(zone.offset(Math.max(-lastDate, Math.min(lastDate, instant))) * 60_000);

  function beginningOf(index: number): number {
    let beginning = found.get(index);
    if (beginning === undefined) {
      if (found.size >= 1000) found.clear();
      beginning = firstShowing(unit.firstDay(index) * day, offsetAt);
      found.set(index, beginning);
    }
    return beginning;
  }

  function moveTo(instant: number): void {
    const whole = Math.floor(instant); // of fractions the quotient would be rounded up to the next day
    let index = unit.indexOf(Math.floor((whole + offsetAt(whole)) / day));
    while (beginningOf(index) > instant) index--;
    while (beginningOf(index + 1) <= instant) index++;
    current = beginningOf(index);
    next = beginningOf(index + 1);
  }

  return {
    upTo(instant) {
      if (Math.abs(instant) > lastDay) return instant;
      if (!(current <= instant && instant < next)) moveTo(instant);
      return current;
    },
    after(instant) {
      if (!(current <= instant && instant < next)) moveTo(instant);
      return next;
    },
  };
}

/** The first instant at which clocks show this time or a later one. `offsetAt`: how far they are ahead of UTC. */
function firstShowing(shown: number, offsetAt: (instant: number) => number): number {
  let from = shown - furthest, offset = offsetAt(from);
  // Changes less than an hour apart that undo each other would be missed; none is known of a time zone.
  for (let at = from + hour; ; at += hour) {
    const then = offsetAt(at), until = then === offset ? at : firstChange(at - hour, at, offsetAt);
    if (shown - offset < until) return Math.max(from, shown - offset);
    if (then === offset) continue;
    if (shown - then <= until) return until;
    [from, offset] = [until, then];
  }
}

/** The first whole millisecond in (from, until] with another offset than at `from`. */
function firstChange(from: number, until: number, offsetAt: (instant: number) => number): number {
  const before = offsetAt(from);
  while (until - from > 1) {
    const middle = Math.floor((from + until) / 2);
    if (offsetAt(middle) === before) from = middle;
    else until = middle;
  }
  return until;
}
