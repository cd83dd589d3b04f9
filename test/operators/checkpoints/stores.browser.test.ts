import { indexedDbStore, webStorageStore, type StoredCheckpoint } from 'rxjs-rolling-window/checkpoint';
import { checkStore } from 'rxjs-rolling-window/testing';
import { describe, expect, test } from 'vitest';

const base = { ifRev: undefined, base: true };
let names = 0;
const unusedName = (): string => `stores.browser.test ${Date.now()} ${names++}`;

describe('indexedDbStore, in a browser', () => {
  test('keeps the contract', async () => {
    const name = unusedName();
    await checkStore(() => indexedDbStore(name));
    indexedDB.deleteDatabase(name);
  });

  test('does not block who deletes the database', async () => {
    const name = unusedName();
    const store = indexedDbStore(name);
    const rev = await store.save(Uint8Array.of(1), base);
    const deletion = await new Promise((resolve) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = () => resolve('deleted');
      request.onblocked = () => resolve('blocked');
    });
    expect(deletion).toBe('deleted');
    await expect(store.save(Uint8Array.of(2), { ifRev: rev, base: false })).rejects.toMatchObject({ code: 'checkpoint-conflict' });
    await store.close();
  });

  test('of many saves at the same time, by many users, one is taken', async () => {
    const name = unusedName();
    const stores = Array.from({ length: 10 }, () => indexedDbStore(name));
    const ended = await Promise.allSettled(stores.map((store, i) => store.save(Uint8Array.of(i), base)));
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const store of stores) await store.close();
    indexedDB.deleteDatabase(name);
  });

  test('keeps 5 MB', async () => {
    const name = unusedName();
    const store = indexedDbStore(name);
    await store.save(Uint8Array.from({ length: 5_000_000 }, (_, i) => i % 251), base);
    const [part] = (await store.load())?.parts ?? [];
    expect(part?.length).toBe(5_000_000);
    expect(part?.every((byte, i) => byte === i % 251)).toBe(true);
    await store.close();
    indexedDB.deleteDatabase(name);
  });
});

describe.each([['localStorage', localStorage], ['sessionStorage', sessionStorage]])('webStorageStore over %s', (_, storage) => {
  test('keeps the contract', async () => {
    const key = unusedName();
    await checkStore(() => webStorageStore(storage, key));
    storage.removeItem(key);
  });

  test('the default limit lies within the quota, whose end is a named error', async () => {
    const key = unusedName(), others = unusedName();
    const store = webStorageStore(storage, key);
    const rev = await store.save(new Uint8Array(1_000_000).fill(7), base);
    storage.setItem(others, '.'.repeat(4_500_000));
    await expect(webStorageStore(storage, key, { maxBytes: 2e6 }).save(new Uint8Array(2e6), { ifRev: rev, base: true })).rejects.toMatchObject({ code: 'checkpoint-full' });
    storage.removeItem(others);
    const loaded = store.load() as StoredCheckpoint;
    expect([loaded.rev, loaded.parts.length, loaded.parts[0]?.length]).toEqual([rev, 1, 1_000_000]);
    expect(loaded.parts[0]?.every((byte) => byte === 7)).toBe(true);
    storage.removeItem(key);
  });
});
