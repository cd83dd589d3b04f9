import type { Core } from '../core.ts';
import { ChangedKeys } from '../keys/changedKeys.ts';
import { NO_SLOT } from '../keys/keyTable.ts';
import { KeyCopier } from './keyCopier.ts';
import { takePart, type Taken } from './takePart.ts';

/**
 * A base that is taken in steps between events: each copies some keys, and `finish` those that changed since they were
 * copied. So what was copied may be out of date when it is written, and still the base is the state as of its finish (in
 * databases: a fuzzy checkpoint). Nothing is kept twice for it, as it would be with copy-on-write.
 *
 * A key is copied in one step, however many events it has, and held events wait for the finish.
 */
export class GradualBase {
  private readonly core: () => Core;
  private copier!: KeyCopier;
  private changed!: ChangedKeys;

  /** `core`: the engine's, which a restore replaces. */
  constructor(core: () => Core) {
    this.core = core;
    this.begin();
  }

  /** Copies some more keys. False where all were copied, and `finish` is due. */
  step(): boolean {
    if (this.core() !== this.copier.core || this.changed.isLost) this.restart();
    const { copier, changed } = this, { keys } = copier.core;
    if (changed.limit >= keys.room) return false;
    for (let hasRoom = true; hasRoom && changed.limit < keys.room; changed.limit++) {
      if (keys.isOpen(changed.limit)) hasRoom = copier.copy(changed.limit);
    }
    copier.flush();
    return changed.limit < keys.room;
  }

  /** The whole state as of now. What no step has copied is copied here. */
  finish(): Taken {
    while (this.step());
    const { copier, changed } = this, { core } = copier;
    changed.markAll(core.dirty);
    // One that came back where no step had been yet was copied there, before the last slice says that it is gone.
    for (const key of changed.removed) {
      const slot = core.keys.find(key);
      if (slot !== NO_SLOT) changed.mark(slot);
    }
    const taken = takePart(copier, null, changed.slots(core.keys), changed.removed);
    this.stop();
    return taken;
  }

  /** Lets go of it. */
  stop(): void {
    const { changes } = this.copier.core, at = changes.indexOf(this.changed);
    if (at >= 0) changes.splice(at, 1);
  }

  private restart(): void {
    this.stop();
    this.begin();
  }

  private begin(): void {
    const core = this.core();
    this.copier = new KeyCopier(core, core.keys.size, core.windows.events);
    this.changed = new ChangedKeys();
    this.changed.limit = 0;
    core.changes.push(this.changed);
  }
}
