import { RollingWindowError, shown } from '../errors.ts';

/**
 * Reads a time column and writes the frontier column. Inside, every time is a double in epoch milliseconds.
 */
export interface TimeAdapter<In = unknown, Out = unknown> {
  /** What it reads. Written into snapshots: one made with an adapter of another name is refused. Without: never compared. */
  readonly name?: string;
  /** Epoch milliseconds, fractions allowed; NaN where the value is no instant. Never throws. */
  read(value: In): number;
  /** The frontier as it stands in rows. Before the first evaluation the frontier is minus infinity. */
  write(frontier: number): Out;
}

/** The written frontier for one more row: where it is an object a new one, since a subscriber may change it. */
export const writtenAnew = (time: TimeAdapter, written: unknown, frontier: number): unknown => (typeof written === 'object' ? time.write(frontier) : written);

/**
 * The default: reads epoch milliseconds and `Date`, writes epoch milliseconds as they are, fractions included.
 *
 * @example rollingWindow({ time: epochMilliseconds, ... }) // the same as no `time`
 */
export const epochMilliseconds: TimeAdapter<number | Date, number> = {
  name: 'milliseconds',
  read: numberOrDateMs,
  write: (frontier) => frontier,
};

/**
 * Reads epoch milliseconds and `Date`, writes the frontier as a `Date`, floored to the millisecond. A frontier outside
 * the range of `Date` is an invalid `Date`.
 *
 * @example rollingWindow({ time: dates, ... }) // row.__frontier is a Date
 */
export const dates: TimeAdapter<number | Date, Date> = {
  name: 'milliseconds',
  read: numberOrDateMs,
  write: (frontier) => new Date(Math.floor(frontier)),
};

/**
 * Reads epoch seconds, micro- or nanoseconds, as number or bigint, to the resolution of a double in milliseconds.
 * Seconds write the frontier as a number with its fraction, the others as a bigint floored to their unit; before the
 * first evaluation that is the smallest 64-bit integer.
 *
 * @throws RollingWindowError `invalid-config` for another unit.
 * @example rollingWindow({ time: epoch('nanoseconds'), ... }) // reads 1790000000000000000n
 */
export function epoch(unit: 'seconds'): TimeAdapter<number | bigint, number>;
export function epoch(unit: 'microseconds' | 'nanoseconds'): TimeAdapter<number | bigint, bigint>;
export function epoch(unit: 'seconds' | 'microseconds' | 'nanoseconds'): TimeAdapter<number | bigint, number | bigint> {
  switch (unit) {
    case 'seconds':
      return { name: unit, read: (value) => finite(typeof value === 'bigint' ? Number(value) * 1000 : typeof value === 'number' ? value * 1000 : NaN), write: (frontier) => frontier / 1000 };
    case 'microseconds':
      return finerThanMilliseconds(unit, 1000);
    case 'nanoseconds':
      return finerThanMilliseconds(unit, 1_000_000);
    default:
      throw new RollingWindowError('invalid-config', { expected: "'seconds', 'microseconds' or 'nanoseconds'", given: shown(unit) });
  }
}

/** Milliseconds and the rest are converted apart: nanoseconds of our days are beyond 2^53, and one division would round them twice. */
function finerThanMilliseconds(name: string, perMs: number): TimeAdapter<number | bigint, bigint> {
  const units = BigInt(perMs);
  return {
    name,
    read: (value) => finite(typeof value === 'bigint' ? Number(value / units) + Number(value % units) / perMs : typeof value === 'number' ? value / perMs : NaN),
    write(frontier) {
      if (!Number.isFinite(frontier)) return -(2n ** 63n);
      const ms = Math.trunc(frontier);
      return BigInt(ms) * units + BigInt(Math.floor((frontier - ms) * perMs));
    },
  };
}

/**
 * Reads ISO 8601 text: date and time with `Z` or an offset, or a date alone, which begins in UTC; fractions of a second
 * of any length. A time without zone is invalid, for it would mean another instant on each machine. Writes the frontier
 * as `'2026-01-31T12:00:00.000Z'`, floored to the millisecond; outside the range of `Date`, its nearest end.
 *
 * @example rollingWindow({ time: isoTime, ... }) // reads '2026-01-31T13:00:00.123456+01:00'
 */
export const isoTime: TimeAdapter<string, string> = {
  name: 'ISO text',
  read(value) {
    const parts = typeof value === 'string' ? isoText.exec(value)?.groups : undefined;
    return parts ? isoMs(parts) : NaN;
  },
  write: (frontier) => new Date(Math.min(Math.max(Math.floor(frontier), -lastDate), lastDate)).toISOString(),
};

const lastDate = 8.64e15;
const isoText = /^(?<day>(?:\d{4}|[+-]\d{6})-\d\d-\d\d)(?:T(?<minute>\d\d:\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?:Z|(?<sign>[+-])(?<hours>[01]\d|2[0-3])(?::?(?<minutes>[0-5]\d))?))?$/;

type IsoParts = Readonly<Partial<Record<string, string>>>;

function isoMs({ day = '', minute = '00:00', second = '00', fraction = '', sign, hours = '0', minutes = '0' }: IsoParts): number {
  const whole = Date.parse(`${day}T${minute}:${second}Z`);
  // Some engines read 30 February as 2 March.
  if (Number.isNaN(whole) || !new Date(whole).toISOString().startsWith(day)) return NaN;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  // Moving the decimal point in the text is exact where `0.057 * 1000` is not.
  return whole + Number(`${fraction.slice(0, 3).padEnd(3, '0')}.${fraction.slice(3)}`) - (sign === '-' ? -offset : offset);
}

function numberOrDateMs(value: unknown): number {
  return typeof value === 'number' ? finite(value) : dateMs(value);
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : NaN;
}

/** From the Date's own slot, not a method of the value: no user code runs, and Dates of other realms are read too. */
function dateMs(value: unknown): number {
  try {
    return Date.prototype.getTime.call(value);
  } catch {
    return NaN;
  }
}
