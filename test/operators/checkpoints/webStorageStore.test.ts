import { webStorageStore, type TextStorage } from 'rxjs-rolling-window/checkpoint';
import { checkStore } from 'rxjs-rolling-window/testing';
import { describe, expect, test } from 'vitest';

/** A storage with room for so many UTF-16 units. */
const storageOf = (items = new Map<string, string>(), units = 5_000_000): TextStorage => ({
  getItem: (key) => items.get(key) ?? null,
  setItem(key, value) {
    const others = [...items].reduce((sum, [name, item]) => sum + (name === key ? 0 : name.length + item.length), 0);
    if (others + key.length + value.length > units) throw new DOMException('no room', 'QuotaExceededError');
    items.set(key, value);
  },
});
const base = { ifRev: undefined, base: true };

describe('webStorageStore', () => {
  test('keeps the contract', async () => {
    const storage = storageOf();
    await checkStore(() => webStorageStore(storage, 'state'));
  });

  test('loads at once', async () => {
    const store = webStorageStore(storageOf(), 'state');
    expect(store.load()).toBeUndefined();
    const rev = await store.save(Uint8Array.of(1, 2), base);
    expect(store.load()).toEqual({ parts: [Uint8Array.of(1, 2)], rev });
  });

  test('stores under two keys do not know each other', async () => {
    const storage = storageOf();
    await webStorageStore(storage, 'a').save(Uint8Array.of(1), base);
    expect(webStorageStore(storage, 'b').load()).toBeUndefined();
    await webStorageStore(storage, 'b').save(Uint8Array.of(2), base);
    expect(webStorageStore(storage, 'a').load()).toMatchObject({ parts: [Uint8Array.of(1)] });
  });

  test('beyond its limit, and beyond the quota, the error says so, and the store stays as it was', async () => {
    for (const [storage, options, given] of [
      [storageOf(), { maxBytes: 100 }, '101 bytes'],
      [storageOf(new Map(), 150), {}, 'no room'],
    ] as const) {
      const store = webStorageStore(storage, 'state', options);
      const rev = await store.save(new Uint8Array(60), base);
      await expect(store.save(new Uint8Array(41 + 100 * Number(given === 'no room')), { ifRev: rev, base: false })).rejects.toMatchObject({ code: 'checkpoint-full', given });
      expect(store.load()).toEqual({ parts: [new Uint8Array(60)], rev });
      await store.save(new Uint8Array(40), { ifRev: rev, base: false });
    }
  });

  test('a base makes room before it is counted', async () => {
    const store = webStorageStore(storageOf(), 'state', { maxBytes: 100 });
    const rev = await store.save(new Uint8Array(90), base);
    await store.save(new Uint8Array(100), { ifRev: rev, base: true });
  });

  test('the limit is a number above 0', () => {
    for (const maxBytes of [0, -1, NaN]) {
      expect(() => webStorageStore(storageOf(), 'state', { maxBytes })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
    }
  });

  test('an item that somebody else wrote, or changed, is damaged', async () => {
    const items = new Map<string, string>();
    const store = webStorageStore(storageOf(items), 'state');
    await store.save(new Uint8Array(30), base);
    const item = items.get('state')!;
    for (const other of ['{"theme":"dark"}', '', item.slice(0, -1), `${item} `, item.replace(/.$/, '\ud800')]) {
      items.set('state', other);
      expect(() => store.load(), other).toThrow(expect.objectContaining({ code: 'checkpoint-damaged' }));
    }
    items.set('state', 'rolling-window 2 ...');
    await expect(store.save(new Uint8Array(1), base)).rejects.toMatchObject({ code: 'checkpoint-damaged' });
    expect(items.get('state')).toBe('rolling-window 2 ...');
  });

  test('where the browser refuses, it has failed, with the cause', () => {
    const denied = new DOMException('access is denied', 'SecurityError');
    const storage = { ...storageOf(), getItem: () => { throw denied; } };
    expect(() => webStorageStore(storage, 'state').load()).toThrow(expect.objectContaining({ code: 'checkpoint-failed', cause: denied }));
  });
});
