import { enlarged } from '../keys/enlarged.ts';

/** No block, no page, no slot. */
export const NONE = -1;
const PAGE_BITS = 6;
/** Events in a full block. */
export const PAGE: number = 1 << PAGE_BITS;
export const SMALLEST_BLOCK = 2;
const SLAB_BITS = 13;
/** Events in a slab. */
const SLAB: number = 1 << SLAB_BITS;
/** Of the first one, which grows: most engines of a page hold little. */
const FIRST_SLAB = 256;

/** The number of the page that a block lies in. */
export const pageOf = (block: number): number => block >> PAGE_BITS;

/** How a missing value is written among doubles: values that are zero come as +0. */
export const MISSING = -0;
export const isMissing = (value: number): boolean => value === 0 && 1 / value < 0;

/**
 * The events of all keys, time-sorted inside blocks of a few slabs.
 *
 *      slab:   | t v w | t v w | t v w | t v w | . . . |        one event: its time, then one double per lane
 *      block:    ^ named by its first position
 *      cells:  | x     | y     | z     | ...                    one array per column that does not hold numbers
 *
 * Why times and values side by side: the two ends of a window are cold memory for all but the few hottest keys, and one
 * cache miss per end is half the cost of two. Why not an array per key: at 100,000 keys the object headers alone cost
 * more than the events, and every growth is garbage. Why slabs of one size and not one that doubles: growing copies
 * nothing, so no event waits for it, and never is half of the memory unused. Why pages carved into small blocks: a key
 * with three events must not pay for 64, and a key with a million needs blocks large enough that what is kept per block is
 * cheap. Small blocks never share a page with another size, so the page number alone finds what is kept about a full block.
 */
export class EventStore {
  private readonly slabs: Float64Array<ArrayBuffer>[] = [];
  /** Doubles per event. */
  readonly stride: number;
  /** By lane: 1 where it has a value. Absent until the first missing one, so that most streams never pay for it. */
  readonly present: (Uint8Array<ArrayBuffer> | undefined)[];
  /** Whether a value was ever missing. */
  hasGaps = false;
  /** By cell column, in step with the positions. */
  private readonly cells: unknown[][] = [];
  /** Per slab. */
  private readonly pagesInUse: number[] = [0];
  private positions = 0;
  private used = 0;
  /** Per page. A small block is alone in its chain, which knows its length. */
  private lengths: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  private nexts: Int32Array<ArrayBuffer> = new Int32Array(0);
  private prevs: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Per page cut into small blocks: how many of them hold events. */
  private inUse: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** Heads of the lists of free blocks, by log2 of the size. */
  private readonly free = new Int32Array(PAGE_BITS + 1).fill(NONE);

  constructor(lanes: number) {
    this.stride = lanes + 1;
    this.present = Array.from({ length: lanes }, () => undefined);
  }

  timeAt(position: number): number {
    return this.slabs[position >> SLAB_BITS]![(position & (SLAB - 1)) * this.stride]!;
  }

  /** The slab of a block, and where in it an event of the block begins: for loops over events. */
  slabOf(block: number): Float64Array<ArrayBuffer> {
    return this.slabs[block >> SLAB_BITS]!;
  }

  offsetOf(position: number): number {
    return (position & (SLAB - 1)) * this.stride;
  }

  lengthOf(page: number): number {
    return this.lengths[page >> PAGE_BITS]!;
  }

  setLength(page: number, length: number): void {
    this.lengths[page >> PAGE_BITS] = length;
  }

  next(block: number): number {
    return this.nexts[block >> PAGE_BITS]!;
  }

  prev(block: number): number {
    return this.prevs[block >> PAGE_BITS]!;
  }

  link(left: number, right: number): void {
    if (left !== NONE) this.nexts[left >> PAGE_BITS] = right;
    if (right !== NONE) this.prevs[right >> PAGE_BITS] = left;
  }

