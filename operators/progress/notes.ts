/** So many event times are noted before they are counted, at most: they stay in the cache. */
export const page = 256;

/**
 * What the operator writes down for a meter of what is like most of the rest, and calls nobody for: event times, and what
 * evaluations gave. And the readings at which the events came, of which there are fewer.
 *
 *      times     | t t t t t t t t t . . |
 *      starts    ^ 0   ^ 3     ^ 7           where the events of each reading begin
 */
export class Notes {
  /** The column of event times. */
  readonly column: string;
  readonly times: Float64Array = new Float64Array(page);
  /** How many events are noted. */
  end = 0;
  /** An event that comes when so many are noted is to be looked at. */
  room = 0;
  /** How many of them were there at the last evaluation: where there are no more, the next one is to be looked at. */
  left = 0;
  /** The next evaluation is to be looked at, whatever it is of. */
  isWatched = true;
  /** So is one at this reading or a later one, where a long batch ends. NaN: none is open. */
  due: number = NaN;
  /** How many rows came of evaluations that nobody looked at, and how many keys had nothing left. */
  rows = 0;
  removed = 0;
  readonly readings: Float64Array = new Float64Array(page + 1);
  readonly starts: Int32Array = new Int32Array(page + 2);
  /** Which reading is under way. */
  private current = 0;

  constructor(column: string) {
    this.column = column;
  }

  /** Whether the evaluation at this reading is to be looked at. */
  watches(now: number): boolean {
    return this.isWatched || this.end === this.left || now >= this.due;
  }

  /** Another evaluation of one event was like the others. */
  pass(rows: number, removed: number): void {
    this.left = this.end;
    this.rows += rows;
    this.removed += removed;
  }

  /** What comes from here on comes at another reading. */
  move(reading: number): void {
    if (this.starts[this.current]! < this.end) this.current += 1;
    this.readings[this.current] = reading;
    this.starts[this.current] = this.end;
  }

  /** The reading under way. */
  get reading(): number {
    return this.readings[this.current]!;
  }

  /** The reading of the last event. There must be one. */
  get last(): number {
    const { readings, starts, current, end } = this;
    return readings[starts[current]! < end ? current : current - 1]!;
  }

  /** Writes down where the events of the last reading end; gives how many readings there are, of which the last may have none. */
  close(): number {
    this.starts[this.current + 1] = this.end;
    return this.current + 1;
  }

  /** The events are gone; the reading stays. */
  clear(): void {
    this.readings[0] = this.reading;
    this.starts[0] = this.current = this.end = this.left = 0;
  }
}

/** Where neighbours end that have the time at `from` in common. */
export function runEnd(times: Float64Array, from: number, end: number): number {
  const time = times[from]!;
  let next = from + 1;
  while (next < end && times[next] === time) next++;
  return next;
}
