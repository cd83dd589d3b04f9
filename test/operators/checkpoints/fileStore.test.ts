import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStore } from 'rxjs-rolling-window/checkpoint/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'rolling-window-store-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('fileStore', () => {
  test('makes its folder with the first save, and keeps one file for each part', async () => {
    const folder = join(root, 'made/with/parents');
    const store = fileStore(folder);
    expect(await store.load()).toBeUndefined();
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });

    const first = await store.save(bytes(1), { ifRev: undefined, base: true });
    const second = await store.save(bytes(2), { ifRev: first, base: false });
    expect(await readdir(folder)).toEqual(['0000000000000001.checkpoint', '0000000000000002.checkpoint']);
    expect(await fileStore(folder).load()).toEqual({ parts: [bytes(1), bytes(2)], rev: second });

    const third = await store.save(bytes(3), { ifRev: second, base: true });
    expect(await readdir(folder)).toEqual(['0000000000000003.checkpoint']);
    expect(await fileStore(folder).load()).toEqual({ parts: [bytes(3)], rev: third });
  });
});
