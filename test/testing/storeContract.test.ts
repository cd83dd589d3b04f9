import type { CheckpointStore, SaveOptions, StoredCheckpoint } from 'rxjs-rolling-window/engine';
import { memoryStore, type StoreMemory } from 'rxjs-rolling-window/checkpoint';
import { checkStore } from 'rxjs-rolling-window/testing';
import { describe, expect, test } from 'vitest';
import { queuedStore, type Medium } from '../../operators/checkpoints/queuedStore.ts';

type Load = StoredCheckpoint | undefined;
/** A store that answers later, and parts of it that are broken. */
type Break = (medium: Medium, place: StoreMemory) => Partial<Medium>;
type BreakStore = (store: CheckpointStore, place: StoreMemory) => Partial<CheckpointStore>;

const sound = (place: StoreMemory): Medium => {
  const memory = memoryStore(place);
  return { load: async () => memory.load(), save: (part, options) => memory.save(part, options), close: () => memory.close() };
};
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Below the queue: what a medium may do wrong. */
const media: Record<string, [law: string, breaking: Break]> = {
  'null where nothing is': ['emptiness: load', (m) => ({ load: async () => (await m.load()) ?? (null as unknown as Load) })],
  'a delta without a base': ['emptiness: a delta', (m, place) => ({ save: async (part, o) => m.save(part, { ...o, base: o.base || place.saves === 0 }) })],
  'any rev where nothing is': ['emptiness: a rev', (m, place) => ({ save: async (part, o) => m.save(part, place.saves === 0 && o.base ? { ...o, ifRev: undefined } : o) })],
  'ifRev ignored': ['emptiness: a rev', (m) => ({ save: async (part, o) => m.save(part, { ...o, ifRev: (await m.load())?.rev }) })],
  'ifRev ignored once something is there': ['fitting: a save with another', (m) => ({ save: async (part, o) => m.save(part, { ...o, ifRev: (await m.load())?.rev ?? o.ifRev }) })],
  'ifRev ignored for a base': ['fitting: a save with another', (m, place) => ({ save: async (part, o) => m.save(part, { ...o, ifRev: o.base && place.saves > 0 ? String(place.saves) : o.ifRev }) })],
  'ifRev ignored where it is undefined': ['fitting: a save with another', (m, place) => ({ save: async (part, o) => m.save(part, { ...o, ifRev: o.ifRev ?? (place.saves > 0 ? String(place.saves) : undefined) }) })],
  'the beginning of a rev compared': ['fitting: a save with another', (m, place) => ({ save: async (part, o) => m.save(part, { ...o, ifRev: o.ifRev?.startsWith(String(place.saves)) ? String(place.saves) : o.ifRev }) })],
  'a rev of its own remembered, not the place asked': ['two users', (m, place) => {
    let own: string | undefined;
    return {
      load: async () => { const loaded = await m.load(); own = loaded?.rev; return loaded; },
      save: async (part, o) => (own = await m.save(part, own === undefined || own !== o.ifRev ? o : { ...o, ifRev: String(place.saves) })),
    };
  }],
  'compared first, written later': ['two users: of two saves at the same time', (m, place) => ({
    save: async (part, o) => {
      if (o.ifRev !== (await m.load())?.rev || (!o.base && place.saves === 0)) return m.save(part, o);
      await pause();
      return m.save(part, { ...o, ifRev: (await m.load())?.rev });
    },
  })],
  'a conflict without a code': ['emptiness: a delta without', (m) => ({ save: async (part, o) => m.save(part, o).catch(() => { throw new Error('no'); }) })],
  'changed before it is refused': ['fitting: what is refused', (m, place) => ({ save: async (part, o) => { if (place.saves > 0 && o.base && o.ifRev !== String(place.saves)) place.parts = []; return m.save(part, o); } })],
  'a base that replaces nothing': ['replacement', (m, place) => ({ save: async (part, o) => { const before = place.parts; const rev = await m.save(part, o); if (o.base) place.parts = [...before, ...place.parts]; return rev; } })],
  'a base that leaves the last delta': ['replacement', (m, place) => ({ save: async (part, o) => { const last = place.parts.slice(1).slice(-1); const rev = await m.save(part, o); if (o.base) place.parts = [...place.parts, ...last]; return rev; } })],
  'deltas that are lost with the store': ['reopening', (m, place) => {
    let deltas: readonly Uint8Array[] = [];
    return {
      load: async () => { const loaded = await m.load(); return loaded && { ...loaded, parts: [...loaded.parts, ...deltas] }; },
      save: async (part, o) => {
        const before = place.parts;
        const rev = await m.save(part, o);
        if (!o.base) place.parts = before;
        deltas = o.base ? [] : [...deltas, part];
        return rev;
      },
    };
  }],
  'only the last delta kept': ['wholeness', (m, place) => ({ save: async (part, o) => { const rev = await m.save(part, o); place.parts = [...place.parts.slice(0, 1), ...place.parts.slice(1).slice(-1)]; return rev; } })],
  'the newest delta first': ['wholeness', (m) => ({ load: async () => { const loaded = await m.load(); return loaded && { ...loaded, parts: [...loaded.parts.slice(0, 1), ...loaded.parts.slice(1).reverse()] }; } })],
  'deltas in the order of their names': ['wholeness', (m) => ({ load: async () => { const loaded = await m.load(); return loaded && { ...loaded, parts: loaded.parts.map((part, i) => ({ part, i })).sort((a, b) => (String(a.i) < String(b.i) ? -1 : 1)).map(({ part }) => part) }; } })],
  'empty parts dropped': ['wholeness', (m) => ({ load: async () => { const loaded = await m.load(); return loaded && { ...loaded, parts: loaded.parts.filter(({ length }) => length > 0) }; } })],
  'bytes as text': ['wholeness', (m) => ({ save: async (part, o) => m.save(new TextEncoder().encode(new TextDecoder().decode(part)), o) })],
  'large parts cut off': ['wholeness', (m) => ({ save: async (part, o) => m.save(part.subarray(0, 65_536), o) })],
  'the rev is a number': ['naming: a rev is text', (m) => ({ save: async (part, o) => Number(await m.save(part, o)) as unknown as string })],
  'the rev counts the parts': ['naming: two states', (m, place) => ({
    load: async () => { const loaded = await m.load(); return loaded && { ...loaded, rev: String(place.parts.length) }; },
    save: async (part, o) => { await m.save(part, o.ifRev === String(place.parts.length) ? { ...o, ifRev: String(place.saves) } : o); return String(place.parts.length); },
  })],
  'the rev of load is another': ['wholeness', (m) => ({ load: async () => { const loaded = await m.load(); return loaded && { ...loaded, rev: `${loaded.rev}.` }; } })],
  'loads the same array each time': ['ownership: what load gives', (m, place) => ({ load: async () => { const loaded = await m.load(); return loaded && { ...loaded, parts: place.parts }; } })],
  'can not be loaded': ['wholeness', (m, place) => ({ load: () => (place.parts.length > 3 ? Promise.reject(new Error('too many')) : m.load()) })],
  'closing clears the place': ['reopening', (m, place) => ({ close: () => { place.parts = []; return m.close(); } })],
};

