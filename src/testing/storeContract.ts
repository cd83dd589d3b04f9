import type { CheckpointStore, SaveOptions } from '../checkpoint/checkpointStore.ts';
import { holds, kept, must, refused, same } from './storeVerdict.ts';

/** What a law needs: stores over one place, and revs that were never given before. */
interface Bench {
  readonly open: () => Promise<CheckpointStore>;
  /** Saves, and sees to it that the rev is a new one. */
  readonly save: (store: CheckpointStore, part: Uint8Array, ifRev: string | undefined, base?: boolean) => Promise<string>;
  /** Saves a base whatever is there. */
  readonly start: (store: CheckpointStore, part: Uint8Array) => Promise<string>;
}

type Law = (bench: Bench) => Promise<void>;

/**
 * Checks that a checkpoint store keeps its contract: what is loaded is what was saved, in order and whole, and who comes
 * second is told.
 *
 * Durability can't be seen from inside a program: that a save which resolved outlives a crash, and that one which was broken
 * off has happened wholly or not at all, is to be tested with crashes.
 *
 * @param open Gives a new store over one place, each time the same, empty at first. Two are open at a time. About 260 kB
 *   are saved there at once.
 * @throws RollingWindowError `invalid-store`, as a rejection, that names the broken law; or what `open` threw.
 * @example await checkStore(() => fileStore(emptyFolder));
 */
export async function checkStore(open: () => CheckpointStore | Promise<CheckpointStore>): Promise<void> {
  let opened: CheckpointStore[] = [];
  const given = new Set<string>();
  const bench: Bench = {
    async open() {
      const store = await open();
      opened.push(store);
      return store;
    },
    async save(store, part, ifRev, base = false) {
      const rev = await kept('fitting: a save that fits is taken', () => store.save(part, { ifRev, base }));
      must('naming: a rev is text', typeof rev === 'string', rev);
      must('naming: two states never have the same rev', !given.has(rev), rev);
      given.add(rev);
      return rev;
    },
    async start(store, part) {
      const loaded = await kept('wholeness: load answers', async () => store.load());
      return bench.save(store, part, loaded?.rev, true);
    },
  };
  for (const law of laws) {
    opened = [];
    await law(bench).finally(() => Promise.allSettled(opened.map(async (store) => store.close())));
  }
}

const emptiness: Law = async ({ open }) => {
  const store = await open();
  const unfit: [string, SaveOptions][] = [
    ['a delta without a base is refused', { ifRev: undefined, base: false }],
    ['a rev that was never given is refused', { ifRev: 'never given', base: true }],
  ];
  must('emptiness: load is undefined where nothing was saved', (await store.load()) === undefined, await store.load());
  for (const [law, options] of unfit) {
    await refused(`emptiness: ${law}`, 'checkpoint-conflict', () => store.save(bytes(1), options));
    must('emptiness: what is refused leaves nothing behind', (await store.load()) === undefined, await store.load());
  }
};

const wholeness: Law = async ({ open, save }) => {
  const store = await open();
  const parts: Uint8Array[] = [];
  let rev: string | undefined;
  for (const part of [everyByte, bytes(), noise(200_000), bytes(0), ...numbered(12)]) {
    parts.push(part);
    rev = await save(store, part, rev, parts.length === 1);
    await holds('wholeness: a base, then the deltas in order of their saves, byte for byte', store, parts, rev);
  }
  await kept('closing: close resolves', async () => store.close());
  const other = await open();
  await holds('reopening: a new store over the place loads the same', other, parts, rev);
  rev = await save(other, bytes(1), rev);
  await holds('reopening: it goes on from there', other, [...parts, bytes(1)], rev);
};

const replacement: Law = async ({ open, save, start }) => {
  const store = await open();
  let rev = await start(store, bytes(1, 1));
  await holds('replacement: a base takes the place of all parts', store, [bytes(1, 1)], rev);
  rev = await save(store, bytes(2), rev);
  await holds('replacement: a delta stands behind the new base', store, [bytes(1, 1), bytes(2)], rev);
  rev = await save(store, bytes(3), rev, true);
  await holds('replacement: a base takes the place of all parts', store, [bytes(3)], rev);
  await holds('replacement: it does after reopening, too', await open(), [bytes(3)], rev);
  rev = await save(store, bytes(3), rev, true);
  await holds('replacement: by equal bytes, too', store, [bytes(3)], rev);
};

