import { MemoryLevel } from 'memory-level';
import { levelStore } from 'rxjs-rolling-window/checkpoint';
import { checkStore } from 'rxjs-rolling-window/testing';
import { describe, expect, test, vi } from 'vitest';

const base = { ifRev: undefined, base: true };

describe('levelStore', () => {
  test('keeps the contract, over a database of any encoding', async () => {
    const text = new MemoryLevel();
    await checkStore(() => levelStore(text));
    const json = new MemoryLevel<string, unknown>({ valueEncoding: 'json' });
    await checkStore(() => levelStore(json, 'state'));
    const bytes = new MemoryLevel<string, Uint8Array>({ valueEncoding: 'view', storeEncoding: 'view' });
    await checkStore(() => levelStore(bytes, 'state'));
  });

  test('keeps the contract over sublevels, of which each call makes a new one', async () => {
    const database = new MemoryLevel();
    await checkStore(() => levelStore(database.sublevel('state')));
  });

  test('stores under two keys do not know each other, also where one key begins with the other', async () => {
    const database = new MemoryLevel();
    const keys = ['a', 'ab', 'a!part', 'b'];
    for (const [i, key] of keys.entries()) {
      const store = levelStore(database, key);
      expect(await store.load()).toBeUndefined();
      const rev = await store.save(Uint8Array.of(i), base);
      await store.save(Uint8Array.of(i, i), { ifRev: rev, base: false });
    }
    for (const [i, key] of keys.entries()) expect(await levelStore(database, key).load()).toMatchObject({ parts: [Uint8Array.of(i), Uint8Array.of(i, i)] });
  });

  test('a save is one batch, synced; a base leaves no part behind; closing leaves the database open', async () => {
    const database = new MemoryLevel();
    const batch = vi.spyOn(database, 'batch');
    const store = levelStore(database, 'state');
    let rev = await store.save(Uint8Array.of(1), base);
    rev = await store.save(Uint8Array.of(2), { ifRev: rev, base: false });
    await store.save(Uint8Array.of(3), { ifRev: rev, base: true });
    expect(batch.mock.calls.map(([, options]: unknown[]) => options)).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ sync: true }) as unknown));
    await store.close();
    expect(await database.keys().all()).toEqual(['state!part!0000000000000002', 'state!state']);
  });

  test('a part that is gone, and a state that somebody else wrote, are damaged', async () => {
    const database = new MemoryLevel();
    const store = levelStore(database, 'state');
    await store.save(Uint8Array.of(1), base);
    await database.del('state!part!0000000000000000');
    await expect(store.load()).rejects.toMatchObject({ code: 'checkpoint-damaged', given: 'no state!part!0000000000000000' });
    for (const other of ['mine', '5', 'null', '{"rev":"a"}']) {
      await database.put('state!state', other);
      await expect(store.load(), other).rejects.toMatchObject({ code: 'checkpoint-damaged' });
      await expect(store.save(Uint8Array.of(1), base), other).rejects.toMatchObject({ code: 'checkpoint-damaged' });
    }
  });

  test('what the database says is the cause', async () => {
    const database = new MemoryLevel();
    await database.close();
    await expect(levelStore(database).load()).rejects.toMatchObject({ code: 'checkpoint-failed', cause: { code: 'LEVEL_DATABASE_NOT_OPEN' } });
  });
});
