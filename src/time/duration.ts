import parse from 'parse-duration';
import { RollingWindowError, shown } from '../errors.ts';

type Unit = 'millisecond' | 'milliseconds' | 'ms' | 'second' | 'seconds' | 'minute' | 'minutes' | 'hour' | 'hours' | 'day' | 'days' | 'week' | 'weeks';
type Part = `${number} ${Unit}`;

/**
 * A length of time as a text that the compiler can check: `'10 minutes'`, `'1 hour 30 minutes'`, or ISO 8601 as in `'PT1H'`.
 * A text known only at run time goes through `duration(text)`.
 */
export type DurationText = Part | `${Part} ${Part}` | `P${number}${'D' | 'W'}` | `PT${string}` | `P${number}DT${string}`;

/** A length of time by its parts. A day is 24 hours, a week 168. */
export interface DurationObject {
  readonly weeks?: number | undefined;
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
  readonly seconds?: number | undefined;
  readonly milliseconds?: number | undefined;
}

/** A length of time: milliseconds, `'10 minutes'`, `'PT1H'`, `{ hours: 1 }`, or anything with `toMillis()`, such as a Luxon `Duration`. */
export type Duration = number | DurationText | DurationObject | { toMillis(): number };

/** What the compiler shows where a text is no length of time. */
export interface LengthOfTime<Form extends string> {
  readonly form: Form;
}

/** The length as it is; of a text that is none, what there could be instead. */
export type CheckedDuration<Given> = Given extends string
  ? Given extends DurationText
    ? Given
    : LengthOfTime<"'10 minutes', '1 hour 30 minutes' or 'PT1H', in ms, milliseconds, seconds, minutes, hours, days, weeks; duration(text) reads others at run time">
  : Duration;

/**
 * A length of time in milliseconds.
 *
 * @throws RollingWindowError `invalid-duration` for negative, infinite and unreadable lengths, for months and years, and
 * with `positive` for zero.
 * @example durationMs('1 hour 30 minutes') // 5_400_000
 */
export function durationMs(duration: Duration, { positive = false }: { readonly positive?: boolean } = {}): number {
  const ms = typeof duration === 'number' ? duration : typeof duration === 'string' ? textMs(duration) : objectMs(duration);
  if (typeof ms === 'number' && ms < Infinity && (ms > 0 || (ms === 0 && !positive))) return ms;
  throw new RollingWindowError('invalid-duration', {
    expected: `a ${positive ? 'positive' : 'finite, non-negative'} length of time: milliseconds, '10 minutes', '1 hour 30 minutes', 'PT1H', { hours: 1 } or an object with toMillis(), in weeks, days, hours, minutes, seconds, milliseconds`,
    given: shown(duration),
    remedy: "The length of months and years depends on the calendar: use calendar(...) of 'rxjs-rolling-window/luxon' for them",
  });
}

/**
 * Reads a length of time, in milliseconds, from a text known only at run time: what `DurationText` takes, any number of
 * parts, and the short units `ms s sec m min h hr d w`, where `m` is minutes.
 *
 * @throws RollingWindowError `invalid-duration` where the text is anything else.
 * @example range(duration(settings.lookback)) // '2h30m' is 9_000_000
 */
export function duration(text: string): number {
  return durationMs(text as DurationText);
}

// The parser takes what it knows and skips the rest: '1 houer' is nothing, '1,5 hours' is 15 hours, 'P1M' is a minute and
// 'P1DT2H' two hours. So it only ever sees texts of which every character is accounted for.
const number = String.raw`(?:\d+(?:\.\d+)?|\.\d+)`;
const words = new RegExp(String.raw`^(?:${number}\s*(?:(?:millisecond|second|sec|minute|min|hour|hr|day|week)s?|ms|[smhdw])\s*)+$`);
const iso = new RegExp(`^P(?:${number}W)?(?:${number}D)?(?:T(?=.)(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`);

function textMs(text: string): number | null {
  return words.test(text) || iso.test(text) ? parse(text.replace(/[PT]/g, ' ')) : null;
}

const unitMs: ReadonlyMap<unknown, number> = new Map(
  Object.entries({ weeks: 604_800_000, days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000, milliseconds: 1 }),
);

function objectMs(duration: object | null): unknown {
  const { toMillis, toObject } = (duration ?? {}) as { toMillis?: () => unknown; toObject?: () => object };
  if (toMillis && !toObject) return toMillis.call(duration);
  // Luxon's toMillis() takes a month for 30 days, and a DateTime has one too: what they are made of tells.
  return partsMs(Object.entries((toObject ? toObject.call(duration) : (duration ?? {})) as Readonly<Record<string, unknown>>));
}

function partsMs(parts: readonly (readonly [string, unknown])[]): number {
  let ms = parts.length > 0 ? 0 : NaN;
  for (const [unit, amount] of parts) {
    // A difference of two dates may well say `months: 0`.
    if (amount === 0 || amount === undefined) continue;
    ms += typeof amount === 'number' ? amount * (unitMs.get(unit) ?? NaN) : NaN;
  }
  return ms;
}