  /** Writes one event. `numbers` has one double per lane, `MISSING` where there is no value; `cells` one value per cell column. */
  write(position: number, time: number, numbers: Float64Array, cells: readonly unknown[]): void {
    const { present } = this;
    const slab = this.slabOf(position), at = this.offsetOf(position);
    slab[at] = time;
    for (let lane = 0; lane < numbers.length; lane++) {
      const value = numbers[lane]!;
      slab[at + 1 + lane] = value;
      if (isMissing(value)) this.presenceOf(lane)[position] = 0;
      else {
        const mask = present[lane];
        if (mask !== undefined) mask[position] = 1;
      }
    }
    for (let c = 0; c < cells.length; c++) this.cells[c]![position] = cells[c];
  }

  /** Writes one event of so many numbers where nothing was ever missing and there are no cells. `numbers`: beyond the first two. */
  writePlain(position: number, time: number, count: number, first: number, second: number, numbers: Float64Array): void {
    const slab = this.slabOf(position), at = this.offsetOf(position);
    slab[at] = time;
    if (count > 0) slab[at + 1] = first;
    if (count > 1) slab[at + 2] = second;
    for (let lane = 2; lane < count; lane++) slab[at + 1 + lane] = numbers[lane]!;
  }

  /** A value of a lane, `undefined` where it is missing. */
  numberAt(position: number, lane: number): number | undefined {
    return this.present[lane]?.[position] === 0 ? undefined : this.slabOf(position)[this.offsetOf(position) + 1 + lane];
  }

  /** A value of a cell column, `undefined` where it is missing. */
  cellAt(position: number, column: number): unknown {
    return this.cells[column]![position];
  }

  /** Starts a column of cells, missing in every event so far, and gives its number. */
  addCells(): number {
    return this.cells.push([]) - 1;
  }

  get cellColumns(): number {
    return this.cells.length;
  }

  /** Copies events to another block: short, so that it is inlined where events enter. */
  copy(from: number, to: number, count: number): void {
    const { stride } = this;
    const source = this.slabOf(from), target = this.slabOf(to), start = this.offsetOf(from), at = this.offsetOf(to), doubles = count * stride;
    for (let i = 0; i < doubles; i++) target[at + i] = source[start + i]!;
    if (this.hasGaps || this.cells.length > 0) this.moveOthers(from, to, count);
  }

  /** Moves events within a block. */
  move(from: number, to: number, count: number): void {
    if (count <= 0) return;
    const slab = this.slabOf(from), start = this.offsetOf(from), at = this.offsetOf(to), doubles = count * this.stride;
    // A call of `copyWithin` costs about 40 ns, and most moves are a handful of events.
    if (doubles > 32) slab.copyWithin(at, start, start + doubles);
    else if (at < start) for (let i = 0; i < doubles; i++) slab[at + i] = slab[start + i]!;
    else for (let i = doubles - 1; i >= 0; i--) slab[at + i] = slab[start + i]!;
    if (this.hasGaps || this.cells.length > 0) this.moveOthers(from, to, count);
  }

  private moveOthers(from: number, to: number, count: number): void {
    for (const mask of this.present) mask?.copyWithin(to, from, from + count);
    for (const column of this.cells) {
      if (to < from) for (let i = 0; i < count; i++) column[to + i] = column[from + i];
      else for (let i = count - 1; i >= 0; i--) column[to + i] = column[from + i];
    }
  }

  /** Lets go of what the cells of events refer to. */
  clear(from: number, count: number): void {
    if (this.cells.length > 0) for (const column of this.cells) column.fill(undefined, from, from + count);
  }

  allocate(capacity: number): number {
    if (capacity === PAGE) return this.allocatePage();
    const shelf = 31 - Math.clz32(capacity);
    if (this.free[shelf] === NONE) {
      const page = this.allocatePage();
      this.inUse[page >> PAGE_BITS] = 0;
      for (let block = page + PAGE - capacity; block >= page; block -= capacity) this.shelve(block, shelf);
    }
    const block = this.free[shelf]!;
    this.unshelve(block, shelf);
    this.inUse[block >> PAGE_BITS]!++;
    return block;
  }

