import { enlarged, roomFor } from './enlarged.ts';
import { indexOf, type KeyPart } from './partitionKey.ts';

type Index = ReturnType<typeof indexOf>;
/** A level of the table: from a column's value to the next level, and from the last column's to the slot. */
type Level = Map<Index, Level | number>;

/** There is no such key. */
export const NO_SLOT = -1;

/**
 * From partition key to slot: a small number that indexes every other structure. There is no object per key; the slot of
 * a dropped key is used again, so columns indexed by slot stay as long as the largest number of keys that lived at once.
 *
 * One `Map` per column and not one over a joined text: texts can be joined so that two keys collide, and joining costs
 * an allocation and a hash per event where the strings of the event have been hashed before.
 */
export class KeyTable {
  size = 0;
  private root: Level = new Map();
  private parts: KeyPart[] = [];
  /** The largest number of keys that lived at once. */
  room = 0;
  private open: Uint8Array<ArrayBuffer> = new Uint8Array(16);
  private free: number[] = [];
  private onlyPart: KeyPart = '';
  private onlySlot = NO_SLOT;
  private readonly width: number;

  constructor(width: number) {
    this.width = width;
  }

  /** The slot of the key, or `NO_SLOT`. */
  find(key: readonly KeyPart[]): number {
    return this.width === 1 ? this.findPart(key[0]!) : this.findDeep(key);
  }

  /**
   * The slot of a key of one column. An only key is remembered, for that many streams have. Among several, comparing two
   * texts costs nearly what the look-up does, and is rarely right.
   */
  findPart(part: KeyPart): number {
    if (this.onlySlot !== NO_SLOT && part === this.onlyPart) return this.onlySlot;
    const slot = this.root.get(indexOf(part)) as number | undefined;
    if (slot === undefined) return NO_SLOT;
    if (this.size === 1) {
      this.onlyPart = part;
      this.onlySlot = slot;
    }
    return slot;
  }

  private findDeep(key: readonly KeyPart[]): number {
    let level: Level | number | undefined = this.root;
    for (let c = 0; c < this.width; c++) {
      level = (level as Level).get(indexOf(key[c]!));
      if (level === undefined) return NO_SLOT;
    }
    return this.width === 0 ? this.size - 1 : (level as number);
  }

  add(key: readonly KeyPart[]): number {
    const slot = this.free.pop() ?? this.room++;
    if (slot >= this.open.length) this.open = enlarged(this.open, roomFor(slot));
    this.open[slot] = 1;
    this.size++;
    this.onlySlot = NO_SLOT;
    let level = this.root;
    for (let c = 0; c < this.width; c++) {
      this.parts[slot * this.width + c] = key[c]!;
      const index = indexOf(key[c]!);
      if (c === this.width - 1) level.set(index, slot);
      else {
        let next = level.get(index) as Level | undefined;
        if (next === undefined) level.set(index, (next = new Map()));
        level = next;
      }
    }
    return slot;
  }

  drop(slot: number): void {
    this.open[slot] = 0;
    this.free.push(slot);
    this.size--;
    this.onlySlot = NO_SLOT;
    if (this.width > 0) this.prune(this.root, slot, 0);
    for (let c = 0; c < this.width; c++) this.parts[slot * this.width + c] = null;
  }

  /** Takes the key out of this level and of those below, and leaves no empty level behind. */
  private prune(level: Level, slot: number, column: number): void {
    const index = indexOf(this.partOf(slot, column));
    if (column < this.width - 1) {
      const next = level.get(index) as Level;
      this.prune(next, slot, column + 1);
      if (next.size > 0) return;
    }
    level.delete(index);
  }

  isOpen(slot: number): boolean {
    return this.open[slot] === 1;
  }

  /** One column of the key in a slot. Not a copy: see `shownPart`. */
  partOf(slot: number, column: number): KeyPart {
    return this.parts[slot * this.width + column]!;
  }

  keyOf(slot: number): KeyPart[] {
    return this.parts.slice(slot * this.width, (slot + 1) * this.width);
  }

  /** Every slot that holds a key, ascending. */
  *slots(): Generator<number> {
    for (let slot = 0; slot < this.room; slot++) if (this.isOpen(slot)) yield slot;
  }

  get bytes(): number {
    // The parts of a key by reference and its entry in a Map; the strings themselves belong to the events.
    return this.open.length + this.room * 8 * this.width + this.size * 24 * this.width;
  }
}
