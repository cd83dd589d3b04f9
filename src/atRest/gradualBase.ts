import type { Section } from '../checkpoint/part.ts';
import type { Core } from '../core.ts';
import { ChangedKeys } from '../keys/changedKeys.ts';
import { KeyCopier } from './keyCopier.ts';
import { takePart, type Taken } from './takePart.ts';

/** So much is copied in a step: an event counts one, a key as many as it costs. About a millisecond. */
const STEP = 30_000;
const KEY = 8;

/**
 * A base that is taken in steps between events: each copies some keys, and `finish` those that changed since they were
 * copied. So what was copied may be out of date when it is written, and still the base is the state as of its finish (in
 * databases: a fuzzy checkpoint). Nothing is kept twice for it, as it would be with copy-on-write.
 *
 * A key is copied in one step, however many events it has, and held events wait for the finish.
 */
export class GradualBase {
  private readonly core: () => Core;
  private copied!: Core;
  private changed!: ChangedKeys;
  private slices: Section[][] = [];

  /** `core`: the engine's, which a restore replaces. */
  constructor(core: () => Core) {
    this.core = core;
    this.begin();
  }

  /** Copies some more keys. False where all were copied, and `finish` is due. */
  step(): boolean {
    if (this.core() !== this.copied || this.changed.isLost) this.restart();
    const { copied: core, changed } = this;
    if (changed.limit >= core.keys.room) return false;
    const copier = new KeyCopier(core, STEP);
    for (let weight = 0; weight < STEP && changed.limit < core.keys.room; changed.limit++) {
      if (core.keys.isOpen(changed.limit)) weight += KEY + copier.copy(changed.limit);
    }
    this.slices.push(copier.sections());
    return changed.limit < core.keys.room;
  }

  /** The whole state as of now. What no step has copied is copied here. */
  finish(): Taken {
    while (this.step());
    const { copied: core, changed } = this;
    changed.markAll(core.dirty);
    const taken = takePart(core, null, changed.slots(core.keys), changed.removed, this.slices);
    this.stop();
    return taken;
  }

  /** Lets go of it. */
  stop(): void {
    const { changes } = this.copied, at = changes.indexOf(this.changed);
    if (at >= 0) changes.splice(at, 1);
    this.slices = [];
  }

  private restart(): void {
    this.stop();
    this.begin();
  }

  private begin(): void {
    this.copied = this.core();
    this.changed = new ChangedKeys();
    this.changed.limit = 0;
    this.copied.changes.push(this.changed);
  }
}
