const pageBits = 5;
const pageSize = 1 << pageBits;
const absent = -1;

type Counts = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/**
 * How often each whole number came: a count per key, in pages of 32 keys, of which only those are there that some key came
 * of. The list of pages grows at both ends. Counts take two bytes each until one needs four, and four until one needs eight.
 *
 * Keys far apart cost two pages and the places between in the list: nothing is ever collapsed. Collapsing the lowest keys
 * would cap the memory, but what was collapsed can't be taken out again, and the answer would depend on what had been there.
 */
export class Bins {
  /** By place in the list: which page of `counts` it is, or `absent`. */
  #pages: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** By place in the list: the sum over the page. */
  #totals: Float64Array<ArrayBuffer> = new Float64Array(0);
  /** The first place is that of the keys from `first * 32` on. */
  #first = 0;
  #counts: Counts = new Uint16Array(0);
  #most = 0xffff;
  #used = 0;

  /** How many keys came, repeats counted. */
  get size(): number {
    return this.#totals.reduce((sum, total) => sum + total, 0);
  }

  /** Apart from `addTimes`, since it runs for each event. */
  add(key: number): void {
    const pages = this.#pages, counts = this.#counts, place = (key >> pageBits) - this.#first;
    const page = place >= 0 && place < pages.length ? pages[place]! : absent;
    if (page === absent) return this.addTimes(key, 1);
    const at = (page << pageBits) + (key & (pageSize - 1)), count = counts[at]! + 1;
    if (count > this.#most) return this.addTimes(key, 1);
    counts[at] = count;
    this.#totals[place]!++;
  }

  addTimes(key: number, times: number): void {
    const number = key >> pageBits;
    if (!this.#hasPage(number)) this.#makePage(number);
    const place = number - this.#first, at = (this.#pages[place]! << pageBits) + (key & (pageSize - 1));
    const count = this.#counts[at]! + times;
    if (count > this.#most) this.#widen(count);
    this.#counts[at] = count;
    this.#totals[place]! += times;
  }

  /** Takes out a key that is there. */
  remove(key: number): void {
    const place = (key >> pageBits) - this.#first;
    this.#counts[(this.#pages[place]! << pageBits) + (key & (pageSize - 1))]!--;
    this.#totals[place]!--;
  }

  /** The key at a rank from 1 to `size`, in rising order. */
  keyAt(rank: number): number {
    const totals = this.#totals, counts = this.#counts;
    let place = 0;
    while (rank > totals[place]!) rank -= totals[place++]!;
    const start = this.#pages[place]! << pageBits;
    let at = start;
    while (rank > counts[at]!) rank -= counts[at++]!;
    return ((place + this.#first) << pageBits) + at - start;
  }

  addAll(other: Bins): void {
    for (const [key, count] of other.entries()) this.addTimes(key, count);
  }

  /** The keys that are there, in rising order, each with how often it is. */
  *entries(): Generator<[key: number, count: number]> {
    for (let place = 0; place < this.#pages.length; place++) {
      if (this.#totals[place] === 0) continue;
      const start = this.#pages[place]! << pageBits, first = (place + this.#first) << pageBits;
      for (let i = 0; i < pageSize; i++) {
        const count = this.#counts[start + i]!;
        if (count > 0) yield [first + i, count];
      }
    }
  }

  #hasPage(number: number): boolean {
    const place = number - this.#first;
    return place >= 0 && place < this.#pages.length && this.#pages[place] !== absent;
  }

  #makePage(number: number): void {
    const count = this.#pages.length, end = this.#first + count;
    if (count === 0) this.#reach(number, number + 1);
    // Half as much again as is there: a stream that climbs key by key must not copy the list each time.
    else if (number < this.#first) this.#reach(Math.min(number, this.#first - (count >> 1)), end);
    else if (number >= end) this.#reach(this.#first, Math.max(number + 1, end + (count >> 1)));
    if (this.#used << pageBits === this.#counts.length) this.#resize(this.#counts, (this.#used + 1 + (this.#used >> 1)) << pageBits);
    this.#pages[number - this.#first] = this.#used++;
  }

  /** Makes the list go from one page to before another. */
  #reach(first: number, end: number): void {
    const pages = new Int32Array(end - first).fill(absent), totals = new Float64Array(end - first);
    if (this.#pages.length > 0) {
      pages.set(this.#pages, this.#first - first);
      totals.set(this.#totals, this.#first - first);
    }
    this.#first = first;
    this.#pages = pages;
    this.#totals = totals;
  }

  #widen(count: number): void {
    this.#most = count > 0xffff_ffff ? Infinity : 0xffff_ffff;
    this.#resize(this.#counts, this.#counts.length);
  }

  #resize(old: Counts, length: number): void {
    this.#counts = this.#most === 0xffff ? new Uint16Array(length) : this.#most === Infinity ? new Float64Array(length) : new Uint32Array(length);
    this.#counts.set(old);
  }
}