/** Above the queue: what goes wrong with calls at once, and with closing. */
const stores: Record<string, [law: string, breaking: BreakStore]> = {
  'the bytes are copied late': ['ownership: the part', (s) => ({ save: async (part, o) => { await pause(); return s.save(part, o); } })],
  'the whole buffer of a view': ['ownership: the part', (s) => ({ save: async (part, o) => s.save(new Uint8Array(part.buffer), o) })],
  'copied with slice': ['ownership: the part', (s) => ({ save: async (part, o) => { const copy = part.slice(); await pause(); return s.save(copy, o); } })],
  'the smaller part overtakes': ['order: of saves', (s) => ({ save: async (part, o) => { const copy = new Uint8Array(part); if (part.length > 50_000) await pause(); return s.save(copy, o); } })],
  'a load overtakes': ['order: a load', (s, place) => ({ load: async () => memoryStore(place).load(), save: async (part, o) => { const copy = new Uint8Array(part); await pause(); return s.save(copy, o); }, close: async () => { await pause(); await s.close(); } })],
  'closed once only': ['closing: a store may', (s) => { let closed = false; return { close: async () => { if (closed) throw new Error('closed'); closed = true; await s.close(); } }; }],
  'close fails': ['closing: close', (s) => ({ close: async () => { await s.close(); throw new Error('busy'); } })],
  'loads after close': ['closing: load', (s) => ({ load: async () => { const loaded: Load = await Promise.resolve(s.load()).catch(() => undefined); return loaded; } })],
  'saves after close': ['closing: save', (s, place) => ({ save: (part, o) => s.save(part, o).catch((error: unknown) => { if ((error as { code: string }).code !== 'checkpoint-closed') throw error; return memoryStore(place).save(part, o); }) })],
  'saves before close are dropped': ['fitting: a save that fits', (s) => { let closed = false; return { load: async () => (await pause(), s.load()), save: async (part, o) => { const copy = new Uint8Array(part); await pause(); if (closed) throw new Error('closed'); return s.save(copy, o); }, close: () => { closed = true; return s.close(); } }; }],
  'acknowledged, never written': ['wholeness', (_, place) => ({ save: async (_part, { ifRev, base }: SaveOptions) => { if (ifRev !== (place.saves === 0 ? undefined : String(place.saves)) || (!base && place.saves === 0)) throw Object.assign(new Error(), { code: 'checkpoint-conflict' }); return Promise.resolve(String(++place.saves)); } })],
};

