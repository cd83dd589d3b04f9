import * as files from 'node:fs/promises';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStore } from 'rxjs-rolling-window/checkpoint/node';
import { checkStore } from 'rxjs-rolling-window/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Files } from '../../../operators/checkpoints/files.ts';
import { FolderMedium } from '../../../operators/checkpoints/folderMedium.ts';
import { queuedStore } from '../../../operators/checkpoints/queuedStore.ts';
import { killWriters } from '../../support/killedWriters.ts';

let root: string, folder: string;
let folders = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'rolling-window-store-'));
});
beforeEach(() => {
  folder = join(root, String(folders++));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const base = { ifRev: undefined, base: true };
const [first, second, third] = ['0000000000000001.checkpoint', '0000000000000002.checkpoint', '0000000000000003.checkpoint'];
const names = async (): Promise<string[]> => (await readdir(folder)).sort();

describe('fileStore', () => {
  test('keeps the contract', () => checkStore(() => fileStore(folder)));

  test('makes its folder with the first save, and keeps one file for each part', async () => {
    folder = join(folder, 'with/parents');
    const store = fileStore(folder);
    expect(await store.load()).toBeUndefined();
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });

    const one = await store.save(bytes(1), base);
    const two = await store.save(bytes(2), { ifRev: one, base: false });
    expect(await names()).toEqual([first, second]);
    expect(await fileStore(folder).load()).toEqual({ parts: [bytes(1), bytes(2)], rev: two });

    const three = await store.save(bytes(3), { ifRev: two, base: true });
    expect(await names()).toEqual([third]);
    expect(await fileStore(folder).load()).toEqual({ parts: [bytes(3)], rev: three });
  });

  test('a relative path means the working directory of the moment', async () => {
    const before = process.cwd;
    await mkdir(folder);
    process.cwd = () => folder;
    const store = fileStore('state');
    process.cwd = before;
    await store.save(bytes(1), base);
    expect(await names()).toEqual(['state']);
  });

  test('a folder that was cleared and filled again is in another state', async () => {
    const store = fileStore(folder);
    const rev = await store.save(bytes(1), base);
    await rm(folder, { recursive: true });
    await fileStore(folder).save(bytes(1), base);
    await expect(store.save(bytes(2), { ifRev: rev, base: false })).rejects.toMatchObject({ code: 'checkpoint-conflict' });
  });

  test('a file that was changed, cut off or taken away is damage, and is named', async () => {
    const store = fileStore(folder);
    const one = await store.save(bytes(1, 2, 3), base);
    const two = await store.save(bytes(4, 5, 6), { ifRev: one, base: false });
    const path = join(folder, first);
    const whole = await readFile(path);
    for (let i = 0; i < whole.length; i++) {
      const changed = whole.map((byte, at) => (at === i ? byte ^ 1 : byte));
      for (const wrong of [changed, whole.subarray(0, i)]) {
        await writeFile(path, wrong);
        await expect(store.load()).rejects.toMatchObject({ code: 'checkpoint-damaged', given: `${first} cut off or changed` });
      }
    }
    await rm(path);
    await expect(store.load()).rejects.toMatchObject({ code: 'checkpoint-damaged', given: `no ${first}` });
    await writeFile(join(folder, second), '');
    await expect(store.save(bytes(7), { ifRev: two, base: true })).rejects.toMatchObject({ code: 'checkpoint-damaged', given: `${second} cut off or changed` });
  });

  test('what the system says is the cause', async () => {
    await writeFile(folder, 'a file');
    await expect(fileStore(folder).load()).rejects.toMatchObject({ code: 'checkpoint-failed', cause: { code: 'ENOTDIR' } });
    await expect(fileStore(folder).save(bytes(1), base)).rejects.toMatchObject({ code: 'checkpoint-failed', cause: { code: 'EEXIST' } });
  });

  test('killed in the middle of it, again and again', { timeout: 60_000 }, async () => {
    expect(await killWriters(15)).toBeGreaterThan(15);
  });
});

