import { describe, expect, test } from 'vitest';
import { FolderMedium } from '../../../operators/checkpoints/folderMedium.ts';
import { queuedStore } from '../../../operators/checkpoints/queuedStore.ts';
import { checkStore } from '../../../src/testing/index.ts';
import { LossyFiles, PowerCut } from '../../support/lossyFiles.ts';
import type { CheckpointError, StoredCheckpoint } from '../../../src/index.ts';
import { random } from '../../support/samples.ts';

const folder = '/var/state';
const storeOver = (files: LossyFiles) => queuedStore(folder, new FolderMedium(folder, files));
const reloaded = async (files: LossyFiles, where: string): Promise<StoredCheckpoint | undefined> => {
  try {
    return await storeOver(files).load();
  } catch (error) {
    return expect.fail(`${where}: ${String(error)}`);
  }
};
/** A part that says which save it was. */
const partOf = (save: number, size: number): Uint8Array => Uint8Array.from({ length: 4 + size }, (_, i) => (i < 4 ? save >>> (8 * i) : save + i));
const saveOf = (part: Uint8Array): number => new DataView(part.buffer).getInt32(0, true);

test('the contract, over files that lose nothing', async () => {
  const files = new LossyFiles(random(1));
  await checkStore(() => storeOver(files));
});

describe('power cuts', () => {
  /** One life of a program: loads, saves until the power is cut, and gives what it is sure of, and what it was about to make of it. */
  async function live(files: LossyFiles, next: () => number, state: State): Promise<State> {
    const medium = new FolderMedium(folder, files);
    const held = { ...state };
    try {
      let rev = (await medium.load())?.rev;
      for (;;) {
        const base = held.certain.length === 0 || next() < 0.3;
        const part = partOf(held.saves++, Math.floor(next() * 40));
        held.attempted = base ? [part] : [...held.certain, part];
        rev = await medium.save(part, { ifRev: rev, base });
        held.certain = held.attempted;
      }
    } catch (error) {
      if (!(error instanceof PowerCut)) throw error;
      return held;
    }
  }

  interface State {
    readonly saves: number;
    /** Parts after the last save that resolved. */
    readonly certain: readonly Uint8Array[];
    /** Parts after the one that was broken off. */
    readonly attempted: readonly Uint8Array[];
  }

  const cuts = 5000;
  test(`${cuts} of them: what a save acknowledged is there, or what was saved after it`, { timeout: 120_000 }, async () => {
    let after = 0;
    for (let seed = 0; seed < cuts / 4; seed++) {
      const next = random(seed);
      let files = new LossyFiles(next);
      let state: State = { saves: 0, certain: [], attempted: [] };
      for (let life = 0; life < 4; life++) {
        files.left = 1 + Math.floor(next() * 60);
        state = await live(files, next, state);
        files = files.survivors();

        const loaded = (await reloaded(files, `seed ${seed}, life ${life}`))?.parts ?? [];
        const saves = loaded.map(saveOf).join();
        const allowed = [state.certain, state.attempted];
        const found = allowed.find((parts) => parts.map(saveOf).join() === saves);
        expect(found, `seed ${seed}, life ${life}: ${saves} instead of ${allowed.map((parts) => parts.map(saveOf).join()).join(' or ')}`).toEqual(loaded);
        after += Number(found === state.attempted);
        // Whatever is there now is what the next life goes on from.
        state = { ...state, certain: loaded, attempted: loaded };
      }
    }
    expect(after).toBeGreaterThan(cuts / 50);
  });

  test('what killed writers left is swept, all else in the folder is left alone', async () => {
    const files = new LossyFiles(random(2));
    await files.mkdir(folder);
    for (const name of ['0123456789abcdef01234567.temporary', 'notes.temporary', '1.checkpoint']) await files.open(`${folder}/${name}`, 'wx');
    await storeOver(files).load();
    expect(await files.readdir(folder)).toHaveLength(3);
    await storeOver(files).save(partOf(1, 1), { ifRev: undefined, base: true });
    expect((await files.readdir(folder)).sort()).toEqual(['0000000000000001.checkpoint', '1.checkpoint', 'notes.temporary']);
  });
});

