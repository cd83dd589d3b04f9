import { IDBDatabase, IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { indexedDbStore } from 'rxjs-rolling-window/checkpoint';
import { checkStore } from 'rxjs-rolling-window/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const base = { ifRev: undefined, base: true };
const deleted = (name: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve('deleted');
    request.onblocked = () => resolve('blocked');
    request.onerror = () => reject(new Error('no'));
  });

describe('indexedDbStore', () => {
  beforeEach(() => void vi.stubGlobal('indexedDB', new IDBFactory()));
  afterEach(() => void vi.unstubAllGlobals());

  test('keeps the contract', async () => {
    await checkStore(() => indexedDbStore('state'));
  });

  test('each database is a place of its own', async () => {
    await indexedDbStore('a').save(Uint8Array.of(1), base);
    expect(await indexedDbStore('b').load()).toBeUndefined();
  });

  test('gives its connection up where another page wants to delete the database, and starts anew', async () => {
    const store = indexedDbStore('state');
    const rev = await store.save(Uint8Array.of(1), base);
    expect(await deleted('state')).toBe('deleted');
    await expect(store.save(Uint8Array.of(2), { ifRev: rev, base: true })).rejects.toMatchObject({ code: 'checkpoint-conflict' });
    expect(await store.load()).toBeUndefined();
    const next = await store.save(Uint8Array.of(3), base);
    expect(next).not.toBe(rev);
    await store.close();
    expect(await deleted('state')).toBe('deleted');
  });

  test('each save is one transaction, and strict', async () => {
    const begun = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await indexedDbStore('state').save(Uint8Array.of(1), base);
    expect(begun.mock.calls.filter(([, mode]) => mode === 'readwrite')).toEqual([[['parts', 'state'], 'readwrite', { durability: 'strict' }]]);
    begun.mockRestore();
  });

  test('a save takes place wholly or not at all: the state and the part together', async () => {
    const store = indexedDbStore('state');
    const rev = await store.save(Uint8Array.of(1), base);
    // The part is put, and its state is not: all of it is undone.
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => { throw new DOMException('no room', 'QuotaExceededError'); });
    await expect(store.save(Uint8Array.of(2), { ifRev: rev, base: true })).rejects.toMatchObject({ code: 'checkpoint-full', given: 'no room' });
    put.mockRestore();
    expect(await store.load()).toEqual({ parts: [Uint8Array.of(1)], rev });
    await store.save(Uint8Array.of(3), { ifRev: rev, base: false });
    expect(await store.load()).toMatchObject({ parts: [Uint8Array.of(1), Uint8Array.of(3)] });
  });

  test('the quota that ends as the transaction does is full, too', async () => {
    const store = indexedDbStore('state');
    const rev = await store.save(Uint8Array.of(1), base);
    const add = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(function (this: IDBObjectStore) {
      this.transaction.addEventListener('abort', (event: Event) => event.stopPropagation());
      const { transaction } = this as unknown as { transaction: { _abort(name: string): void } };
      queueMicrotask(() => transaction._abort('QuotaExceededError'));
      return undefined as never;
    });
    await expect(store.save(Uint8Array.of(2), { ifRev: rev, base: false })).rejects.toMatchObject({ code: 'checkpoint-full' });
    add.mockRestore();
    expect(await store.load()).toEqual({ parts: [Uint8Array.of(1)], rev });
  });

  test('where there is no such thing, or one of a later version, it has failed', async () => {
    await new Promise((resolve) => { indexedDB.open('state', 2).onsuccess = resolve; }); // by a later version
    await expect(indexedDbStore('state').load()).rejects.toMatchObject({ code: 'checkpoint-failed', cause: { name: 'VersionError' } });
    vi.unstubAllGlobals();
    await expect(indexedDbStore('state').load()).rejects.toMatchObject({ code: 'checkpoint-failed', given: 'indexedDB is not defined' });
  });
});
