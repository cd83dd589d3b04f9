/** Of a double: its exponent, and so many bits behind it. A bin is 1/64 of its lower edge wide, and its middle within 0.8 % of all that is in it. */
const precision = 6;
const shift = 20 - precision;
/** The first bin begins at 2^-30 ms, which is a picosecond. */
const first = (1023 - 30) << precision;

const double = new DataView(new ArrayBuffer(8));

/**
 * How many values lie in each of many ranges, which are as wide as their values are large.
 *
 * The bits of a double say which: a logarithm, as sketches take it, costs ten times as much. From an idea of Gil Tene's
 * HdrHistogram. Values are positive, and at least a picosecond.
 */
export class Bins {
  count = 0;
  min: number = Infinity;
  max: number = -Infinity;
  private cells: Float64Array = new Float64Array(0);

  add(value: number, count: number): void {
    const bin = binOf(value);
    if (bin >= this.cells.length) this.grow(bin);
    this.cells[bin]! += count;
    this.count += count;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  /** About the values at ranks that rise, none beyond the smallest or the largest. Behind `before` others, which are less. */
  atRanks(ranks: readonly number[], before: number): number[] {
    const { cells, min, max } = this;
    let passed = before, bin = this.count === 0 ? 0 : binOf(min) - 1;
    return ranks.map((rank) => {
      if (rank <= before) return 0;
      while (passed < rank) passed += cells[++bin]!;
      return Math.min(Math.max(middleOf(bin), min), max);
    });
  }

  clear(): void {
    if (this.count === 0) return;
    this.cells.fill(0, binOf(this.min), binOf(this.max) + 1);
    this.count = 0;
    this.min = Infinity;
    this.max = -Infinity;
  }

  private grow(bin: number): void {
    const cells = new Float64Array(bin + 1 + (1 << precision));
    cells.set(this.cells);
    this.cells = cells;
  }
}

function binOf(value: number): number {
  double.setFloat64(0, value);
  return (double.getUint32(0) >>> shift) - first;
}

function middleOf(bin: number): number {
  double.setUint32(0, ((bin + first) << shift) | (1 << (shift - 1)));
  double.setUint32(4, 0);
  return double.getFloat64(0);
}