/** Stores over one new place. */
const opener = (breakMedium: Break, breakStore: BreakStore = () => ({})): (() => CheckpointStore) => {
  const place: StoreMemory = { parts: [], saves: 0 };
  return () => {
    const medium = sound(place);
    const store = queuedStore('memory', { ...medium, ...breakMedium(medium, place) });
    return { ...store, ...breakStore(store, place) };
  };
};

describe('checkStore', () => {
  test('finds nothing wrong where nothing is', async () => {
    await checkStore(opener(() => ({})));
    const memory = { parts: [], saves: 0 };
    await checkStore(() => memoryStore(memory));
    await checkStore(opener((m) => ({ load: async () => (await pause(), m.load()), save: async (part, o) => (await pause(), m.save(part, o)) })));
  });

  test.each(Object.entries(media))('%s', async (_, [law, breaking]) => {
    await expect(checkStore(opener(breaking))).rejects.toMatchObject({ code: 'invalid-store', expected: expect.stringContaining(`the store to keep the law of ${law}`) as string });
  });

  test.each(Object.entries(stores))('%s', async (_, [law, breaking]) => {
    await expect(checkStore(opener(() => ({}), breaking))).rejects.toMatchObject({ code: 'invalid-store', expected: expect.stringContaining(`the store to keep the law of ${law}`) as string });
  });

  test('a place that is not empty is found, as is a store that gives each user a place of its own', async () => {
    const memory = { parts: [], saves: 0 };
    await memoryStore(memory).save(new Uint8Array(1), { ifRev: undefined, base: true });
    await expect(checkStore(() => memoryStore(memory))).rejects.toThrow('emptiness: load is undefined where nothing was saved');
    await expect(checkStore(() => memoryStore())).rejects.toThrow('reopening: a new store over the place loads the same');
  });

  test('closes what it opened, also where a law is broken', async () => {
    let open = 0;
    const counted = (breaking: Break) => {
      const one = opener(breaking);
      return () => {
        open += 1;
        const store = one();
        let closing: void | Promise<void>;
        return { ...store, close: () => (closing ??= (open -= 1, store.close())) };
      };
    };
    await checkStore(counted(() => ({})));
    expect(open).toBe(0);
    await checkStore(counted(() => ({ load: () => Promise.reject(new Error('no')) }))).catch(() => undefined);
    expect(open).toBe(0);
  });
});
