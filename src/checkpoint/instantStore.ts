import type { CheckpointStore, SaveOptions, StoredCheckpoint } from './checkpointStore.ts';
import { closed, named } from './storeErrors.ts';

/** Where checkpoints lie, if it answers at once. It copies what it keeps and what it gives. */
export interface InstantMedium {
  load(): StoredCheckpoint | undefined;
  save(part: Uint8Array, options: SaveOptions): string;
}

/** A store whose `load` answers at once. A save has happened as its call returns, so there is no order to keep. */
export function instantStore(place: string, medium: InstantMedium): CheckpointStore {
  let open = true;
  const attempt = <T>(work: () => T): T => {
    if (!open) throw closed(place);
    try {
      return work();
    } catch (error) {
      throw named(error, place);
    }
  };
  return {
    load: () => attempt(() => medium.load()),
    save: (part, options) => new Promise((resolve) => resolve(attempt(() => medium.save(part, options)))),
    close() {
      open = false;
    },
  };
}
