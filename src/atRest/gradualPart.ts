import type { Core } from '../core.ts';
import { ChangedKeys, type Changes } from '../keys/changedKeys.ts';
import type { KeyPart } from '../keys/partitionKey.ts';
import { KeyCopier } from './keyCopier.ts';
import { takePart, type LastPart, type Taken } from './takePart.ts';

/** Fewer keys than these are copied at the finish: some milliseconds. */
const MANY = 1000;

/**
 * A part that is taken in steps between events: each copies some keys, and `finish` those that changed since they were
 * copied. So what was copied may be out of date when it is written, and still the part is the state as of its finish (in
 * databases: a fuzzy checkpoint). Nothing is kept twice for it, as it would be with copy-on-write.
 *
 * Keys go in rounds: all of them, or those of the delta; then those that changed meanwhile, as long as these are many and
 * each round has less than half of the one before. So the finish is short however long the first round took.
 *
 * A key is copied in one step, however many events it has. Held events wait for the finish, and so do keys that changed
 * since the last evaluation: whether they changed once more, nobody knows.
 */
export class GradualPart {
  private readonly core: () => Core;
  /** The part that a delta goes on from; undefined of a base. */
  private from: LastPart | undefined;
  private copier!: KeyCopier;
  /** What changed about keys that were copied, and about those that no round is going to copy. */
  private changed!: ChangedKeys;
  /** The slots of this round; undefined in the first one of a base, which goes along all of them. */
  private slots: Int32Array | undefined = undefined;
  private at = 0;
  /** The keys that are gone, for the next slice to tell. */
  private gone: readonly (readonly KeyPart[])[] = [];

  /** `core`: the engine's, which a restore replaces. `from`: what a delta goes on from. */
  constructor(core: () => Core, from?: LastPart) {
    this.core = core;
    this.from = from;
    this.begin();
  }

  /** The id of the part that this one goes on from, as it looks now: a delta may have to become a base. */
  get parent(): string | null {
    return this.from?.id ?? null;
  }

  /** Copies some more keys. False where all were copied, and `finish` is due. */
  step(): boolean {
    if (this.core() !== this.copier.core || this.changed.isLost) this.restart();
    if (!this.isCopied) this.copySome();
    if (!this.isCopied) return true;
    const { changed, copier } = this;
    if (changed.count < MANY || changed.count * 2 > this.length) return copier.part.settle();
    changed.limit = Infinity;
    this.beginRound(changed.take(copier.core.keys));
    return true;
  }

  /** The whole part as of now. What no step has copied is copied here. */
  finish(): Taken {
    while (this.step());
    const { copier, changed } = this, { core } = copier;
    changed.markAll(core.dirty);
    const { slots, removed } = changed.take(core.keys), taken = takePart(copier, this.parent, slots, [...this.gone, ...removed]);
    this.stop();
    return taken;
  }

  /** Lets go of it. */
  stop(): void {
    const { changes } = this.copier.core, at = changes.indexOf(this.changed);
    if (at >= 0) changes.splice(at, 1);
  }

  private get isCopied(): boolean {
    return this.slots === undefined ? this.changed.limit >= this.copier.core.keys.room : this.at === this.slots.length;
  }

  /** The keys of this round. */
  private get length(): number {
    return this.slots?.length ?? this.copier.order.length;
  }

  /** Copies a slice. */
  private copySome(): void {
    while (!this.isCopied && this.copyNext());
    this.copier.flush(this.gone);
    this.gone = [];
  }

  /** False where the slice is full. */
  private copyNext(): boolean {
    const { copier, changed, slots } = this, slot = slots === undefined ? changed.limit++ : slots[this.at++]!;
    return !copier.core.keys.isOpen(slot) || copier.copy(slot);
  }

  private beginRound({ slots, removed }: Changes): void {
    this.slots = slots;
    this.gone = removed;
    this.at = 0;
  }

  /** Columns or slots have another meaning now: what was copied is worth nothing, nor is what a delta goes on from. */
  private restart(): void {
    this.stop();
    this.from = undefined;
    this.begin();
  }

  private begin(): void {
    const core = this.core(), { keys, windows } = core;
    this.changed = new ChangedKeys();
    core.changes.push(this.changed);
    if (this.from === undefined) {
      this.changed.limit = 0;
      this.slots = undefined;
      this.gone = [];
      this.copier = new KeyCopier(core, keys.size, windows.events);
    } else {
      this.beginRound(this.from.changed.look(keys));
      this.copier = new KeyCopier(core, this.length, (windows.events * this.length) / Math.max(keys.size, 1));
    }
    this.copier.beginSoftly();
  }
}