const ownership: Law = async ({ open, start, save }) => {
  const store = await open();
  const rev = await start(store, bytes(1));
  const whole = new SharingBytes([9, 1, 2, 3, 9]);
  const saving = save(store, whole.subarray(1, 4), rev);
  whole.fill(7);
  const next = await saving;
  whole.fill(8);
  const parts = [bytes(1), bytes(1, 2, 3)];
  await holds('ownership: the part is copied as save is called', store, parts, next);
  for (const part of (await store.load())?.parts ?? []) part.fill(7);
  await holds('ownership: what load gives is a copy', store, parts, next);
};

const fitting: Law = async ({ open, start, save }) => {
  const [store, other] = [await open(), await open()];
  const first = await start(store, bytes(1));
  let rev = await save(store, bytes(2), first);
  for (const base of [true, false]) {
    for (const ifRev of [first, undefined, `${rev}0`]) {
      await refused('fitting: a save with another ifRev than the rev of now is refused', 'checkpoint-conflict', () => store.save(bytes(9), { ifRev, base }));
      await holds('fitting: what is refused changes nothing', store, [bytes(1), bytes(2)], rev);
    }
  }
  const theirs = await save(other, bytes(3), rev);
  await refused('two users: one sees that the other saved', 'checkpoint-conflict', () => store.save(bytes(9), { ifRev: rev, base: true }));
  await holds('two users: one loads what the other saved', store, [bytes(1), bytes(2), bytes(3)], theirs);
  rev = await save(store, bytes(4), theirs, true);
  await refused('two users: one sees that the other saved', 'checkpoint-conflict', () => other.save(bytes(9), { ifRev: theirs, base: false }));
  await holds('two users: one loads what the other saved', other, [bytes(4)], rev);
};

const race: Law = async ({ open, start }) => {
  const [store, other] = [await open(), await open()];
  for (const base of [true, false]) {
    const ifRev = await start(store, bytes(1));
    const saves = [store.save(bytes(2), { ifRev, base }), other.save(bytes(3), { ifRev, base })];
    const won = (await Promise.allSettled(saves)).map((result) => result.status === 'fulfilled');
    must('two users: of two saves at the same time one is taken', won[0] !== won[1], won);
    await refused('two users: of two saves at the same time one is refused', 'checkpoint-conflict', () => saves[won[0] ? 1 : 0]!);
    const part = bytes(won[0] ? 2 : 3);
    await holds('two users: what is loaded is the save that was taken', store, base ? [part] : [bytes(1), part], await saves[won[0] ? 0 : 1]);
  }
};

const order: Law = async ({ open, start }) => {
  const store = await open();
  const ifRev = await start(store, bytes(1));
  const large = noise(60_000);
  const saves = [store.save(large, { ifRev, base: true }), store.save(bytes(2), { ifRev, base: true })] as const;
  const loading = store.load();
  await Promise.allSettled([...saves, loading]);
  const first = await kept('order: of saves issued at once the first is taken', () => saves[0]);
  await refused('order: of saves issued at once the second comes second', 'checkpoint-conflict', () => saves[1]);
  same('order: a load waits for the saves before it', await loading, [large], first);
};

const closing: Law = async ({ open, start, save }) => {
  const [store, other] = [await open(), await open()];
  let rev = await start(store, bytes(1));
  const saving = save(store, bytes(2), rev);
  await Promise.allSettled([saving, (async () => store.close())()]);
  rev = await saving;
  await kept('closing: a store may be closed twice', async () => store.close());
  await refused('closing: load is refused after it', 'checkpoint-closed', async () => store.load());
  for (const base of [true, false]) {
    await refused('closing: save is refused after it', 'checkpoint-closed', () => store.save(bytes(9), { ifRev: rev, base }));
  }
  await holds('closing: saves before it were taken, others are not touched', other, [bytes(1), bytes(2)], rev);
  await holds('reopening: all is there after everybody closed', await (other.close(), open()), [bytes(1), bytes(2)], rev);
};

const laws: readonly Law[] = [emptiness, wholeness, replacement, ownership, fitting, race, order, closing];

/** As Node's Buffer, whose `slice` shares the bytes. */
class SharingBytes extends Uint8Array {
  override slice(start?: number, end?: number): Uint8Array<ArrayBuffer> {
    return this.subarray(start, end);
  }
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const numbered = (count: number): Uint8Array[] => Array.from({ length: count }, (_, i) => bytes(i, i));
const everyByte: Uint8Array = /*#__PURE__*/ Uint8Array.from({ length: 256 }, (_, i) => i);

/** Bytes that do not repeat themselves. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => (state = Math.imul(state, 1_664_525) + 1_013_904_223) >>> 24);
}
