import { expect, test } from 'vitest';
import { queuedStore } from '../../../operators/checkpoints/queuedStore.ts';

test('a medium is asked one thing at a time, in the order of the calls, closing included', async () => {
  const steps: string[] = [];
  const step = async <T>(name: string, answer: T): Promise<T> => {
    steps.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`${name} ends`);
    return answer;
  };
  const store = queuedStore('a place', { load: () => step('load', undefined), save: () => step('save', '1'), close: () => step('close', undefined) });
  const calls: unknown[] = [store.save(new Uint8Array(1), { ifRev: undefined, base: true }), store.load(), store.close()];
  await expect(store.load()).rejects.toMatchObject({ code: 'checkpoint-closed' });
  await Promise.all(calls);
  expect(steps).toEqual(['save begins', 'save ends', 'load begins', 'load ends', 'close begins', 'close ends']);
});

test('a close that fails says so each time, and the store is closed', async () => {
  const store = queuedStore('a place', { load: () => Promise.resolve(undefined), save: () => Promise.resolve(''), close: () => Promise.reject(new Error('busy')) });
  for (let i = 0; i < 2; i++) await expect(store.close()).rejects.toMatchObject({ code: 'checkpoint-failed', given: 'busy' });
  await expect(store.load()).rejects.toMatchObject({ code: 'checkpoint-closed' });
});
