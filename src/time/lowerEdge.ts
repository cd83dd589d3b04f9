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
  /** Present where the window always has this length: such windows lie within each other, the shorter in the longer. */
  readonly fixed?: true;
  /** Present where the frame itself says which of its edges are inside, whatever `closed` says. */
  readonly settled?: true;
  /** Where the window ends, if that is not the frontier. It never ends before it begins. */
  readonly upper?: UpperEdge;
  /** Present where the window holds this many events, however old: none leaves by its time. */
  readonly rows?: number;
  /** Events at or before this instant are outside. */
  lower(frontier: number): number;
  /** The first frontier at which an event of this time is outside. */
  leavesAt(time: number): number;
}

/**
 * Where a window ends that does not reach up to the frontier: it holds nothing later.
 *
 * Law: as that of `LowerEdge`, with `entersAt(t)` the smallest frontier F with `t <= upper(F)`.
 */
export interface UpperEdge {
  upper(frontier: number): number;
  entersAt(time: number): number;
}

/** The window of a fixed length. */
export function rangeEdge(length: number): LowerEdge {
  return {
    text: `range ${String(length)}`,
    longest: length,
    fixed: true,
    lower: (frontier) => frontier - length,
    leavesAt: (time) => firstReaching(time, length),
  };
}

/** Instants at which windows begin, each later than the one before. */
export interface Beginnings {
  /** The last one at or before an instant. */
  upTo(instant: number): number;
  /** The first one after it. */
  after(instant: number): number;
}

/** The window from the last beginning on, which is inside. `longest`: from one to the next, at most. */
export function beginningEdge(text: string, longest: number, beginnings: Beginnings): LowerEdge {
  return {
    text,
    longest,
    settled: true,
    lower: (frontier) => nextDown(beginnings.upTo(frontier)),
    leavesAt: (time) => beginnings.after(time),
  };
}

/** The window that begins at the last multiple of a length since 1970 (UTC). */
export function sinceEdge(length: number): LowerEdge {
  return beginningEdge(`since ${String(length)}`, length, {
    upTo: (instant) => lastMultiple(length, instant),
    after: (instant) => multipleAfter(length, instant),
  });
}

/**
 * The window of a fixed length that ends at the last multiple of a step: `(k * step - size, k * step]`. Where the step is
 * longer than the size, events between two windows are in neither of them: they enter and leave at one instant.
 */
export function slidingEdge(size: number, step: number): LowerEdge & { readonly upper: UpperEdge } {
  const upper = {
    upper: (frontier: number) => lastMultiple(step, frontier),
    entersAt: (time: number) => multipleFrom(step, time),
  };
  return {
    text: `sliding ${String(size)} every ${String(step)}`,
    longest: size + step,
    settled: true,
    upper,
    lower: (frontier) => upper.upper(frontier) - size,
    leavesAt: (time) => upper.entersAt(firstReaching(time, size)),
  };
}

/** The window of the last events, of which there are so many. */
export function rowsEdge(rows: number): LowerEdge & { readonly rows: number } {
  return {
    text: `rows ${String(rows)}`,
    longest: Infinity,
    settled: true,
    rows,
    lower: () => -Infinity,
    leavesAt: () => Infinity,
  };
}

/** The last multiple at or before an instant. The quotient is rounded, so that its floor may be one too large or too small. */
function lastMultiple(length: number, instant: number): number {
  const k = Math.floor(instant / length);
  if (!Number.isSafeInteger(k)) return instant; // multiples closer to each other than doubles
  const next = (k + 1) * length, start = k * length;
  return next <= instant ? next : start <= instant ? start : (k - 1) * length;
}

/** The first multiple at or after an instant. */
function multipleFrom(length: number, instant: number): number {
  const last = lastMultiple(length, instant);
  return last === instant ? instant : multipleAfter(length, instant);
}

function multipleAfter(length: number, instant: number): number {
  const k = Math.floor(instant / length);
  if (!Number.isSafeInteger(k)) return nextUp(instant);
  const next = (k + 1) * length, start = k * length;
  return start > instant ? start : next > instant ? next : (k + 2) * length;
}

/** The smallest double from which `length` can be taken without falling below `time`. */
export function firstReaching(time: number, length: number): number {
  const sum = time + length;
  // Whole milliseconds since 1970: the sum is exact, and below it doubles lie no closer to each other than below `time`.
  if (time >= 0 && Number.isInteger(time) && Number.isInteger(length) && sum <= Number.MAX_SAFE_INTEGER) return sum;
  // Both the sum and the difference are rounded. Near zero, where doubles are dense, millions of them next to each other
  // may differ from `length` by the same double: halving finds the first of them, stepping down would take for ever.
  let below = nextDown(nextDown(time) + length);
  let first = nextUp(sum);
  for (;;) {
    const middle = below + (first - below) / 2;
    if (!(below < middle && middle < first)) return first;
    if (middle - length < time) below = middle;
    else first = middle;
  }
}

/** The same window with its lower edge inside: `[lower(F), F]`, SQL's RANGE. */
export function inclusive(edge: LowerEdge): LowerEdge {
  return {
    text: `${edge.text}, both edges`,
    longest: edge.longest,
    ...(edge.fixed && { fixed: true }),
    lower: (frontier) => nextDown(edge.lower(frontier)),
    leavesAt: (time) => edge.leavesAt(nextUp(time)),
  };
}

/**
 * The edge that holds whatever one of these holds. Windows by the calendar do not lie within each other (a month is now
 * shorter, now longer than 30 days), so what is kept is decided by their union.
 */
export function union(edges: readonly LowerEdge[]): LowerEdge {
  return {
    text: 'union',
    longest: Infinity,
    lower: (frontier) => Math.min(...edges.map((edge) => edge.lower(frontier))),
    leavesAt: (time) => Math.max(...edges.map((edge) => edge.leavesAt(time))),
  };
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The smallest double above a finite one. */
export function nextUp(value: number): number {
  if (!(value < Infinity)) return value;
  if (value === 0) return Number.MIN_VALUE;
  double[0] = value;
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? 1n : -1n);
  return double[0];
}

/** The largest double below a finite one. */
export function nextDown(value: number): number {
  return -nextUp(-value);
}
