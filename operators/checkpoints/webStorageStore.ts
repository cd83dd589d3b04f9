import { CheckpointError, RollingWindowError, shown, type CheckpointStore, type StoredCheckpoint } from '../../src/index.ts';
import { damagedStore, instantStore, mustFit } from '../../src/checkpoint/index.ts';
import { pack, packedLength, unpack } from './packedText.ts';
import { uniqueName } from './uniqueName.ts';

/** The part of `localStorage` and `sessionStorage` that is used. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export interface WebStorageOptions {
  /** How many bytes all parts may take together. Default: 1,000,000, which take about a fifth of what browsers allow. */
  readonly maxBytes?: number | undefined;
}

/** Rev, lengths of the parts, and the parts, packed. */
const ITEM = /^rolling-window 1 (\w+) (\d+(?:,\d+)*) /;

/**
 * A store in `localStorage` or `sessionStorage`, for small states: `load` answers at once, so rows can be there with the page.
 *
 * All parts are one item, which each save writes anew. Browsers write it to the disk a little later: it outlives the page and
 * the tab, and a power cut only perhaps. Two tabs that save within the same instant may miss each other: give each its own
 * key, or take `indexedDbStore`.
 *
 * @param key The item's name.
 * @throws CheckpointError, from `load` and `save`: `checkpoint-full` beyond `maxBytes` and where the browser's quota ends,
 *   `checkpoint-damaged` where somebody else wrote the item, `checkpoint-failed` where the browser refuses.
 * @throws RollingWindowError `invalid-config` for another limit.
 * @example
 * const store = webStorageStore(localStorage, 'revenue');
 */
export function webStorageStore(storage: TextStorage, key: string, { maxBytes = 1_000_000 }: WebStorageOptions = {}): CheckpointStore {
  if (!(maxBytes > 0)) throw new RollingWindowError('invalid-config', { expected: 'maxBytes of a store to be a number above 0', given: shown(maxBytes) });
  const place = `the item ${shown(key)} of the web storage`;

  const item = (): { readonly rev: string; readonly lengths: readonly number[]; readonly packed: string } | undefined => {
    const text = storage.getItem(key);
    if (text === null) return undefined;
    const [header, rev, lengths] = ITEM.exec(text) ?? [];
    if (header === undefined || rev === undefined || lengths === undefined) throw damagedStore(place, shown(text));
    return { rev, lengths: lengths.split(',').map(Number), packed: text.slice(header.length) };
  };

  return instantStore(place, {
    load(): StoredCheckpoint | undefined {
      const held = item();
      if (held === undefined) return undefined;
      let at = 0;
      const parts = held.lengths.flatMap((length) => unpack(held.packed.slice(at, (at += packedLength(length))), length) ?? []);
      if (parts.length < held.lengths.length || at !== held.packed.length) throw damagedStore(place, 'an item that was cut off or changed');
      return { parts, rev: held.rev };
    },
    save(part, options) {
      const held = item();
      mustFit(place, held?.rev, options);
      const { lengths, packed } = options.base || held === undefined ? { lengths: [], packed: '' } : held;
      const all = [...lengths, part.length];
      const bytes = all.reduce((sum, length) => sum + length, 0);
      if (bytes > maxBytes) {
        throw new CheckpointError('checkpoint-full', { expected: `at most ${maxBytes} bytes for ${place}`, given: `${bytes} bytes`, remedy: 'Raise maxBytes, keep less state, or take indexedDbStore' });
      }
      const rev = uniqueName();
      storage.setItem(key, `rolling-window 1 ${rev} ${all.join()} ${packed}${pack(part)}`);
      return rev;
    },
  });
}
