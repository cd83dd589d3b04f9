import { enlarged } from '../keys/enlarged.ts';
import type { indexOf } from '../keys/partitionKey.ts';

/** What stands for a value, and is hashed. */
export type Indexed = Exclude<ReturnType<typeof indexOf>, null>;

const FIRST_ROOM = 8;
const NONE = -1;

/**
 * Distinct values, and when each was there last. Times and hashes lie side by side, in the order of `values`, and an open
 * table of places finds a value by its hash (linear probing, Knuth, vol. 3, 6.4). A `Map` would make an object of each
 * time, hash each value once more, and grow and shrink by leaving old tables behind.
 */
export class RecentValues {
  readonly values: Indexed[] = [];
  private times: Float64Array<ArrayBuffer> = new Float64Array(FIRST_ROOM);
  private hashes: Int32Array<ArrayBuffer> = new Int32Array(FIRST_ROOM);
  /** One more than the place of a value, 0 where there is none: at least twice as many as values. */
  private table: Int32Array<ArrayBuffer> = new Int32Array(2 * FIRST_ROOM);

  get size(): number {
    return this.values.length;
  }

  timeAt(place: number): number {
    return this.times[place]!;
  }

  /** The value was there at a time. `hash`: 32 bits of its hash. */
  add(value: Indexed, hash: number, time: number): void {
    hash |= 0;
    const known = this.find(value, hash);
    if (known === NONE) this.append(value, hash, time);
    else if (time > this.times[known]!) this.times[known] = time;
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
    const { values, times, hashes, size } = this;
    let kept = 0;
    for (let place = 0; place < size; place++) {
      if (times[place]! <= time) continue;
      values[kept] = values[place]!;
      times[kept] = times[place]!;
      hashes[kept++] = hashes[place]!;
    }
    if (kept === size) return;
    values.length = kept;
    this.index();
  }

  /** The time of the latest but so many. */
  latestBut(many: number): number {
    const sorted = this.times.slice(0, this.size).sort();
    return sorted[this.size - 1 - many]!;
  }

  private find(value: Indexed, hash: number): number {
    const { values, hashes, table } = this, mask = table.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const place = table[at]! - 1;
      if (place === NONE || (hashes[place] === hash && isSame(values[place]!, value))) return place;
    }
  }

  private append(value: Indexed, hash: number, time: number): void {
    const place = this.values.push(value) - 1;
    if (place === this.times.length) this.grow(place * 2);
    this.times[place] = time;
    this.hashes[place] = hash;
    this.enter(place);
  }

  private grow(room: number): void {
    this.times = enlarged(this.times, room);
    this.hashes = enlarged(this.hashes, room);
    this.table = new Int32Array(2 * room);
    for (let place = 0; place < room / 2; place++) this.enter(place);
  }

  private index(): void {
    this.table.fill(0);
    for (let place = 0; place < this.size; place++) this.enter(place);
  }

  private enter(place: number): void {
    const { hashes, table } = this, mask = table.length - 1;
    let at = hashes[place]! & mask;
    while (table[at] !== 0) at = (at + 1) & mask;
    table[at] = place + 1;
  }
}

/** NaN is one value. */
function isSame(a: Indexed, b: Indexed): boolean {
  return a === b || (a !== a && b !== b);
}
