import { shown } from '../errors.ts';
import type { WindowFrame } from '../measures/windowSpec.ts';
import { durationMs, type Duration } from '../time/duration.ts';
import { invalidWindow } from './invalidWindow.ts';

// As constants: else their types would widen to a string where one of two bounds is chosen.
/** The end of a frame that is the partition's beginning. */
export const unboundedPreceding = 'unbounded preceding' as const;
/** The end of a frame that is the current row; of a range, the first or the last of its peers. */
export const currentRow = 'current row' as const;
/** The end of a frame that is the partition's end. */
export const unboundedFollowing = 'unbounded following' as const;

/** A length of time before or behind the current row. */
export type TimeOffset = { readonly preceding: Duration; readonly following?: never } | { readonly following: Duration; readonly preceding?: never };

/** A number of rows, or a difference of values: negative before the current row, positive behind it. */
type Offset<Unit extends WindowFrame['unit']> = Unit extends 'rows' ? number : number | TimeOffset;

/** Where a frame begins. */
export type FrameStart<Unit extends WindowFrame['unit']> = typeof unboundedPreceding | typeof currentRow | Offset<Unit>;
/** Where a frame ends. */
export type FrameEnd<Unit extends WindowFrame['unit']> = typeof unboundedFollowing | typeof currentRow | Offset<Unit>;

/**
 * The frame between two bounds.
 *
 * @throws RollingWindowError `invalid-window` for bounds that are none, for offsets that are not finite, or in rows not
 * whole, and where the frame would begin behind its end; `invalid-duration` for an unreadable length of time.
 */
export function frameBetween(unit: WindowFrame['unit'], start: unknown, end: unknown): WindowFrame {
  if (start === unboundedFollowing) throw invalidWindow('a frame that begins before the partition ends', start, 'It can end with unboundedFollowing');
  if (end === unboundedPreceding) throw invalidWindow('a frame that ends behind the beginning of the partition', end, 'It can begin with unboundedPreceding');
  const frame = { unit, start: offsetOf(unit, start), end: offsetOf(unit, end), timed: isTimed(start) || isTimed(end) };
  if (frame.start > frame.end) throw invalidWindow('a frame that begins before it ends', `${shown(start)} to ${shown(end)}`, 'Offsets before the current row are negative');
  return Object.freeze(frame);
}

/** Whether a bound lies at a distance from the current row. */
export const isOffset = (bound: number): boolean => bound !== 0 && Number.isFinite(bound);

const isTimed = (bound: unknown): boolean => typeof bound === 'object';

function offsetOf(unit: WindowFrame['unit'], bound: unknown): number {
  if (bound === unboundedPreceding) return -Infinity;
  if (bound === unboundedFollowing) return Infinity;
  if (bound === currentRow) return 0;
  if (typeof bound === 'number' && (unit === 'rows' ? Number.isSafeInteger(bound) : Number.isFinite(bound))) return bound + 0;
  if (unit === 'range' && typeof bound === 'object' && bound !== null) {
    const { preceding, following } = bound as { preceding?: Duration; following?: Duration };
    if (preceding !== undefined && following === undefined) return 0 - durationMs(preceding);
    if (following !== undefined && preceding === undefined) return durationMs(following);
  }
  const offset = unit === 'rows' ? 'a whole number of rows' : "a finite number, { preceding: '1 hour' } or { following: '1 hour' }";
  throw invalidWindow(`unboundedPreceding, currentRow, unboundedFollowing, or ${offset}`, bound);
}
