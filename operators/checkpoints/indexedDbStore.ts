import { shown, type CheckpointStore, type SaveOptions, type StoredCheckpoint } from '../../src/index.ts';
import { mustFit } from '../../src/checkpoint/index.ts';
import { queuedStore, type Medium } from './queuedStore.ts';
import { uniqueName } from './uniqueName.ts';

/**
 * A store in a database of its own, for states of any size, in pages and workers: each save is one transaction, of durability `strict`.
 *
 * Between pages the database keeps the order: whose save comes second gets `checkpoint-conflict`. Where another page wants to
 * delete or upgrade the database, the connection is given up, and the next call opens one anew.
 *
 * @param name The database's name.
 * @throws CheckpointError, from `load` and `save`: `checkpoint-full` where the browser's quota ends, `checkpoint-failed`
 *   where the browser refuses, as some do in private windows.
 * @example
 * const store = indexedDbStore('revenue');
 */
export function indexedDbStore(name: string): CheckpointStore {
  return queuedStore(placeOf(name), new DatabaseMedium(name));
}

const placeOf = (name: string): string => `the database ${shown(name)}`;

/** Names of the object stores. */
const PARTS = 'parts', STATE = 'state';
/** The one key in `STATE`. */
const REV = 'rev';

class DatabaseMedium implements Medium {
  private readonly name: string;
  private database: IDBDatabase | undefined = undefined;

  constructor(name: string) {
    this.name = name;
  }

  async load(): Promise<StoredCheckpoint | undefined> {
    const transaction = (await this.opened()).transaction([PARTS, STATE], 'readonly');
    // Both are asked for before either answers: one transaction, one state.
    const rev = answer(transaction.objectStore(STATE).get(REV) as IDBRequest<string | undefined>);
    const parts = answer(transaction.objectStore(PARTS).getAll() as IDBRequest<Uint8Array[]>);
    const [held, all] = await Promise.all([rev, parts]);
    return held === undefined ? undefined : { parts: all, rev: held };
  }

  async save(part: Uint8Array, options: SaveOptions): Promise<string> {
    const transaction = (await this.opened()).transaction([PARTS, STATE], 'readwrite', { durability: 'strict' });
    const rev = uniqueName();
    const state = transaction.objectStore(STATE), parts = transaction.objectStore(PARTS);
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(rev);
      // The quota is noticed as late as here.
      transaction.onabort = () => reject(asError(transaction.error));

      // What a callback throws aborts the transaction, too, but reaches nobody: the rest is in one that knows whom to tell.
      const held = state.get(REV) as IDBRequest<string | undefined>;
      held.onsuccess = () => {
        try {
          mustFit(placeOf(this.name), held.result, options);
          if (options.base) parts.clear();
          parts.add(part); // under a running number, which a clearing does not set back
          state.put(rev, REV);
        } catch (error) {
          reject(asError(error));
          transaction.abort();
        }
      };
    });
  }

  close(): void {
    this.database?.close();
    this.database = undefined;
  }

  private async opened(): Promise<IDBDatabase> {
    if (this.database) return this.database;
    const request = indexedDB.open(this.name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(PARTS, { autoIncrement: true });
      request.result.createObjectStore(STATE);
    };
    const database = await answer(request);
    const giveUp = (): void => {
      database.close();
      if (this.database === database) this.database = undefined;
    };
    // Until it is closed another page's upgrade or deletion waits. Transactions that run are still brought to their end.
    database.onversionchange = giveUp;
    // The browser closed it, as when the user clears what the site stored.
    database.onclose = giveUp;
    return (this.database = database);
  }
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(asError(request.error));
  });
}

/** Transactions that were aborted by the browser's own end have no error. */
function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the transaction was broken off', { cause: error });
}
