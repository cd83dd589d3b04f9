import { memoryStore } from 'rxjs-rolling-window/checkpoint';
import { expect, test } from 'vitest';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

test('what was saved is loaded at once: a base, the deltas behind it, or the base that came after', async () => {
  const store = memoryStore();
  expect(store.load()).toBeUndefined();
  const first = await store.save(bytes(1), { ifRev: undefined, base: true });
  const second = await store.save(bytes(2, 3), { ifRev: first, base: false });
  expect(store.load()).toEqual({ parts: [bytes(1), bytes(2, 3)], rev: second });
  const third = await store.save(bytes(4), { ifRev: second, base: true });
  expect(store.load()).toEqual({ parts: [bytes(4)], rev: third });
});

test('stores of one memory are two users of one place', async () => {
  const memory = { parts: [], saves: 0 };
  const [one, other] = [memoryStore(memory), memoryStore(memory)];
  const rev = await one.save(bytes(1), { ifRev: undefined, base: true });
  await expect(other.save(bytes(2), { ifRev: undefined, base: true })).rejects.toMatchObject({ code: 'checkpoint-conflict' });
  await one.close();
  expect(other.load()).toEqual({ parts: [bytes(1)], rev });
  expect(() => one.load()).toThrow(expect.objectContaining({ code: 'checkpoint-closed' }));
});
