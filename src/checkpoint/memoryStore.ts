import type { CheckpointStore } from './checkpointStore.ts';
import { instantStore } from './instantStore.ts';
import { mustFit } from './storeErrors.ts';

/** What memory stores keep: the same object given to a second one is the same place. */
export interface StoreMemory {
  parts: readonly Uint8Array[];
  /** How many saves there were: what names the state. */
  saves: number;
}

/**
 * A store that lasts as long as its memory: for tests, and for a subscription that is made anew in the same program.
 *
 * `load` answers at once.
 *
 * @param memory What to keep it in. Default: its own, empty.
 * @example
 * const store = memoryStore();
 * events$.pipe(rollingWindow({ ..., checkpoint: { store } })).subscribe(show);
 */
export function memoryStore(memory: StoreMemory = { parts: [], saves: 0 }): CheckpointStore {
  const rev = (): string | undefined => (memory.saves === 0 ? undefined : String(memory.saves));
  return instantStore('memory', {
    load() {
      const held = rev();
      return held === undefined ? undefined : { parts: memory.parts.map(copy), rev: held };
    },
    save(part, options) {
      mustFit('memory', rev(), options);
      memory.parts = [...(options.base ? [] : memory.parts), copy(part)];
      memory.saves += 1;
      return String(memory.saves);
    },
  });
}

/** Not `slice`: that of Node's Buffer shares the bytes. */
const copy = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);
