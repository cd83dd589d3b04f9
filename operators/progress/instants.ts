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
  private cells: Float64Array = new Float64Array(narrow);
  private low: number = Infinity;
  private high: number = -Infinity;
  private total = 0;

  get isEmpty(): boolean {
    return this.total === 0;
  }

  /** Whether there is a place for it: not for fractions, nor for what is far from the others. */
  fits(instant: number): boolean {
    return instant >= this.low && instant <= this.high ? Math.floor(instant) === instant : this.reaches(instant);
  }

  /** Events at an instant that fits. */
  add(instant: number, count: number): void {
    this.cells[instant & (this.cells.length - 1)]! += count;
    this.total += count;
  }

  /** Whether all of them fit, of a list from here to there. */
  fitAll(instants: Float64Array, start: number, end: number): boolean {
    let low = Infinity, high = -Infinity;
    for (let i = start; i < end; i++) {
      const instant = instants[i]!;
      if (Math.floor(instant) !== instant) return false;
      if (instant < low) low = instant;
      if (instant > high) high = instant;
    }
    return this.fits(low) && this.fits(high);
  }

  /** An event at each of them, which all fit. */
  addAll(instants: Float64Array, start: number, end: number): void {
    const { cells } = this, mask = cells.length - 1;
    for (let i = start; i < end; i++) cells[instants[i]! & mask]! += 1;
    this.total += end - start;
  }

  /** Each millisecond that is there, the earliest first. Then they are gone. */
  drain(see: (instant: number, count: number) => void): void {
    const { cells, low, high } = this, mask = cells.length - 1, start = low & mask;
    for (let i = 0; i <= high - low; i++) {
      const cell = (start + i) & mask, count = cells[cell]!;
      if (count === 0) continue;
      cells[cell] = 0;
      see(low + i, count);
    }
    this.low = Infinity;
    this.high = -Infinity;
    this.total = 0;
  }

  private reaches(instant: number): boolean {
    const low = Math.min(this.low, instant), high = Math.max(this.high, instant), span = high - low;
    if (Math.floor(instant) !== instant || !(span < narrow || (span < wide && span < this.total * roomPerEvent))) return false;
    if (span >= this.cells.length) this.grow(span);
    this.low = low;
    this.high = high;
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
