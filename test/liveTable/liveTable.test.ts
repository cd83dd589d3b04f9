import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { SnapshotError } from '../../src/errors.ts';
import { createLiveTable, type LiveTableConfig } from '../../src/liveTable/index.ts';
import { codeOf } from '../support/codeOf.ts';

interface Standing {
  readonly player: string;
  readonly points: number;
}
const standing = (player: string, points: number): Standing => ({ player, points });
const open = (settings: Partial<LiveTableConfig<Standing, 'player'>> = {}) => createLiveTable<Standing>()({ key: 'player', ...settings });

describe('a live table', () => {
  it('tells of each key what an input changed, from what was before it to what is after it', () => {
    const table = open();

    expect(table.apply([standing('ann', 1), standing('bob', 2), standing('ann', 3)])).toEqual([
      { kind: 'insert', after: standing('ann', 3) },
      { kind: 'insert', after: standing('bob', 2) },
    ]);
    expect(table.apply(standing('bob', 2))).toEqual([]);
    expect(table.apply({ rows: [standing('bob', 5), standing('cid', 0)], removed: [{ player: 'ann' }, { player: 'cid' }, { player: 'eve' }] })).toEqual([
      { kind: 'update', before: standing('bob', 2), after: standing('bob', 5) },
      { kind: 'delete', before: standing('ann', 3) },
    ]);
    expect(table.delete([{ player: 'bob' }, { player: 'bob' }])).toEqual([{ kind: 'delete', before: standing('bob', 5) }]);
    expect(table.size).toBe(0);
  });

  it('refuses a row whose key is no column of its own, instead of taking all such rows for one', () => {
    class Player {
      readonly #name: string;
      constructor(name: string) {
        this.#name = name;
      }
      get player(): string {
        return this.#name;
      }
    }
    const table = createLiveTable<Player>()({ key: 'player' }), hidden = Object.defineProperty(new Player('ann'), 'player', { value: 'ann' });

    expect(codeOf(() => table.apply([new Player('ann'), new Player('bob')]))).toBe('invalid-key');
    expect(codeOf(() => table.apply(hidden))).toBe('invalid-key');
    expect(table.size).toBe(0);
  });

  it('gives in `before` the very object that left in `after`, and by `get` and `rows`', () => {
    const table = open();
    const [inserted] = table.apply(standing('ann', 1)), [updated] = table.apply(standing('ann', 2));

    expect(inserted?.kind === 'insert' && updated?.kind === 'update' && updated.before === inserted.after).toBe(true);
    expect(updated?.kind === 'update' && table.get({ player: 'ann' }) === updated.after && table.rows[0] === updated.after).toBe(true);
  });

  it('keeps copies: a source may use a row again, with what is in it', () => {
    const table = createLiveTable<{ k: string; tags: string[]; at: Date }>()({ key: ['k', 'at'] });
    const row = { k: 'a', tags: ['x'], at: new Date(1) };
    table.apply(row);
    row.tags.push('y');

    expect(table.apply(row)).toEqual([{ kind: 'update', before: { k: 'a', tags: ['x'], at: new Date(1) }, after: row }]);
    row.at.setTime(2);
    expect(table.apply(row)).toEqual([{ kind: 'insert', after: row }]);
    expect(table.get({ k: 'a', at: new Date(1) })?.at).toEqual(new Date(1));
  });

  it('takes columns of any name, and rows with prototypes of their own for their columns', () => {
    interface Strange {
      readonly constructor: never;
    }
    const table = createLiveTable<Strange>()({ key: 'constructor' });
    const strange = JSON.parse('{ "constructor": "x", "__proto__": 5, "toString": null }') as Strange;
    table.apply(strange);

    expect(Object.keys(table.rows[0]!)).toEqual(['constructor', '__proto__', 'toString']);
    expect(table.apply(Object.create({ inherited: 1 }, Object.getOwnPropertyDescriptors(strange)) as Strange)).toEqual([]);
  });

  it('deletes by rows that say so', () => {
    const table = open({ deleted: ({ points }) => points < 0 });
    table.apply([standing('ann', 1), standing('bob', 1), standing('eve', -1)]);

    expect(table.apply([standing('ann', -1), standing('bob', -1), standing('bob', 4)])).toEqual([
      { kind: 'delete', before: standing('ann', 1) },
      { kind: 'update', before: standing('bob', 1), after: standing('bob', 4) },
    ]);
  });

  it('puts a key that comes back behind those that stayed', () => {
    const table = open();
    table.apply([standing('ann', 1), standing('bob', 1)]);
    table.delete([{ player: 'ann' }]);
    table.apply([standing('ann', 1), standing('bob', 2)]);

    expect(table.rows.map(({ player }) => player)).toEqual(['bob', 'ann']);
  });
});

