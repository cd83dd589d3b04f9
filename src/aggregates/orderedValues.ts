/** Long enough that few blocks are looked at on the way to a rank, short enough that shifting one costs little. */
const longest = 512;
const shortest = 8;
/** Blocks of a group: 16. */
const groupBits = 4;

/**
 * Numbers in order, repeats kept, in sorted blocks with their lengths and last values beside them: inserting and removing
 * search among the last values, then in one block, and shift that; a rank is found by the lengths of groups, of blocks.
 * NaN comes last, -0 is 0.
 */
export class OrderedValues {
  /** Sorted inside and among each other; none is empty. A block has room for more than it holds. */
  readonly #blocks: Float64Array<ArrayBuffer>[] = [];
  readonly #lengths: number[] = [];
  /** Up to the last block, which takes whatever is larger: its own is not looked at. */
  #lasts: Float64Array<ArrayBuffer> = new Float64Array(1);
  /** Values in each group of blocks. */
  readonly #groups: number[] = [];
  #numbers = 0;
  /** Only counted: with NaN inside, no search by `<` would work. */
  #nans = 0;

  get size(): number {
    return this.#numbers + this.#nans;
  }

  insert(value: number): void {
    if (Number.isNaN(value)) {
      this.#nans++;
      return;
    }
    const at = this.#blockWithRoom(value), block = this.#blocks[at]!, length = this.#lengths[at]!;
    const index = lowerBound(block, length, value);
    block.copyWithin(index + 1, index, length);
    block[index] = value + 0;
    this.#lengths[at] = length + 1;
    this.#groups[at >> groupBits]!++;
    this.#numbers++;
  }

  /** Takes out one of the values equal to this one; it must be there. */
  remove(value: number): void {
    if (Number.isNaN(value)) {
      this.#nans--;
      return;
    }
    const at = this.#blockOf(value), block = this.#blocks[at]!, length = this.#lengths[at]! - 1;
    const index = lowerBound(block, length, value);
    block.copyWithin(index, index + 1, length + 1);
    if (index === length) this.#lasts[at] = block[length - 1] ?? NaN;
    this.#lengths[at] = length;
    this.#groups[at >> groupBits]!--;
    this.#numbers--;
    if (length * 4 <= block.length) this.#tighten(at);
  }

  /** The value at a rank from 1 to `size`. */
  at(rank: number): number {
    if (rank > this.#numbers) return NaN;
    const groups = this.#groups, lengths = this.#lengths;
    let group = 0;
    while (rank > groups[group]!) rank -= groups[group++]!;
    let at = group << groupBits;
    while (rank > lengths[at]!) rank -= lengths[at++]!;
    return this.#blocks[at]![rank - 1]!;
  }

  /** All values, in order. */
  toArray(): number[] {
    const numbers = this.#blocks.flatMap((block, at) => [...block.subarray(0, this.#lengths[at])]);
    return [...numbers, ...Array<number>(this.#nans).fill(NaN)];
  }

  /** The first block that ends at or after the value, or the last one. */
  #blockOf(value: number): number {
    return lowerBound(this.#lasts, this.#blocks.length - 1, value);
  }

  /** Likewise, with room for one more. */
  #blockWithRoom(value: number): number {
    if (this.#blocks.length === 0) this.#put(0, new Float64Array(shortest), 0);
    const at = this.#blockOf(value), block = this.#blocks[at]!, length = this.#lengths[at]!;
    if (length < block.length) return at;
    if (length < longest) {
      this.#blocks[at] = resized(block, length, length * 2);
      return at;
    }
    const half = longest / 2;
    this.#lengths[at] = half;
    this.#lasts[at] = block[half - 1]!;
    this.#put(at + 1, resized(block.subarray(half), half, longest), half);
    return this.#lasts[at] < value ? at + 1 : at;
  }

  #put(at: number, block: Float64Array<ArrayBuffer>, length: number): void {
    const count = this.#blocks.length;
    if (count === this.#lasts.length) this.#lasts = resized(this.#lasts, count, count * 2);
    this.#lasts.copyWithin(at + 1, at, count);
    this.#lasts[at] = block[length - 1] ?? NaN;
    this.#blocks.splice(at, 0, block);
    this.#lengths.splice(at, 0, length);
    this.#regroup(at);
  }

  #drop(at: number): void {
    this.#blocks.splice(at, 1);
    this.#lengths.splice(at, 1);
    this.#lasts.copyWithin(at, at + 1);
    this.#regroup(at);
  }

  /** Blocks were put in or taken out: those behind lie in other groups now. */
  #regroup(at: number): void {
    const lengths = this.#lengths;
    this.#groups.length = ((lengths.length - 1) >> groupBits) + 1;
    for (let group = Math.max(at - 1, 0) >> groupBits; group < this.#groups.length; group++) {
      let total = 0;
      for (let i = group << groupBits; i < lengths.length && i >> groupBits === group; i++) total += lengths[i]!;
      this.#groups[group] = total;
    }
  }

  /** A block holds a quarter of what it could: what a large window left behind would fill the memory of a small one. */
  #tighten(at: number): void {
    const block = this.#blocks[at]!, length = this.#lengths[at]!;
    const next = at + 1 < this.#lengths.length ? at + 1 : at - 1;
    if (length === 0) this.#drop(at);
    else if (next >= 0 && length + this.#lengths[next]! <= longest / 2) this.#join(Math.min(at, next));
    else if (block.length > shortest) this.#blocks[at] = resized(block, length, block.length / 2);
  }

  /** Makes one block of two that follow each other. */
  #join(at: number): void {
    const length = this.#lengths[at]!, more = this.#lengths[at + 1]!;
    const joined = resized(this.#blocks[at]!, length, longest);
    joined.set(this.#blocks[at + 1]!.subarray(0, more), length);
    this.#blocks[at] = joined;
    this.#lengths[at] = length + more;
    this.#lasts[at] = this.#lasts[at + 1]!;
    this.#drop(at + 1);
  }
}

function resized(block: Float64Array<ArrayBuffer>, length: number, room: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(room);
  copy.set(block.subarray(0, length));
  return copy;
}

/** Where a value is among the first `length` of a sorted list, or would be. */
function lowerBound(sorted: Float64Array, length: number, value: number): number {
  let from = 0;
  while (length > 0) {
    const half = (length + 1) >> 1;
    // Added up, not branched: which half it is can't be predicted, and nine wrong guesses cost more than all else here.
    from += half * Number(sorted[from + half - 1]! < value);
    length -= half;
  }
  return from;
}