describe('several writers over one folder', () => {
  /** What writers tried, and what became of it: enough to say of any state whether it may be. */
  class Course {
    private readonly attempts: { readonly ifRev: string | undefined; readonly base: boolean }[] = [];
    private readonly saves = new Map<string | undefined, number>();
    readonly taken = new Map<string | undefined, number>();
    conflicts = 0;
    private readonly name: string;

    constructor(name: string) {
      this.name = name;
    }

    /** Loads and saves, for some rounds. */
    async write(files: LossyFiles, next: () => number, bases: number): Promise<void> {
      const store = storeOver(files);
      for (let round = 0; round < 4; round++) {
        let rev = this.judged(await store.load());
        for (let saves = 0; saves < 4; saves++) {
          const base = rev === undefined || next() < bases, ifRev = rev;
          const save = this.attempts.push({ ifRev, base }) - 1;
          rev = await store.save(partOf(save, 1), { ifRev, base }).catch((error: unknown) => {
            const { code, cause } = error as CheckpointError;
            if (cause instanceof PowerCut) throw cause;
            // A temporary file may have been swept by a writer that opened the folder just then.
            expect(['checkpoint-conflict', 'checkpoint-failed'], String(cause)).toContain(code);
            this.conflicts += 1;
            return undefined;
          });
          if (rev === undefined) break;
          expect(this.taken.has(ifRev), `${this.name}: two saves after ${String(ifRev)}`).toBe(false);
          this.taken.set(ifRev, save);
          this.saves.set(rev, save);
        }
      }
    }

    /** The rev of what was loaded, which is the state after some save. */
    judged(loaded: StoredCheckpoint | undefined): string | undefined {
      if (loaded === undefined) return undefined;
      const parts = loaded.parts.map(saveOf);
      this.saves.set(loaded.rev, parts.at(-1)!);
      expect(parts.join(), this.name).toBe(this.stateAfter(parts.at(-1)!).join());
      return loaded.rev;
    }

    /** That every save that was acknowledged is in this state, or was before it. */
    mustStandOnAll(rev: string | undefined): void {
      const past = new Set<number>();
      for (let at = rev; at !== undefined; at = this.attempts[this.saves.get(at)!]!.ifRev) past.add(this.saves.get(at)!);
      for (const save of this.taken.values()) expect(past, `${this.name}: behind an acknowledged save`).toContain(save);
    }

    private stateAfter(save: number): number[] {
      const { ifRev, base } = this.attempts[save]!;
      return base ? [save] : [...this.stateAfter(this.saves.get(ifRev)!), save];
    }
  }

  const haltingly = (files: LossyFiles, next: () => number): void => {
    files.pause = async () => {
      for (let turns = Math.floor(next() ** 4 * 60); turns >= 0; turns--) await Promise.resolve();
    };
  };

  test('one state after the other: no save is lost, none stands on another than its own', { timeout: 60_000 }, async () => {
    let conflicts = 0, taken = 0;
    for (let seed = 0; seed < 500; seed++) {
      const next = random(seed), files = new LossyFiles(next), course = new Course(`seed ${seed}`);
      haltingly(files, next);
      await Promise.all([0.9, 0.5, 0.1].map((bases) => course.write(files, next, seed % 2 ? bases : 0.9)));
      course.mustStandOnAll(course.judged(await storeOver(files).load()));
      conflicts += course.conflicts;
      taken += course.taken.size;
    }
    expect(Math.min(conflicts, taken)).toBeGreaterThan(1000);
  });

  test('and power cuts', { timeout: 60_000 }, async () => {
    let taken = 0;
    for (let seed = 0; seed < 2000; seed++) {
      const next = random(seed), files = new LossyFiles(next), course = new Course(`seed ${seed}`);
      haltingly(files, next);
      files.left = 20 + Math.floor(next() * 200);
      const ended = await Promise.allSettled([course.write(files, next, 0.2), course.write(files, next, 0.2)]);
      for (const end of ended) if (end.status === 'rejected' && !(end.reason instanceof PowerCut) && !((end.reason as Error).cause instanceof PowerCut)) throw end.reason;
      course.mustStandOnAll(course.judged(await reloaded(files.survivors(), `seed ${seed}`)));
      taken += course.taken.size;
    }
    expect(taken).toBeGreaterThan(5000);
  });

  test('who goes on from a part that another writer has not finished makes it last, first', async () => {
    for (let seed = 0; seed < 500; seed++) {
      const next = random(seed), files = new LossyFiles(next);
      const first = await new FolderMedium(folder, files).save(partOf(1, 1), { ifRev: undefined, base: true });
      // Stands still between the name and the sync of the folder.
      const halting = Object.assign(Object.create(files) as LossyFiles, {
        open: async (path: string, flags: 'r' | 'wx') => ({ ...(await files.open(path, flags)), ...(path === folder ? { sync: () => new Promise<void>(() => undefined) } : {}) }),
      });
      new FolderMedium(folder, halting).save(partOf(2, 1), { ifRev: first, base: false }).catch(() => 'the power was cut');
      while (!(await files.readdir(folder)).includes('0000000000000002.checkpoint'));

      files.left = 1 + Math.floor(next() * 40);
      const other = new FolderMedium(folder, files);
      await other
        .load()
        .then(async (loaded) => {
          await other.save(partOf(3, 1), { ifRev: loaded?.rev, base: false });
        })
        .catch((error: unknown) => {
          if (!(error instanceof PowerCut)) throw error;
        });
      const loaded = await reloaded(files.survivors(), `seed ${seed}`);
      expect(['1', '1,2', '1,2,3']).toContain(loaded?.parts.map(saveOf).join());
    }
  });
});