describe('what is no row', () => {
  const wrong: readonly [string, unknown][] = [
    ['a key that is an object', { player: {}, points: 1 }],
    ['nothing', undefined],
    ['a number', 5],
    ['a list in a list', [standing('ann', 1)]],
    ['a date without a time', { player: new Date(NaN), points: 1 }],
  ];
  it.each(wrong)('is an error: %s; and the rows before it are not taken', (_, row) => {
    const table = open();

    expect(codeOf(() => table.apply([standing('ann', 1), row as Standing]))).toBe('invalid-key');
    expect(table.size).toBe(0);
  });

  it('is an error where a key is asked for that lacks a column', () => {
    const table = open();

    expect(codeOf(() => table.get({} as Standing))).toBe('invalid-key');
    expect(codeOf(() => table.get(null as never))).toBe('invalid-key');
    expect(codeOf(() => table.delete({ player: 'ann' } as never))).toBe('invalid-key');
    expect(codeOf(() => table.apply({ rows: [standing('ann', 1)], removed: [{ points: 1 } as never] }))).toBe('invalid-key');
    expect(table.size).toBe(0);
  });

  it('stays out where `deleted` throws, as all of its input', () => {
    const table = open({
      deleted({ points }) {
        if (points > 1) throw new Error('too many');
        return false;
      },
    });
    expect(() => table.apply([standing('ann', 1), standing('bob', 2)])).toThrow('too many');
    expect(table.size).toBe(0);
  });

  it('is refused in a configuration', () => {
    const wrong = [null, {}, { key: 5 }, { key: ['player', '__proto__'] }, { key: 'player', deleted: 1 }, { key: 'player', limits: { maxKeys: 0 } }, { key: 'player', encode: String }];

    expect(wrong.map((config) => codeOf(() => createLiveTable<Standing>()(config as never)))).toEqual(wrong.map(() => 'invalid-config'));
  });
});

describe('limits', () => {
  it('are an error for one key too many once the input is over, and nothing of it is taken', () => {
    const table = open({ limits: { maxKeys: 2 } });
    table.apply([standing('ann', 1), standing('bob', 1)]);

    expect(codeOf(() => table.apply([standing('ann', 2), standing('cid', 1)]))).toBe('limit-exceeded');
    expect(table.rows).toEqual([standing('ann', 1), standing('bob', 1)]);
    expect(table.apply({ rows: [standing('cid', 1), standing('eve', 1)], removed: [{ player: 'ann' }, { player: 'eve' }] })).toHaveLength(2);
  });

  it('refuse new keys, and count them', () => {
    const table = open({ limits: { maxKeys: 1, onLimit: 'drop-new' } });

    expect(table.apply([standing('ann', 1), standing('bob', 1), standing('ann', 2)])).toEqual([{ kind: 'insert', after: standing('ann', 2) }]);
    expect(table.stats).toEqual({ rows: 1, evicted: 0, limited: 1 });
  });

  it('delete the row that had nothing for longest; an equal row is something', () => {
    const table = open({ limits: { maxKeys: 2, onLimit: 'evict-idle' } });
    table.apply([standing('ann', 1), standing('bob', 1)]);
    table.apply(standing('ann', 1));

    expect(table.apply(standing('cid', 1))).toEqual([
      { kind: 'delete', before: standing('bob', 1) },
      { kind: 'insert', after: standing('cid', 1) },
    ]);
    expect(table.stats).toEqual({ rows: 2, evicted: 1, limited: 0 });
  });

  it('leave of an input that is too large what came last, in net changes', () => {
    const table = open({ limits: { maxKeys: 2, onLimit: 'evict-idle' } });
    table.apply([standing('ann', 1), standing('bob', 1)]);

    expect(table.apply([standing('cid', 1), standing('ann', 2), standing('dan', 1), standing('eve', 1)])).toEqual([
      { kind: 'delete', before: standing('bob', 1) },
      { kind: 'delete', before: standing('ann', 1) },
      { kind: 'insert', after: standing('dan', 1) },
      { kind: 'insert', after: standing('eve', 1) },
    ]);
  });
});

