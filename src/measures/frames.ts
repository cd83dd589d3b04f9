import { RollingWindowError, shown } from '../errors.ts';
import { rangeEdge, sinceEdge, type LowerEdge } from '../time/lowerEdge.ts';
import { durationMs, type CheckedDuration, type Duration } from '../time/duration.ts';

/** A length that a frame looks back: fixed by `range`, or by the calendar (Luxon entry). */
export interface FrameLength {
  readonly edge: LowerEdge;
}

/** A length that is the same at all times, so that its multiples divide time. */
export interface RangeLength extends FrameLength {
  /** Of the window from the last multiple on. */
  readonly sinceEdge: LowerEdge;
}

/** Which events a measure is computed from. Without a frame: all since the stream started. */
export interface Frame {
  readonly kind: 'preceding' | 'since';
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
export function range<const Length>(length: CheckedDuration<Length>): RangeLength {
  const ms = durationMs(length as Duration, { positive: true });
  return Object.freeze({ edge: rangeEdge(ms), sinceEdge: sinceEdge(ms) });
}

/**
 * The window that reaches back from the frontier: `F - length < t <= F`.
 *
 * @throws RollingWindowError `invalid-measure` for what is no length.
 * @example avg('price').over(preceding(range('10 minutes')))
 */
export function preceding(length: FrameLength): Frame {
  if (typeof (length as Partial<FrameLength> | undefined)?.edge?.leavesAt !== 'function') {
    throw new RollingWindowError('invalid-measure', { expected: "a length such as range('1 hour')", given: shown(length) });
  }
  return Object.freeze({ kind: 'preceding', edge: length.edge });
}

/**
 * The window from the last multiple of a length (counted from 1970, in UTC) up to the frontier: a tumbling window as it
 * fills. The multiple itself is inside, whatever `closed` says.
 *
 * @throws RollingWindowError `invalid-measure` for a length by the calendar.
 * @example sum('revenue').over(since(range('1 day'))) // since midnight UTC
 */
export function since(length: RangeLength): Frame {
  const edge = (length as Partial<RangeLength> | undefined)?.sinceEdge;
  if (edge === undefined) throw new RollingWindowError('invalid-measure', { expected: "a length such as range('1 day')", given: shown(length) });
  return Object.freeze({ kind: 'since', edge });
}
