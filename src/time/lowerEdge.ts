/**
 * The lower edge of a bounded window, as a function of the frontier.
 *
 * A window holds the events with `lower(F) < t <= F`. That the edge is exclusive is no loss: an inclusive one is the
 * exclusive edge one double further down (`inclusive`), so everything behind this file knows a single comparison.
 *
 * Law: `lower` never falls while the frontier rises, and `leavesAt(t)` is the smallest frontier F with `t <= lower(F)`.
 */
export interface LowerEdge {
  /** Frames with equal text share one lookback, and a snapshot compares it. */
  readonly text: string;
  /** The longest that the window can get, in milliseconds: puts lookbacks in order. */
  readonly longest: number;
  /** Events at or before this instant are outside. */
  lower(frontier: number): number;
  /** The first frontier at which an event of this time is outside. */
  leavesAt(time: number): number;
}

/** The window of a fixed length. */
export function rangeEdge(length: number): LowerEdge {
  return {
    text: `range ${String(length)}`,
    longest: length,
    lower: (frontier) => frontier - length,
    leavesAt(time) {
      // `time + length` is rounded, and so is `frontier - length`: they may differ by a double or two.
      let frontier = time + length;
      while (frontier - length < time) frontier = nextUp(frontier);
      for (let before = nextDown(frontier); before - length >= time; before = nextDown(frontier)) frontier = before;
      return frontier;
    },
  };
}

/** The same window with its lower edge inside: `[lower(F), F]`, SQL's RANGE. */
export function inclusive(edge: LowerEdge): LowerEdge {
  return {
    text: `${edge.text}, both edges`,
    longest: edge.longest,
    lower: (frontier) => nextDown(edge.lower(frontier)),
    leavesAt: (time) => edge.leavesAt(nextUp(time)),
  };
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The smallest double above a finite one. */
export function nextUp(value: number): number {
  if (!(value < Infinity)) return value;
  if (value === 0) return Number.MIN_VALUE;
  double[0] = value;
  bits[0]! += value > 0 ? 1n : -1n;
  return double[0];
}

/** The largest double below a finite one. */
export function nextDown(value: number): number {
  return -nextUp(-value);
}
