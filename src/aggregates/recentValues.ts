import { enlarged } from '../keys/enlarged.ts';
import type { indexOf } from '../keys/partitionKey.ts';

/** What stands for a value in a `Map`, and is hashed. */
export type Indexed = Exclude<ReturnType<typeof indexOf>, null>;

const FIRST_ROOM = 8;

/**
 * Distinct values, and when each was there last. The times lie side by side, in the order of `values`: a `Map` from values
 * to times would make an object of each time, and be slow to walk, and every answer counts.
 */
export class RecentValues {
  readonly values: Indexed[] = [];
  private readonly places = new Map<Indexed, number>();
  private times: Float64Array<ArrayBuffer> = new Float64Array(FIRST_ROOM);

  get size(): number {
    return this.values.length;
  }

  timeAt(place: number): number {
    return this.times[place]!;
  }

  /** The value was there at a time. */
  add(value: Indexed, time: number): void {
    const { values, places } = this;
    const known = places.get(value);
    if (known !== undefined) {
      if (time > this.times[known]!) this.times[known] = time;
      return;
    }
    const place = values.push(value) - 1;
    places.set(value, place);
    if (place === this.times.length) this.times = enlarged(this.times, place * 2);
    this.times[place] = time;
  }

  /** How many were there after a time. */
  countAfter(time: number): number {
    const { times, size } = this;
    let count = 0;
    for (let place = 0; place < size; place++) if (times[place]! > time) count++;
    return count;
  }

  /** Drops those that were not there after a time. */
  drop(time: number): void {
    const { values, places, times } = this;
    for (let place = values.length - 1; place >= 0; place--) {
      if (times[place]! > time) continue;
      places.delete(values[place]!);
      const last = values.pop()!;
      if (place === values.length) continue;
      values[place] = last;
      times[place] = times[values.length]!;
      places.set(last, place);
    }
  }

  /** The time of the latest but so many. */
  latestBut(many: number): number {
    const sorted = this.times.slice(0, this.size).sort();
    return sorted[this.size - 1 - many]!;
  }
}