describe('a file system that fails', () => {
  const failure = (code: string) => (): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));
  /** Node's, with calls that fail as often as they are told to. */
  const failing = (calls: Partial<Record<keyof Files, string>>, times = Infinity): Files => {
    const broken = Object.entries(calls).map(([name, code]) => {
      const works = files[name as 'unlink'] as (...args: unknown[]) => Promise<void>;
      return [name, (...args: unknown[]) => (times-- > 0 ? failure(code)() : works(...args))];
    });
    return { ...files, ...(Object.fromEntries(broken) as Partial<Files>) };
  };
  /** Opening what ends like this gives a file that can't do that. */
  const brokenFile = (end: string, call: 'sync' | 'writeFile', code: string, times = 1): Files => ({
    ...files,
    async open(path, flags) {
      const file = await files.open(path, flags);
      if (path.endsWith(end) && times-- > 0) file[call] = failure(code);
      return file;
    },
  });
  const storeOver = (over: Files) => queuedStore('the folder', new FolderMedium(folder, over));

  test('a full disk: the error says so, nothing is left of the save, and the next one may be taken', async () => {
    const rev = await fileStore(folder).save(bytes(1), base);
    for (const code of ['ENOSPC', 'EDQUOT']) {
      const store = storeOver(brokenFile('.temporary', 'writeFile', code));
      await expect(store.save(bytes(2), { ifRev: rev, base: true })).rejects.toMatchObject({ code: 'checkpoint-full', cause: { code } });
      expect(await names()).toEqual([first]);
    }
    const store = storeOver(brokenFile('.temporary', 'writeFile', 'ENOSPC'));
    await expect(store.save(bytes(2), { ifRev: rev, base: false })).rejects.toThrow();
    await store.save(bytes(3), { ifRev: rev, base: false });
    expect(await store.load()).toMatchObject({ parts: [bytes(1), bytes(3)] });
  });

  test('a sync that fails: what was saved is taken back, and the same save may be tried again', async () => {
    const rev = await fileStore(folder).save(bytes(1), base);
    for (const [end, i] of [['.temporary', 2], [folder, 3]] as const) {
      const store = storeOver(brokenFile(end, 'sync', 'EIO'));
      const options = { ifRev: i === 2 ? rev : (await fileStore(folder).load())?.rev, base: false };
      await expect(store.save(bytes(i), options)).rejects.toMatchObject({ code: 'checkpoint-failed', cause: { code: 'EIO' } });
      expect(await names()).toHaveLength(i - 1);
      await store.save(bytes(i), options);
    }
    expect(await fileStore(folder).load()).toMatchObject({ parts: [bytes(1), bytes(2), bytes(3)] });
  });

  test('one that has no hard links, or nothing to sync in a folder, is used as it is', async () => {
    for (const code of ['EPERM', 'ENOTSUP', 'ENOSYS']) {
      folder = join(root, code);
      await checkStoreButRaces(() => storeOver(failing({ link: code })));
      expect((await names()).every((name) => name.endsWith('.checkpoint'))).toBe(true);
    }
    folder = join(root, 'EINVAL');
    await checkStore(() => storeOver(brokenFile('EINVAL', 'sync', 'EINVAL', Infinity)));
  });

  /** Without links, one of two saves at the very same time may be lost: there only the laws before that one are kept. */
  const checkStoreButRaces = async (open: () => ReturnType<typeof storeOver>): Promise<void> => {
    await checkStore(open).catch((error: unknown) => {
      expect(error).toMatchObject({ expected: expect.stringContaining('two users: of two saves at the same time') as string });
    });
  };

  test('without hard links, too, whose name is taken is told', async () => {
    const rev = await fileStore(folder).save(bytes(1), base);
    // Somebody else saves after we looked, before we link.
    const store = storeOver({ ...files, link: async () => { await fileStore(folder).save(bytes(2), { ifRev: rev, base: false }); return failure('EPERM')(); } });
    await expect(store.save(bytes(3), { ifRev: rev, base: false })).rejects.toMatchObject({ code: 'checkpoint-conflict' });
    expect(await names()).toEqual([first, second]);
  });

  test('other errors of a link are failures', async () => {
    await expect(storeOver(failing({ link: 'EMLINK' })).save(bytes(1), base)).rejects.toMatchObject({ code: 'checkpoint-failed', cause: { code: 'EMLINK' } });
    expect(await names()).toEqual([]);
  });

  test('what can not be taken away does no harm', async () => {
    const store = storeOver(failing({ unlink: 'EBUSY' }));
    const rev = await store.save(bytes(1), base);
    await store.save(bytes(2), { ifRev: rev, base: true });
    expect(await store.load()).toMatchObject({ parts: [bytes(2)] });
    const next = fileStore(folder);
    await next.save(bytes(3), { ifRev: (await next.load())?.rev, base: true });
    expect(await names()).toEqual([third]);
  });

  test('a folder that can not be listed is a failure, not an empty one', async () => {
    await expect(storeOver(failing({ readdir: 'EACCES' })).load()).rejects.toMatchObject({ code: 'checkpoint-failed', cause: { code: 'EACCES' } });
  });
});
