/** Milliseconds that are always kept apart: going through them costs less than a report. */
export const narrow = 1024;

/** Milliseconds that are kept apart at most, of many events: about a minute. */
export const wide = 65_536;

/** How many milliseconds an event pays for: so many events are worth the way through so much room. */
export const roomPerEvent = 8;

/**
 * How many events fall on each whole millisecond, as long as these lie close together.
 *
 * The place of a millisecond is its remainder: whichever comes first, there is room before it and behind it.
 */
export class Instants {
  /** By the remainder of a millisecond. */
  cells: Float64Array = new Float64Array(narrow);
  /** No event is earlier, none is later. */
  low: number = Infinity;
  high: number = -Infinity;
  /** Whole milliseconds from `low` on have their places up to this one, exclusively. */
  limit: number = -Infinity;
  /** How many events have their places. */
  count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Whether there is a place for it: not for fractions, nor for what is far from the others. */
  fits(instant: number): boolean {
    if (Math.floor(instant) !== instant) return false;
    return (instant >= this.low && instant < this.limit) || this.reach(Math.min(this.low, instant), Math.max(this.high, instant));
  }

  /** Events at an instant that fits. */
  add(instant: number, count: number): void {
    this.cells[instant & (this.cells.length - 1)]! += count;
    this.count += count;
    if (instant > this.high) this.high = instant;
  }

  /** The events are gone. */
  clear(): void {
    const { cells, low, high } = this, start = low & (cells.length - 1), end = start + high - low + 1;
    cells.fill(0, start, end);
    if (end > cells.length) cells.fill(0, 0, end - cells.length);
    this.low = Infinity;
    this.high = this.limit = -Infinity;
    this.count = 0;
  }

  private reach(low: number, high: number): boolean {
    const span = high - low;
    if (!(span < narrow || (span < wide && span < this.count * roomPerEvent))) return false;
    if (span >= this.cells.length) this.grow(span);
    this.low = low;
    this.high = high;
    this.limit = Math.max(low + narrow, high + 1);
    return true;
  }

  private grow(span: number): void {
    let { length } = this.cells;
    while (length <= span) length *= 2;
    const cells = new Float64Array(length);
    for (let instant = this.low; instant <= this.high; instant++) cells[instant & (length - 1)] = this.cells[instant & (this.cells.length - 1)]!;
    this.cells = cells;
  }
}
