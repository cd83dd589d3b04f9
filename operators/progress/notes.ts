/** So many events are noted before they are counted: two pages of memory, which the cache keeps. */
const page = 512;

/**
 * Events as they come: when each was read, and its event time.
 *
 * They are counted later and many at once. With more code in the way of each event, the compiler takes less of the
 * engine's in; and of a busy source many neighbours have their times in common.
 */
export class Notes {
  count = 0;
  /** Up to here there is room for numbers as they come; 0 where each event is to be looked at. */
  room = 0;
  readonly readings: Float64Array = new Float64Array(page);
  readonly times: Float64Array = new Float64Array(page);

  get isFull(): boolean {
    return this.count === page;
  }

  /** The reading of the last event. */
  get last(): number {
    return this.readings[this.count - 1]!;
  }

  /** Notes an event. There must be room, or the page not be full. */
  add(reading: number, time: number): void {
    const { count } = this;
    this.readings[count] = reading;
    this.times[count] = time;
    this.count = count + 1;
  }

  /** From here on numbers are noted as they come, to the end of the page; or else each event is looked at. */
  open(on: boolean): void {
    this.room = on ? page : 0;
  }

  clear(): void {
    this.count = 0;
  }

  /** The first so many, neighbours with both times in common together. Then they are gone. */
  drain(end: number, see: (reading: number, time: number, count: number) => void): void {
    const { readings, times, count } = this;
    for (let i = 0; i < end; ) {
      const reading = readings[i]!, time = times[i]!, start = i++;
      while (i < end && readings[i] === reading && times[i] === time) i++;
      see(reading, time, i - start);
    }
    readings.copyWithin(0, end, count);
    times.copyWithin(0, end, count);
    this.count = count - end;
  }
}
