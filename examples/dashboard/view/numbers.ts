const threeDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** What stands where there is no number. */
export const NONE = '–';

/** Three digits of it, so that a column does not flicker with the rest. */
export function measured(value: number | null | undefined): string {
  if (value == null) return NONE;
  return Math.abs(value) < 100 ? threeDigits.format(value) : whole.format(value);
}

export const counted = (value: number): string => whole.format(value);

/** Per second, over a window of so many. */
export const rate = (count: number, seconds: number): string => measured(count / seconds);

/** The time of day, to the tenth of a second. */
export function timeOfDay(instant: number): string {
  return Number.isFinite(instant) ? `${new Date(instant).toLocaleTimeString('en-GB')}.${String(Math.floor(instant / 100) % 10)}` : NONE;
}
