import { dirname, join } from 'node:path';
import { platform } from 'node:process';
import type { SaveOptions, StoredCheckpoint } from '../../src/index.ts';
import { damagedStore, mustFit } from '../../src/checkpoint/index.ts';
import { systemCode, type Files } from './files.ts';
import { HEADER, headerOf, nonceOf, readPartFile, type PartFile } from './partFile.ts';
import type { Medium } from './queuedStore.ts';
import { uniqueName } from './uniqueName.ts';

const PART = /^(\d{16})\.checkpoint$/;
const TEMPORARY = /^[0-9a-f]{24}\.temporary$/;
/** What a file system says that has no hard links, or nothing to sync in a folder. */
const NOT_OFFERED = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'];

/**
 * Parts as files with running numbers: a base, and what has higher numbers stands behind it.
 *
 * A part gets its name by a hard link, which fails where the name is taken: of two writers that saw the same last part one
 * wins. A rename would silently put one over the other.
 */
export class FolderMedium implements Medium {
  private readonly folder: string;
  private readonly files: Files;
  private readonly place: string;
  private prepared = false;

  constructor(folder: string, files: Files) {
    this.folder = folder;
    this.files = files;
    this.place = `the folder ${folder}`;
  }

  load(): Promise<StoredCheckpoint | undefined> {
    return this.look(async (numbers) => {
      const parts: Uint8Array[] = [];
      let rev: string | undefined;
      for (let i = numbers.length - 1; i >= 0; i--) {
        const number = numbers[i]!;
        const { part, base, nonce } = await this.read(number);
        rev ??= revOf(number, nonce);
        parts.unshift(part);
        if (base) break;
        if (numbers[i - 1] !== number - 1) throw damagedStore(this.place, `no ${nameOf(number - 1)}`);
      }
      if (rev === undefined) return undefined;
      // Whoever wrote the last part may not have got so far: what stands on it must not outlive it.
      await this.sync(this.folder);
      return { parts, rev };
    });
  }

  async save(part: Uint8Array, options: SaveOptions): Promise<string> {
    await this.prepare();
    const [last, rev] = await this.look((numbers) => this.head(numbers));
    mustFit(this.place, rev, options);
    const number = last + 1;
    const { header, nonce } = headerOf(part, options.base);

    const temporary = this.path(`${uniqueName()}.temporary`);
    try {
      await this.write(temporary, header, part);
      await this.publish(temporary, number, options);
    } finally {
      await this.remove(temporary);
    }
    try {
      await this.sync(this.folder);
    } catch (error) {
      // Not acknowledged, so it is not to be there: the same save, tried again, would be in conflict with it.
      if ((await this.numbers()).at(-1) === number) await this.remove(this.path(nameOf(number)));
      throw error;
    }
    await this.mustBeLast(number, options);
    if (options.base) await this.removeBefore(number);
    return revOf(number, nonce);
  }

  close(): void {
    // Nothing is kept open between two calls.
  }

  /** Makes the folder, durably, and sweeps what writers left that were killed. Of one that lives it breaks off a save, no more. */
  private async prepare(): Promise<void> {
    if (this.prepared) return;
    const first = await this.files.mkdir(this.folder, { recursive: true });
    for (let made = this.folder; first !== undefined; made = dirname(made)) {
      await this.sync(dirname(made));
      if (made === first) break;
    }
    for (const name of await this.files.readdir(this.folder)) if (TEMPORARY.test(name)) await this.remove(this.path(name));
    this.prepared = true;
  }

  /** The numbers of the parts, in order. */
  private async numbers(): Promise<number[]> {
    const names = await this.files.readdir(this.folder).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    });
    return names.flatMap((name) => PART.exec(name)?.[1] ?? []).map(Number).sort((a, b) => a - b);
  }

  /** Looks at the parts, and once more where another writer meanwhile put a base and took away what was before it. */
  private async look<T>(at: (numbers: readonly number[]) => Promise<T>): Promise<T> {
    for (;;) {
      const numbers = await this.numbers();
      try {
        return await at(numbers);
      } catch (error) {
        if (systemCode(error) !== 'ENOENT' || String(await this.numbers()) === String(numbers)) throw error;
      }
    }
  }

  /** The number of the last part, 0 where there is none, and its rev. */
  private async head(numbers: readonly number[]): Promise<[number, string | undefined]> {
    const last = numbers.at(-1);
    if (last === undefined) return [0, undefined];
    const file = await this.files.open(this.path(nameOf(last)), 'r');
    try {
      const header = new Uint8Array(HEADER);
      const { bytesRead } = await file.read(header, 0, HEADER, 0);
      const nonce = nonceOf(header.subarray(0, bytesRead));
      if (nonce === undefined) throw this.damaged(last);
      return [last, revOf(last, nonce)];
    } finally {
      await file.close();
    }
  }

  private async read(number: number): Promise<PartFile> {
    const file = readPartFile(await this.files.readFile(this.path(nameOf(number))));
    if (file === undefined) throw this.damaged(number);
    return file;
  }

  private async write(path: string, header: Uint8Array, part: Uint8Array): Promise<void> {
    const file = await this.files.open(path, 'wx');
    try {
      await file.writeFile(header);
      await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Gives a whole file its name, unless somebody else has it. */
  private async publish(temporary: string, number: number, options: SaveOptions): Promise<void> {
    const path = this.path(nameOf(number));
    try {
      await this.files.link(temporary, path);
    } catch (error) {
      if (systemCode(error) === 'EEXIST') await this.conflict(options);
      if (!NOT_OFFERED.includes(String(systemCode(error)))) throw error;
      // The best that is left: between the look and the rename somebody else's part could be lost.
      if ((await this.numbers()).includes(number)) await this.conflict(options);
      await this.files.rename(temporary, path);
    }
  }

  /**
   * A name that was free may have been given before: by somebody whose later base took that part away again, all between our
   * look and our link. Then the part lies before that base, where nobody reads it.
   */
  private async mustBeLast(number: number, options: SaveOptions): Promise<void> {
    if ((await this.numbers()).at(-1) !== number) await this.conflict(options);
  }

  private async conflict(options: SaveOptions): Promise<never> {
    const [, rev] = await this.look((numbers) => this.head(numbers));
    mustFit(this.place, rev, options);
    throw new Error('the last part was there, and is gone');
  }

  private async removeBefore(number: number): Promise<void> {
    for (const old of await this.numbers()) if (old < number) await this.remove(this.path(nameOf(old)));
  }

  /** What can't be removed does no harm: it lies before a base, or is swept by the next who opens the folder. */
  private async remove(path: string): Promise<void> {
    await this.files.unlink(path).catch(() => undefined);
  }

  private async sync(folder: string): Promise<void> {
    if (platform === 'win32') return; // It opens no folders, and keeps a journal of names by itself.
    const opened = await this.files.open(folder, 'r');
    try {
      await opened.sync();
    } catch (error) {
      if (!NOT_OFFERED.includes(String(systemCode(error)))) throw error;
    } finally {
      await opened.close();
    }
  }

  private path(name: string): string {
    return join(this.folder, name);
  }

  private damaged(number: number): Error {
    return damagedStore(this.place, `${nameOf(number)} cut off or changed`);
  }
}

const nameOf = (number: number): string => `${String(number).padStart(16, '0')}.checkpoint`;
const revOf = (number: number, nonce: string): string => `${number}-${nonce}`;
