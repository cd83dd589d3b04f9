import type { Instants } from './instants.ts';
import type { EventTimeProgress } from './queryProgress.ts';

/** The first, the last and the mean of event times. */
export class EventTimes {
  private count = 0;
  private origin = 0;
  private offsets = 0;
  private earliest: number = Infinity;
  private latest: number = -Infinity;

  add(time: number, count: number): void {
    // Epoch milliseconds of many events add up to more than a double holds; their distances from one of them do not.
    if (this.count === 0) this.origin = time;
    this.count += count;
    this.offsets += (time - this.origin) * count;
    if (time < this.earliest) this.earliest = time;
    if (time > this.latest) this.latest = time;
  }

  addAll({ cells, low, high, count }: Instants): void {
    const mask = cells.length - 1;
    let first = low, last = high, offsets = 0;
    while (cells[first & mask] === 0) first++;
    while (cells[last & mask] === 0) last--;
    for (let i = 1, place = first & mask; i <= last - first; i++) offsets += cells[(place = (place + 1) & mask)]! * i;
    this.add(first, count);
    this.add(last, 0);
    this.offsets += offsets;
  }

  /** What came since the last time. */
  take(watermark: number): EventTimeProgress {
    const { count, earliest, latest, origin, offsets } = this, isTimed = count > 0;
    this.offsets = this.count = 0;
    this.earliest = Infinity;
    this.latest = -Infinity;
    return {
      min: isTimed ? earliest : null,
      max: isTimed ? latest : null,
      avg: isTimed ? origin + offsets / count : null,
      watermark: watermark === -Infinity ? null : watermark,
    };
  }
}
