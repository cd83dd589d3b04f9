import { DirtyKeys } from './dirtyKeys.ts';
import { NO_SLOT, type KeyTable } from './keyTable.ts';
import type { KeyPart } from './partitionKey.ts';

/** What changed about keys. */
export interface Changes {
  /** The slots that hold a key with another state, ascending. */
  readonly slots: Int32Array;
  /** The keys that are gone. One that came back is also among the slots, which have the last word. */
  readonly removed: readonly (readonly KeyPart[])[];
}

/** Keys that came and went and are still listed, beyond as many as there are keys. */
const MOST_GONE = 1024;
/** Looking at so many slots costs what sorting one does. */
const SORTING = 16;

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

  /** How many keys have another state, at most. */
  get count(): number {
    return this.marked.count;
  }

  look(keys: KeyTable): Changes {
    return { slots: this.slots(keys), removed: this.gone.slice() };
  }

  /** Hands over what changed, with every key that came back among the slots; from now on follows what changes once more. */
  take(keys: KeyTable): Changes {
    for (const key of this.gone) {
      const slot = keys.find(key);
      if (slot !== NO_SLOT) this.marked.mark(slot); // it may have been passed over: it came back beyond the limit
    }
    const changes = this.look(keys);
    this.gone = [];
    this.marked.clear();
    return changes;
  }

  private slots(keys: KeyTable): Int32Array {
    const { marked } = this;
    if (marked.count * SORTING < keys.room) return marked.snapshot().filter((slot) => keys.isOpen(slot)).sort();
    const slots = new Int32Array(marked.count);
    let count = 0;
    for (let slot = 0; slot < keys.room; slot++) if (marked.has(slot) && keys.isOpen(slot)) slots[count++] = slot;
    return slots.subarray(0, count);
  }
}