  release(block: number, capacity: number): void {
    this.clear(block, capacity);
    if (capacity === PAGE) return this.releasePage(block);
    const shelf = 31 - Math.clz32(capacity);
    const page = block & -PAGE, left = --this.inUse[block >> PAGE_BITS]!;
    if (left > 0) return this.shelve(block, shelf);
    // A page whose small blocks are all free serves any size again. Without this, keys that grow together leave the
    // blocks of every earlier size behind for good: a third of all positions at 100 events per key.
    for (let sibling = page; sibling < page + PAGE; sibling += capacity) if (sibling !== block) this.unshelve(sibling, shelf);
    this.releasePage(page);
  }

  get bytes(): number {
    let sum = this.positions * this.stride * 8 + this.lengths.length + this.inUse.length + (this.nexts.length + this.prevs.length) * 4;
    if (this.hasGaps) for (const mask of this.present) sum += mask?.length ?? 0;
    for (const column of this.cells) sum += column.length * 8;
    return sum;
  }

  private presenceOf(lane: number): Uint8Array {
    this.hasGaps = true;
    return (this.present[lane] ??= new Uint8Array(this.positions).fill(1));
  }

  private allocatePage(): number {
    let page = this.free[PAGE_BITS]!;
    if (page !== NONE) this.unshelve(page, PAGE_BITS);
    else {
      if (this.used === this.positions) this.grow();
      page = this.used;
      this.used += PAGE;
    }
    this.nexts[page >> PAGE_BITS] = this.prevs[page >> PAGE_BITS] = NONE;
    this.pagesInUse[page >> SLAB_BITS]!++;
    return page;
  }

  private releasePage(page: number): void {
    this.shelve(page, PAGE_BITS);
    const slab = page >> SLAB_BITS;
    this.pagesInUse[slab]!--;
    if (this.pagesInUse[slab] === 0) this.shrink();
  }

  /** Gives slabs at the end back that hold nothing. An empty one stays, for what comes next. */
  private shrink(): void {
    while (this.pagesInUse.length > 1 && this.pagesInUse.at(-1) === 0 && this.pagesInUse.at(-2) === 0) {
      const start = this.positions - SLAB;
      for (let page = start; page < this.used; page += PAGE) this.unshelve(page, PAGE_BITS);
      this.slabs.pop();
      this.pagesInUse.pop();
      this.used = Math.min(this.used, start);
      this.positions = start;
      for (const column of this.cells) column.length = Math.min(column.length, start);
    }
  }

  /** Free blocks of one size form a doubly linked list through the places of their first two times. */
  private shelve(block: number, shelf: number): void {
    const after = this.free[shelf]!;
    this.setLink(block, after);
    this.setLink(block + 1, NONE);
    if (after !== NONE) this.setLink(after + 1, block);
    this.free[shelf] = block;
  }

  private unshelve(block: number, shelf: number): void {
    const after = this.timeAt(block), before = this.timeAt(block + 1);
    if (before === NONE) this.free[shelf] = after;
    else this.setLink(before, after);
    if (after !== NONE) this.setLink(after + 1, before);
  }

  private setLink(position: number, link: number): void {
    this.slabOf(position)[this.offsetOf(position)] = link;
  }

  private grow(): void {
    if (this.positions < SLAB) {
      this.positions = Math.max(FIRST_SLAB, 2 * this.positions);
      this.slabs[0] = enlarged(this.slabs[0] ?? new Float64Array(0), this.positions * this.stride);
    } else {
      this.positions += SLAB;
      this.slabs.push(new Float64Array(SLAB * this.stride));
      this.pagesInUse.push(0);
    }
    const room = this.lengths.length << PAGE_BITS;
    for (let lane = 0; lane < this.present.length; lane++) {
      const mask = this.present[lane];
      if (mask !== undefined && mask.length < this.positions) this.present[lane] = enlarged(mask, Math.ceil(this.positions * 1.25));
    }
    if (this.positions <= room) return;
    const pages = Math.ceil((this.positions * 1.5) / PAGE);
    this.lengths = enlarged(this.lengths, pages);
    this.inUse = enlarged(this.inUse, pages);
    this.nexts = enlarged(this.nexts, pages);
    this.prevs = enlarged(this.prevs, pages);
  }
}