describe('a snapshot', () => {
  const filled = (settings: Partial<LiveTableConfig<Standing, 'player'>> = {}) => {
    const table = open(settings);
    table.apply([standing('ann', 1), standing('bob', 2), standing('cid', NaN)]);
    table.apply(standing('ann', 4));
    return table;
  };

  it('has the rows, their order, their idleness and the counts', () => {
    const limits = { maxKeys: 3, onLimit: 'evict-idle' } as const, table = filled({ limits }), restored = open({ limits });
    table.apply(standing('dan', 0)); // bob goes
    restored.restore(table.snapshot());

    expect(restored.rows).toEqual([standing('ann', 4), standing('cid', NaN), standing('dan', 0)]);
    expect(restored.stats).toEqual({ rows: 3, evicted: 1, limited: 0 });
    expect(restored.apply(standing('bob', 2))).toEqual(table.apply(standing('bob', 2))); // cid goes
    expect(restored.snapshot()).toEqual(table.snapshot());
  });

  it('may have more rows than the limits of today, and rows saved without limits are idle in their order', () => {
    const table = open({ limits: { maxKeys: 2, onLimit: 'evict-idle' } });
    table.restore(filled().snapshot());

    expect(table.size).toBe(3);
    expect(table.apply(standing('bob', 3))).toHaveLength(1);
    table.apply(standing('dan', 1));
    expect(table.rows.map(({ player }) => player)).toEqual(['bob', 'dan']);
  });

  it('of rows that hold more than plain values takes encode and decode', () => {
    class Points {
      readonly value: number;
      constructor(value: number) {
        this.value = value;
      }
    }
    interface Rich {
      readonly player: string;
      readonly points: Points;
    }
    const table = createLiveTable<Rich>()({
      key: 'player',
      encode: ({ player, points }) => [player, points.value],
      decode: (saved) => ({ player: (saved as [string])[0], points: new Points((saved as [string, number])[1]) }),
    });
    const without = createLiveTable<Rich>()({ key: 'player' });
    table.apply({ player: 'ann', points: new Points(3) });
    without.apply({ player: 'ann', points: new Points(3) });
    const bytes = table.snapshot();
    table.delete([{ player: 'ann' }]);
    table.restore(bytes);

    expect(table.get({ player: 'ann' })?.points).toEqual(new Points(3));
    expect(codeOf(() => without.snapshot())).toBe('snapshot-unsupported-value');
  });

  it('whose rows have no key any more, or one key twice, is damaged', () => {
    const bytes = filled().snapshot(), decoded = [{ player: {} }, { player: 'ann' }, 5];
    const codes = decoded.map((row) => codeOf(() => open({ encode: (saved) => saved, decode: () => row as never }).restore(bytes)));

    expect(codes).toEqual(['snapshot-damaged', 'snapshot-damaged', 'snapshot-damaged']);
  });

  test('of format 1 is read for ever', () => {
    const saved = 'UldUMQEJAgoBCWxpdmVUYWJsZQkCBwFrBwFsCgQEcm93cwkDCgMBawcBYQFsBQEBdgQAAAAAAADgPwoDAWsHAWIBbAgAAAAAAAAUQAF2BAAAAAAAAACACgIBawcBYwF2CQMGATIHAekBBAAAAAAAAPh/BGlkbGUJAwUBBQIFAAdldmljdGVkBQAHbGltaXRlZAUAILUWkA==';
    const table = createLiveTable<Record<'k' | 'l', string> & { v: unknown }>()({ key: ['k', 'l'], limits: { maxKeys: 3, onLimit: 'evict-idle' } });
    table.restore(Buffer.from(saved, 'base64'));

    expect(table.rows).toEqual([{ k: 'a', l: 1, v: 0.5 }, { k: 'b', l: new Date(5), v: -0 }, { k: 'c', v: [2n, 'é', NaN] }]);
    expect(table.apply({ k: 'd', l: '', v: 0 })[0]).toEqual({ kind: 'delete', before: { k: 'b', l: new Date(5), v: -0 } });
  });

  test('of other key columns, and of something else, is refused', () => {
    const bytes = createLiveTable<Standing>()({ key: ['player', 'points'] }).snapshot();

    expect(codeOf(() => open().restore(bytes))).toBe('snapshot-plan-changed');
    expect(codeOf(() => open().restore(new Uint8Array(20)))).toBe('snapshot-foreign');
    expect(codeOf(() => open().restore('RWT1' as never))).toBe('snapshot-foreign');
  });

  test('that was damaged is refused, and the table stays as it was', () => {
    const whole = filled().snapshot(), table = filled({ deleted: () => false }), before = table.rows;
    const damages = fc.oneof(
      fc.tuple(fc.nat(whole.length - 1), fc.nat(7)).map(([at, bit]) => whole.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte))),
      fc.nat(whole.length - 1).map((length) => whole.slice(0, length)),
      fc.uint8Array({ minLength: 1, maxLength: 20 }).map((more) => Uint8Array.from([...whole, ...more])),
    );
    fc.assert(
      fc.property(damages, (bytes) => {
        expect(() => table.restore(bytes)).toThrow(SnapshotError);
        expect(table.rows).toEqual(before);
      }),
      { numRuns: 3000 },
    );
  });
});
