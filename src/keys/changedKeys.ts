import { DirtyKeys } from './dirtyKeys.ts';
import type { KeyTable } from './keyTable.ts';
import type { KeyPart } from './partitionKey.ts';

/** Keys that came and went and are still listed, beyond as many as there are keys. */
const MOST_GONE = 1024;

/**
 * What changed about keys since a moment: which have another state, and which are gone. Fed by evaluations, one mark for each
 * dirty key; between two of them a change is in the dirty keys.
 */
export class ChangedKeys {
  /** Only slots below it are followed: the others are yet to be copied. */
  limit: number = Infinity;
  /** More has changed than keys can tell, such as what their columns are. */
  isLost = false;
  private marked = new DirtyKeys();
  private gone: KeyPart[][] = [];

  mark(slot: number): void {
    if (slot < this.limit) this.marked.mark(slot);
  }

  markAll(dirty: DirtyKeys): void {
    for (let i = 0; i < dirty.count; i++) this.mark(dirty.slots[i]!);
  }

  /** The key in the slot is about to go. */
  drop(slot: number, keys: KeyTable): void {
    if (slot >= this.limit) return;
    this.gone.push(keys.keyOf(slot));
    if (this.gone.length > keys.room + MOST_GONE) this.lose();
  }

  lose(): void {
    this.isLost = true;
    this.limit = -Infinity;
    this.gone = [];
    this.marked = new DirtyKeys();
  }

  /** The slots that hold a key with another state, ascending. */
  slots(keys: KeyTable): Int32Array {
    return this.marked.snapshot().filter((slot) => keys.isOpen(slot)).sort();
  }

  /** The keys that are gone. One that came back is also among the slots, which have the last word. */
  get removed(): readonly (readonly KeyPart[])[] {
    return this.gone;
  }
}
