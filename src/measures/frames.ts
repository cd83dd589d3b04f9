import { rangeEdge, type LowerEdge } from '../time/lowerEdge.ts';
import { durationMs, type CheckedDuration, type Duration } from '../time/duration.ts';

/** A length that a frame looks back: fixed by `range`, or by the calendar (Luxon entry). */
export interface FrameLength {
  readonly edge: LowerEdge;
}

/** Which events a measure is computed from. Without a frame: all since the stream started. */
export interface Frame {
  readonly kind: 'preceding';
  readonly edge: LowerEdge;
}

/**
 * A fixed length of time for a frame.
 *
 * @param length Milliseconds, `'10 minutes'`, `'PT1H'`, `{ hours: 1 }` or anything with `toMillis()`. Days are 24 hours.
 * @throws RollingWindowError `invalid-duration` for zero, negative, infinite and unreadable lengths, and for months and
 * years, whose length depends on the calendar.
 * @example sum('revenue').over(preceding(range('1 hour')))
 */
export function range<const Length>(length: CheckedDuration<Length>): FrameLength {
  return Object.freeze({ edge: rangeEdge(durationMs(length as Duration, { positive: true })) });
}

/**
 * The window that reaches back from the frontier: `F - length < t <= F`.
 *
 * @example avg('price').over(preceding(range('10 minutes')))
 */
export function preceding(length: FrameLength): Frame {
  return Object.freeze({ kind: 'preceding', edge: length.edge });
}
