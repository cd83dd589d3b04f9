import type { CheckpointStore } from 'rxjs-rolling-window/engine';
import { pageClock } from '../pageClock.ts';

/** A store that tells of each save that is durable, and when it began: what it holds is not younger. */
export function toldStore(store: CheckpointStore, saved: (began: number) => void): CheckpointStore {
  return {
    load: () => store.load(),
    async save(part, options) {
      const began = pageClock.now();
      const rev = await store.save(part, options);
      saved(began);
      return rev;
    },
    close: () => store.close(),
  };
}
