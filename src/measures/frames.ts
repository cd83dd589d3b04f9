import { RollingWindowError, shown } from '../errors.ts';
import { rangeEdge, rowsEdge, sinceEdge, slidingEdge, type LowerEdge } from '../time/lowerEdge.ts';
import { durationMs, type CheckedDuration, type Duration } from '../time/duration.ts';

/** How far a frame looks back: by `range`, by `rows`, or by the calendar (Luxon entry). */
export interface FrameLength {
  readonly edge: LowerEdge;
}

/** A length whose multiples divide time. */
export interface AlignedLength extends FrameLength {
  /** Of the window from the last multiple on. */
  readonly sinceEdge: LowerEdge;
}

/** A length that is the same at all times. */
export interface RangeLength extends AlignedLength {
  readonly milliseconds: number;
}

/** Which events a measure is computed from. Without a frame: all since the stream started. */
export interface Frame {
  readonly kind: 'preceding' | 'since' | 'sliding';
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
  const milliseconds = durationMs(length as Duration, { positive: true });
  return Object.freeze({ edge: rangeEdge(milliseconds), sinceEdge: sinceEdge(milliseconds), milliseconds });
}

/**
 * The last so many events of a key, for a frame, in order of (event time, arrival). Events whose value is null or that the
 * measure's filter refuses take a place too. None leaves by its time, so the key stays, and with it its last row.
 *
 * @param count A whole number from 1.
 * @throws RollingWindowError `invalid-measure` for another count.
 * @example avg('price').over(preceding(rows(20)))
 */
export function rows(count: number): FrameLength {
  if (!Number.isSafeInteger(count) || count < 1) throw new RollingWindowError('invalid-measure', { expected: 'a whole number of rows from 1', given: shown(count) });
  return Object.freeze({ edge: rowsEdge(count) });
}

/**
 * The window that reaches back from the frontier: `F - length < t <= F`, or the last events up to F.
 *
 * @throws RollingWindowError `invalid-measure` for what is no length.
 * @example avg('price').over(preceding(range('10 minutes')))
 */
export function preceding(length: FrameLength): Frame {
  if (typeof (length as Partial<FrameLength> | undefined)?.edge?.leavesAt !== 'function') {
    throw new RollingWindowError('invalid-measure', { expected: "a length such as range('1 hour') or rows(100)", given: shown(length) });
  }
  return Object.freeze({ kind: 'preceding', edge: length.edge });
}

/**
 * The window from the last multiple of a length up to the frontier: a tumbling window as it fills. Multiples of a range
 * count from 1970, in UTC; those of a calendar length begin with its days, weeks, months or years. The multiple itself is
 * inside, whatever `closed` says.
 *
 * @throws RollingWindowError `invalid-measure` for a length whose multiples do not divide time, such as `rows` and
 * calendar lengths of several units.
 * @example sum('revenue').over(since(range('1 day'))) // since midnight UTC
 */
export function since(length: AlignedLength): Frame {
  const edge = (length as Partial<AlignedLength> | undefined)?.sinceEdge;
  if (edge === undefined) {
    throw new RollingWindowError('invalid-measure', { expected: "a length whose multiples divide time, such as range('1 day') or a calendar length of one unit", given: shown(length) });
  }
  return Object.freeze({ kind: 'since', edge });
}

/**
 * The window of a fixed size that moves in steps: `k * step - size < t <= k * step` for the last multiple of the step that
 * the frontier has reached. It shows complete windows only; `closed` does not apply. Where the step is longer than the
 * size, events between two windows count in neither.
 *
 * @throws RollingWindowError `invalid-measure` where one of the two is no range.
 * @example avg('load').over(sliding(range('1 hour'), range('5 minutes')))
 */
export function sliding(size: RangeLength, step: RangeLength): Frame {
  return Object.freeze({ kind: 'sliding', edge: slidingEdge(millisecondsOf(size), millisecondsOf(step)) });
}

/**
 * The last complete window of those that follow each other without overlap, `(k * length - length, k * length]`: the same
 * as `sliding(length, length)`.
 *
 * @throws RollingWindowError `invalid-measure` for what is no range.
 * @example sum('revenue').over(tumbling(range('1 hour'))) // the last full hour
 */
export function tumbling(length: RangeLength): Frame {
  return sliding(length, length);
}

function millisecondsOf(length: RangeLength): number {
  const ms = (length as Partial<RangeLength> | undefined)?.milliseconds;
  if (ms === undefined) throw new RollingWindowError('invalid-measure', { expected: "ranges, as in sliding(range('1 hour'), range('5 minutes'))", given: shown(length) });
  return ms;
}
