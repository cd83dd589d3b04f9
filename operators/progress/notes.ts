/** So many runs are noted before they are counted: they stay in the cache. */
const page = 256;

/** A run has three numbers: when it was read, its event time, how many events came before it. */
export const width = 3;

/**
 * Events as they come: when each was read, and its event time. Neighbours with both in common are one run.
 *
 * They are counted later and many at once: less code in the way of each event, and of a busy source many neighbours are
 * counted as one.
 */
export class Notes {
  /** Events of all runs. */
  count = 0;
  /** What an event must have for the run under way. NaN, which nothing is: each event is to be looked at. */
  time: number = NaN;
  reading: number = NaN;
  /** Whether numbers are noted as they come; else each event is looked at. */
  isOpen = false;
  /** The runs, and where `close` was called behind them the number of events. */
  readonly runs: Float64Array = new Float64Array((page + 1) * width);
  private end = 0;

  get isFull(): boolean {
    return this.end === page * width;
  }

  /** The reading of the last event. */
  get last(): number {
    return this.runs[this.end - width]!;
  }

  /** A run begins, with one event. There must be room. */
  add(reading: number, time: number): void {
    const { runs, end, count } = this;
    runs[end] = reading;
    runs[end + 1] = time;
    runs[end + 2] = count;
    this.end = end + width;
    this.count = count + 1;
    if (this.isOpen) {
      this.reading = reading;
      this.time = time;
    }
  }

  /** From here on numbers are noted as they come; or else each event is looked at. */
  open(on: boolean): void {
    this.isOpen = on;
    this.time = NaN;
  }

  /** No run is under way: gives where they end. */
  close(): number {
    this.time = NaN;
    this.runs[this.end + 2] = this.count;
    return this.end;
  }

  clear(): void {
    this.count = this.end = 0;
    this.time = NaN;
  }

  /** The runs of the first so many events. Then they are gone. */
  drain(count: number, see: (reading: number, time: number, count: number) => void): void {
    const { runs } = this, end = this.close();
    let i = 0;
    for (; i < end && runs[i + 2]! < count; i += width) see(runs[i]!, runs[i + 1]!, runs[i + 5]! - runs[i + 2]!);
    runs.copyWithin(0, i, end);
    this.end = end - i;
    this.count -= count;
    for (let rest = 2; rest < this.end; rest += width) runs[rest]! -= count;
  }
}
