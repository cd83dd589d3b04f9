/** Long enough that few chunks are walked to a rank, short enough that shifting one costs little. */
const longestChunk = 512;

/**
 * Numbers in order, repeats kept: inserting, removing and reading at a rank each touch one chunk and the list of chunks.
 * NaN comes last, -0 is 0.
 */
export class OrderedValues {
  /** Sorted inside and among each other; none is empty. */
  readonly #chunks: number[][] = [];
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
    this.#numbers++;
    const index = Math.min(this.#chunkOf(value), this.#chunks.length - 1);
    const chunk = this.#chunks[index];
    if (chunk === undefined) this.#chunks.push([value + 0]);
    else {
      chunk.splice(lowerBound(chunk, value), 0, value + 0);
      if (chunk.length > longestChunk) this.#chunks.splice(index + 1, 0, chunk.splice(longestChunk / 2));
    }
  }

  /** Takes out one of the values equal to this one; it must be there. */
  remove(value: number): void {
    if (Number.isNaN(value)) {
      this.#nans--;
      return;
    }
    this.#numbers--;
    const index = this.#chunkOf(value);
    const chunk = this.#chunks[index]!;
    chunk.splice(lowerBound(chunk, value), 1);
    if (chunk.length === 0) this.#chunks.splice(index, 1);
  }

  /** The value at a rank from 1 to `size`. */
  at(rank: number): number {
    for (const chunk of this.#chunks) {
      if (rank <= chunk.length) return chunk[rank - 1]!;
      rank -= chunk.length;
    }
    return NaN;
  }

  /** All values, in order. */
  toArray(): number[] {
    return [...this.#chunks.flat(), ...Array<number>(this.#nans).fill(NaN)];
  }

  /** The first chunk that ends at or after the value. */
  #chunkOf(value: number): number {
    let from = 0;
    for (let to = this.#chunks.length; from < to; ) {
      const middle = (from + to) >> 1;
      if (this.#chunks[middle]!.at(-1)! < value) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Where a value is in a sorted list, or would be. */
function lowerBound(sorted: readonly number[], value: number): number {
  let from = 0;
  for (let to = sorted.length; from < to; ) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
