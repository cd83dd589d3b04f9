const RUN = 12;

/**
 * Sorts places by keys, stable: rows with equal keys keep their order. What is sorted already is seen in one pass.
 *
 * A merge sort of its own (runs by insertion, then merged bottom-up) that moves the first key along with its place: a sort
 * with a function to compare would look two keys up for each comparison, far apart in memory, and call back for each.
 */
export class StableSort {
  private readonly columns: readonly Float64Array[];
  private readonly keys: Float64Array;
  private otherPlaces: Int32Array = new Int32Array(0);
  private otherKeys: Float64Array = new Float64Array(0);

  /** `columns`: keys by place, the first one counts most. */
  constructor(columns: readonly Float64Array[], longest: number) {
    this.columns = columns;
    this.keys = new Float64Array(longest);
  }

  /** Sorts the places at [from, to). */
  sort(places: Int32Array, from: number, to: number): void {
    const { columns, keys } = this, first = columns[0]!;
    let sorted = true;
    for (let i = from; i < to; i++) {
      keys[i - from] = first[places[i]!]!;
      if (i > from && sorted) sorted = !this.isAfter(keys[i - from - 1]!, places[i - 1]!, keys[i - from]!, places[i]!);
    }
    if (sorted) return;
    for (let start = from; start < to; start += RUN) this.sortRun(places, from, start, Math.min(start + RUN, to));
    this.mergeRuns(places, from, to);
  }

  /** Whether the first of two comes after the second. */
  private isAfter(key: number, place: number, otherKey: number, other: number): boolean {
    return key > otherKey || (key === otherKey && this.columns.length > 1 && this.isAfterByRest(place, other));
  }

  private isAfterByRest(place: number, other: number): boolean {
    for (let c = 1; c < this.columns.length; c++) {
      const difference = this.columns[c]![place]! - this.columns[c]![other]!;
      if (difference > 0) return true;
      if (difference < 0) return false; // NaN, of two equal infinities, is neither
    }
    return false;
  }

  private sortRun(places: Int32Array, base: number, from: number, to: number): void {
    const { keys } = this;
    for (let i = from + 1; i < to; i++) {
      const key = keys[i - base]!, place = places[i]!;
      let at = i;
      for (; at > from && this.isAfter(keys[at - 1 - base]!, places[at - 1]!, key, place); at--) {
        keys[at - base] = keys[at - 1 - base]!;
        places[at] = places[at - 1]!;
      }
      keys[at - base] = key;
      places[at] = place;
    }
  }

  private mergeRuns(places: Int32Array, base: number, to: number): void {
    for (let length = RUN; length < to - base; length *= 2) {
      for (let from = base; from + length < to; from += 2 * length) this.merge(places, base, from, from + length, Math.min(from + 2 * length, to));
    }
  }

  /** Merges the runs [from, middle) and [middle, to): the first one moves aside. */
  private merge(places: Int32Array, base: number, from: number, middle: number, to: number): void {
    const { keys } = this, length = middle - from;
    if (!this.isAfter(keys[middle - 1 - base]!, places[middle - 1]!, keys[middle - base]!, places[middle]!)) return;
    this.reserve(length);
    const { otherKeys, otherPlaces } = this;
    for (let i = 0; i < length; i++) {
      otherKeys[i] = keys[from - base + i]!;
      otherPlaces[i] = places[from + i]!;
    }
    let left = 0, right = middle;
    for (let at = from; left < length; at++) {
      const takesRight = right < to && this.isAfter(otherKeys[left]!, otherPlaces[left]!, keys[right - base]!, places[right]!);
      keys[at - base] = takesRight ? keys[right - base]! : otherKeys[left]!;
      places[at] = takesRight ? places[right++]! : otherPlaces[left++]!;
    }
  }

  private reserve(length: number): void {
    if (this.otherPlaces.length >= length) return;
    this.otherPlaces = new Int32Array(length * 2);
    this.otherKeys = new Float64Array(length * 2);
  }
}
