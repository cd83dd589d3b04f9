import { rangeEdge, type LowerEdge } from '../../src/index.ts';

/** A length that depends on when it is counted back from. */
export interface CalendarWidth {
  /** How far before this instant, in whole epoch milliseconds, the window begins. Constant but for single instants. */
  at(instant: number): number;
  readonly shortest: number;
  readonly longest: number;
  /** Beyond the range of dates there is no calendar; there the length is this. */
  readonly average: number;
}

/** From this frontier on, until the next piece, the width is the same. */
interface Piece {
  readonly from: number;
  readonly width: number;
}

const day = 86_400_000;
const hour = 3_600_000;
const lastDate = 8.64e15;

/**
 * The lower edge of a calendar window, made monotone.
 *
 * `F - width(F)` jumps back where the clocks are set back, where it passes an hour that did not exist, and at the end of
 * the 29th, 30th and 31st if the month before was shorter. The edge is the smallest of it over all frontiers from F on:
 * it waits at the place that it would otherwise come back to. So no event leaves and enters again, and the window is
 * never shorter than the calendar says. The largest so far would be as monotone, but on 29 March it would drop the
 * 28 February that is less than a month old on the 31st.
 */
export function calendarEdge(text: string, width: CalendarWidth): LowerEdge {
  const { shortest, longest, average } = width;
  const last = Math.floor(lastDate / day) - 2;
  const first = Math.ceil((longest - lastDate) / day) + 2;
  const days = new Map<number, readonly Piece[]>();

  function piecesOf(index: number): readonly Piece[] {
    let pieces = days.get(index);
    if (!pieces) {
      if (days.size >= 1000) days.clear();
      pieces = findPieces(index * day);
      days.set(index, pieces);
    }
    return pieces;
  }

  function findPieces(from: number): Piece[] {
    const pieces = [{ from, width: width.at(from) }];
    // Changes less than an hour apart that undo each other would be missed; none is known of a time zone.
    for (let at = from; at < from + day; at += hour) addChanges(pieces, at, at + hour, width.at(at + hour));
    return pieces;
  }

  /** Adds the changes in (from, until]. */
  function addChanges(pieces: Piece[], from: number, until: number, widthThen: number): void {
    if (pieces.at(-1)?.width === widthThen) return;
    if (until - from === 1) {
      pieces.push({ from: until, width: widthThen });
      return;
    }
    const middle = Math.floor((from + until) / 2);
    addChanges(pieces, from, middle, width.at(middle));
    addChanges(pieces, middle, until, widthThen);
  }

  /** The piece that an instant lies in and all later ones. */
  function* piecesFrom(instant: number): Generator<Piece> {
    if (instant < first * day) yield { from: -Infinity, width: average };
    for (let index = Math.max(first, Math.floor(Math.floor(instant) / day)); index < last; index++) yield* piecesOf(index);
    yield { from: last * day, width: average };
  }

  // Frontiers advance in small steps: the piece of the last one mostly serves the next.
  let piece: Piece = { from: Infinity, width: average };
  let until = Infinity;
  let floor = Infinity;

  function moveTo(frontier: number): void {
    until = Infinity;
    floor = Infinity;
    for (const next of piecesFrom(frontier)) {
      if (next.from <= frontier) {
        piece = next;
        continue;
      }
      until = Math.min(until, next.from);
      if (next.from - longest >= until - shortest) return;
      floor = Math.min(floor, next.from - next.width);
    }
  }

  return {
    text,
    longest,
    lower(frontier) {
      if (!(piece.from <= frontier && frontier < until)) moveTo(frontier);
      return Math.min(frontier - piece.width, floor);
    },
    leavesAt(time) {
      // An event is outside for good after the last frontier whose window begins before it. Within a piece the window's
      // beginning rises, so that the last piece to begin before the event settles it.
      let settling = 0;
      let end = Infinity;
      for (const { from, width: here } of piecesFrom(time + shortest - 1)) {
        if (from - here < time) {
          settling = here;
          end = Infinity;
        } else {
          end = Math.min(end, from);
          if (from - longest >= time) break;
        }
      }
      return Math.min(end, rangeEdge(settling).leavesAt(time));
    },
  };
}
