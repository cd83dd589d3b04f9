import { describe, expect, test } from 'vitest';
import { count, preceding, range, sum } from '../src/index.ts';
import type { Dropped, AnyEngineConfig } from '../src/config.ts';
import type { AnyEngine, Columns } from './support/duel.ts';
import { startEngine } from './support/engines.ts';

const base = { partitionBy: 'k', orderBy: 't' } as const;
const started = (settings: Partial<AnyEngineConfig>): AnyEngine => startEngine({ ...base, measures: [count().as('n')], ...settings });
const filtered = (filter: (event: Columns) => boolean): AnyEngine => started({ measures: [count().as('n'), count().filter(filter).as('passed')] });

describe('user code in the middle of a push', () => {
  test('a filter may ask the engine about another key', () => {
    const engine = filtered(({ k }) => engine.query({ k: k === 'a' ? 'b' : 'a' })['n'] === 0);
    engine.push({ k: 'a', t: 1 }, 1);
    engine.push({ k: 'b', t: 1 }, 1);
    expect(engine.advance(1)).toEqual([{ k: 'a', __frontier: 1, n: 1, passed: 1 }, { k: 'b', __frontier: 1, n: 1, passed: 0 }]);
  });

  test('a filter may push an event of another key', () => {
    const engine = filtered(({ k, t }) => {
      if (k === 'a') engine.push({ k: 'b', t }, 1);
      return k === 'a';
    });
    engine.push({ k: 'a', t: 1 }, 1);
    expect(engine.position.events).toBe(2);
    expect(engine.advance(1).sort((a, b) => String(a['k']).localeCompare(String(b['k'])))).toEqual([{ k: 'a', __frontier: 1, n: 1, passed: 1 }, { k: 'b', __frontier: 1, n: 1, passed: 0 }]);
  });

  test('a dropped event may be answered by a push, a query and a snapshot', () => {
    const events: unknown[] = [];
    const next = ({ reason }: Dropped<Columns>): void => {
      events.push(reason, engine.position.events, engine.stats.late, engine.query({ k: 'a' })['n']);
      const copy = started({ watermark: 0, dropped: { next } });
      copy.restore(engine.snapshot());
      expect(copy.position).toEqual(engine.position);
      engine.push({ k: 'late', t: 3 }, 3);
    };
    const engine: AnyEngine = started({ watermark: 0, dropped: { next } });
    engine.push({ k: 'a', t: 2 }, 2);
    engine.advance(3);
    expect(engine.push({ k: 'a', t: 1 }, 3)).toBe('late');
    expect(events).toEqual(['late', 2, 1, 1]);
    expect(engine.advance(4)).toEqual([{ k: 'late', __frontier: 4, n: 1 }]);
  });

  test.each(['k', 't', 'v', 's'])('a property %s that throws leaves the engine as it was, whenever it throws', (column) => {
    for (let failing = 0; failing < 3; failing++) {
      const engine = started({ measures: [sum('v'), sum('v').filter(() => true).as('again')], watermark: { delay: 5, by: 's' } });
      engine.push({ k: 'a', t: 1, v: null, s: 'x' }, 1);
      const before = engine.snapshot();
      let reads = 0;
      const event = { k: 'a', t: 1, v: 5n, s: 'x' };
      Object.defineProperty(event, column, {
        get: () => {
          if (reads++ === failing) throw new Error('mine');
          return { k: 'a', t: 1, v: 5n, s: 'x' }[column];
        },
      });
      let thrown = false;
      try {
        engine.push(event, 2);
      } catch (error) {
        expect(String(error)).toContain('mine');
        thrown = true;
      }
      expect(thrown).toBe(reads > failing);
      if (thrown) expect(engine.snapshot()).toEqual(before);
    }
  });

  test('events may be frozen, of a class, without a prototype, and changed or used again after the push', () => {
    class Sale {
      readonly t = 1;
      readonly #cents = 200;
      get k(): string {
        return String.fromCharCode(this.#cents - 103);
      }
      get v(): number {
        return this.#cents / 100;
      }
    }
    const engine = started({ measures: [sum('v')] });
    const date = new Date(5), reused = { k: date, t: 1, v: 7 };
    const events: object[] = [Object.freeze({ k: 'a', t: 1, v: 1 }), new Sale(), Object.assign(Object.create(null) as object, { k: 'a', t: 1, v: 4 }), reused];
    for (const event of events) expect(engine.push(event as Columns, 1)).toBe('counted');
    Object.assign(reused, { k: 'z', t: 99, v: 100 });
    date.setTime(99);
    expect(engine.advance(1)).toEqual([{ k: 'a', __frontier: 1, 'sum(v)': 7 }, { k: new Date(5), __frontier: 1, 'sum(v)': 7 }]);
  });

  test.each([null, undefined, 5, 'text'])('%o is an event without columns', (event) => {
    const engine = started({});
    expect(engine.push(event as never, 1)).toBe('invalid');
    expect(engine.stats).toMatchObject({ invalid: 1, keys: 0 });
  });
});

describe('limits', () => {
  const limited = (limits: object, settings: Partial<AnyEngineConfig> = {}): AnyEngine => started({ limits: { onLimit: 'evict-idle', ...limits }, measures: [count().over(preceding(range(10))).as('n')], ...settings });

  test('a key that is evicted while its row is due gives no row, and its events are gone', () => {
    const engine = limited({ maxKeys: 1 });
    engine.push({ k: 'a', t: 1 }, 1);
    engine.push({ k: 'b', t: 1 }, 1);
    expect(engine.advance(1)).toEqual([{ k: 'b', __frontier: 1, n: 1 }]);
    expect([engine.removed, engine.stats.events, engine.stats.evicted]).toEqual([[{ k: 'a' }], 1, 1]);
  });

  test('held events of an evicted key are gone, too', () => {
    const engine = limited({ maxKeys: 1 });
    engine.push({ k: 'a', t: 5 }, 1);
    expect(engine.stats.held).toBe(1);
    engine.push({ k: 'b', t: 6 }, 1);
    expect(engine.stats).toMatchObject({ held: 1, events: 1, keys: 1 });
    expect(engine.nextBoundary({ k: 'a' })).toBeUndefined();
    expect(engine.advance(5)).toEqual([]);
    expect(engine.advance(6)).toEqual([{ k: 'b', __frontier: 6, n: 1 }]);
  });

  test('a key that was evicted and is back with a row is not among the removed', () => {
    const engine = limited({ maxKeys: 1 });
    engine.push({ k: 'a', t: 1 }, 1);
    engine.advance(1);
    engine.push({ k: 'b', t: 2 }, 2);
    engine.push({ k: 'a', t: 2 }, 2);
    expect(engine.advance(2)).toEqual([{ k: 'a', __frontier: 2, n: 1 }]);
    expect([engine.removed, engine.stats.evicted]).toEqual([[{ k: 'b' }], 2]);
    engine.push({ k: 'c', t: 3 }, 3);
    engine.push({ k: 'a', t: 9 }, 3); // back, but held: what was shown of it is no more
    expect([engine.advance(3), engine.removed]).toEqual([[], [{ k: 'a' }, { k: 'c' }]]);
  });

  test('one key with too many events gives way to itself', () => {
    const engine = limited({ maxEvents: 2 });
    for (const t of [1, 2, 3]) expect(engine.push({ k: 'a', t }, t)).toBe('counted');
    expect(engine.advance(3)).toEqual([{ k: 'a', __frontier: 3, n: 1 }]);
    expect(engine.stats).toMatchObject({ evicted: 1, events: 1, keys: 1 });
  });

  test('a lifetime counts no events that no window holds', () => {
    const engine = limited({ maxEvents: 1, onLimit: 'error' }, { measures: [count().as('n')] });
    for (const t of [1, 2, 3]) {
      engine.push({ k: 'a', t }, t);
      engine.advance(t);
    }
    expect(engine.query({ k: 'a' })['n']).toBe(3);
    engine.push({ k: 'a', t: 10 }, 3); // held
    expect(() => engine.push({ k: 'a', t: 11 }, 3)).toThrow(expect.objectContaining({ code: 'limit-exceeded' }));
  });

  test('a lifetime key goes after its time to live, without a row', () => {
    const engine = limited({ keyTtl: 10 }, { measures: [count().as('n')] });
    engine.push({ k: 'a', t: 0 }, 0);
    engine.push({ k: 'b', t: 0 }, 4);
    engine.advance(4);
    expect([engine.advance(9), engine.removed]).toEqual([[], []]);
    expect([engine.advance(10), engine.removed]).toEqual([[], [{ k: 'a' }]]);
    engine.push({ k: 'a', t: 11 }, 11);
    expect(engine.advance(11)).toEqual([{ k: 'a', __frontier: 11, n: 1 }]);
  });

  test('one group of all events can be evicted and comes back', () => {
    const engine = limited({ maxEvents: 2 }, { partitionBy: [] });
    for (const t of [1, 2, 3]) engine.push({ t }, t);
    expect([engine.advance(3), engine.removed]).toEqual([[{ __frontier: 3, n: 1 }], []]);
    const restored = limited({ maxEvents: 2 }, { partitionBy: [] });
    restored.restore(engine.snapshot());
    restored.push({ t: 4 }, 4);
    expect([restored.advance(4), restored.query({})]).toEqual([[{ __frontier: 4, n: 2 }], { __frontier: 4, n: 2 }]);
  });

  test('keys that come once and hold an event far ahead leave nothing behind when they are evicted', () => {
    const engine = limited({ maxKeys: 10 });
    const fill = (from: number, to: number): number => {
      for (let t = from; t < to; t++) {
        engine.push({ k: t, t: t + 1e9 }, t);
        if (t % 100 === 0) engine.advance(t);
      }
      return engine.stats.bytes;
    };
    const early = fill(0, 5000);
    expect(fill(5000, 50_000)).toBeLessThan(early * 1.5);
    expect(engine.stats).toMatchObject({ keys: 10, events: 10, held: 10, evicted: 49_990 });
    // What is still there enters when its time comes, and leaves.
    expect(engine.advance(49_999 + 1e9).map(({ k, n }) => [k, n])).toContainEqual([49_999, 1]);
    engine.advance(2e9);
    expect([engine.stats.keys, engine.nextBoundary()]).toEqual([0, undefined]);
  });
});
