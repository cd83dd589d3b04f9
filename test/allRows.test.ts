import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { collect, count, dates, describeSnapshot, epoch, first, preceding, range, rows, since, sliding, sum, udaf, type AnyEngineConfig, type AnyMeasure } from '../src/index.ts';
import { HeldQueue } from '../src/windows/heldQueue.ts';
import type { AnyEngine, Columns } from './support/duel.ts';
import { startEngine } from './support/engines.ts';

/* What `queryAll` gives is what `query` gives for each key, and what an evaluation of every row would give there. */

const listed = udaf({ name: 'listed', zero: () => [] as unknown[], reduce: (list, value: unknown) => [...list, value], merge: (a, b) => [...a, ...b], finish: (list) => list.slice(-3) });
const near = preceding(range(9)), far = preceding(range(30));

/** Whole numbers, whose sums are exact in whatever order. */
const measures: Record<string, AnyMeasure> = {
  sum: sum('v').over(near),
  far: sum('v').over(far).as('far'),
  ever: sum('v').as('ever'),
  rows: sum('v').over(preceding(rows(2))).as('rows'),
  steps: count().over(sliding(range(12), range(5))).as('steps'),
  apart: count().over(sliding(range(3), range(8))).as('apart'),
  since: sum('v').over(since(range(10))).as('since'),
  even: count().filter((event: Columns) => Number(event['v']) % 2 === 0).over(far).as('even'),
  first: first('v').over(near).as('first'),
  listed: listed('v').over(far).as('listed'),
  always: listed('v').as('always'),
  all: collect('v', 3).over(near).as('all'),
};

const limits = fc.constantFrom<AnyEngineConfig['limits']>({ maxKeys: 2, onLimit: 'evict-idle' }, { maxEvents: 4, onLimit: 'evict-idle' }, { maxKeys: 9, keyTtl: 12 }, { maxKeys: 2, onLimit: 'drop-new' });
const configs = fc.record(
  {
    measures: fc.uniqueArray(fc.constantFrom(...Object.values(measures)), { minLength: 1, maxLength: 4 }),
    partitionBy: fc.constantFrom('k', 'k', ['k', 'l'], []),
    orderBy: fc.constant('t'),
    emit: fc.constantFrom('changed', 'every', 'every', 'none'),
    frontierSpec: fc.constantFrom({ delay: 0 }, { delay: 0 }, { delay: 6 }, { delay: 6, alias: 'at' }),
    watermark: fc.constantFrom(undefined, undefined, 5),
    closed: fc.constantFrom('right', 'right', 'both'),
    time: fc.constantFrom(undefined, undefined, undefined, dates),
    limits: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: limits }),
  } as const,
) as unknown as fc.Arbitrary<AnyEngineConfig>;

const step = fc.record({
  key: fc.constantFrom<Columns>({ k: 'a' }, { k: 'b', l: 1 }, { k: 'c' }, { k: 3 }, { k: '3' }, { k: null }, { k: new Date(7) }),
  /** How long after the one before, and how far the event is ahead of the clock. */
  after: fc.constantFrom(0, 1, 2, 5, 9, 30),
  ahead: fc.constantFrom(0, 0, 0, -4, -15, 3, 11),
  v: fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(null)),
  evaluates: fc.boolean(),
  then: fc.constantFrom('', '', '', '', '', '', 'restore', 'delta'),
});

const short = [sum('v').over(near).as('sum'), count().over(near).as('n')];
const open = (settings: Partial<AnyEngineConfig> = {}): AnyEngine => startEngine({ partitionBy: 'k', orderBy: 't', measures: short, ...settings });

/** Rows by what they say: a test that compares thousands has no time for the way in which `toEqual` does it. */
const said = (given: readonly Columns[]): string => JSON.stringify(given, (_, value: unknown) => (Object.is(value, -0) ? '-0' : value));

/** Compares all rows with questions key by key. */
function expectRowsOfAll(engine: AnyEngine, keyColumns: readonly string[], now?: number): void {
  const at = now === undefined ? [] : [now], all = engine.queryAll(...at);
  expect(said(all)).toBe(said(all.map((row) => engine.query(Object.fromEntries(keyColumns.map((name) => [name, row[name]])), ...at))));
  expect(all.length).toBe(engine.stats.keys);
  const owned = all.flatMap((row) => Object.values(row).filter((value) => typeof value === 'object' && value !== null));
  expect(new Set(owned).size).toBe(owned.length);
  for (const value of owned) spoil(value);
  expect(said(engine.queryAll(...at))).not.toContain('spoiled');
}

function spoil(value: unknown): void {
  if (Array.isArray(value)) value.push('spoiled');
  if (value instanceof Date) value.setTime(NaN);
}

const inOrder = (given: readonly Columns[]): string[] => given.map((row) => said([row])).sort();

describe('queryAll', () => {
  test('gives for each key what query gives, moves nothing, and is what an evaluation of every row gives', { timeout: Number(process.env['COURSES'] ?? 1000) * 120 }, () => {
    const seen = { rows: 0, evaluated: 0, restored: 0 };
    fc.assert(
      fc.property(configs, fc.array(step, { minLength: 4, maxLength: 24, size: 'max' }), (config, steps) => {
        const keyColumns = [config.partitionBy].flat();
        let engine = startEngine(config), now = 1000;
        for (const { key, after, ahead, v, evaluates, then } of steps) {
          now += after;
          const t = now + ahead;
          engine.push({ ...key, t: config.time === dates ? new Date(t) : t, v }, now);
          const state = engine.snapshot();
          expectRowsOfAll(engine, keyColumns);
          for (const later of [-8, 0, 1, 4, 25]) expectRowsOfAll(engine, keyColumns, now + later);
          expect(Buffer.compare(engine.snapshot(), state)).toBe(0);
          seen.rows += engine.stats.keys;
          if (evaluates) {
            const all = engine.queryAll(now), given = engine.advance(now);
            if (config.emit === 'every' && config.limits === undefined) {
              expect(said(all)).toBe(said(given));
              seen.evaluated += given.length;
            }
          }
          if (then === '') continue;
          const part = engine.snapshot({ delta: then === 'delta' }), all = inOrder(engine.queryAll(now + 3));
          engine = startEngine(config);
          engine.restore(describeSnapshot(part).base ? [part] : [state, part]);
          expect(inOrder(engine.queryAll(now + 3))).toEqual(all);
          seen.restored += all.length;
        }
      }),
      { numRuns: Number(process.env['COURSES'] ?? 250) },
    );
    expect(Math.min(seen.rows, seen.evaluated, seen.restored)).toBeGreaterThan(500);
  });

  test('knows no key before its first event, each of them while it waits, and none that was dropped', () => {
    const engine = open();
    expect(engine.queryAll()).toEqual([]);
    expect(engine.queryAll(5)).toEqual([]);
    engine.push({ k: 'a', t: 8, v: 5 }, 1);
    engine.advance(1);
    expect(engine.queryAll()).toEqual([{ k: 'a', __frontier: 1, sum: null, n: 0 }]);
    expect(engine.queryAll(8)).toEqual([{ k: 'a', __frontier: 8, sum: 5, n: 1 }]);
    expect(engine.queryAll(17)).toEqual([{ k: 'a', __frontier: 17, sum: null, n: 0 }]);
    engine.advance(17);
    expect([engine.removed, engine.queryAll()]).toEqual([[{ k: 'a' }], []]);
  });

  test('below the frontier reads at the frontier', () => {
    const engine = open({ frontierSpec: { delay: 10 } });
    engine.push({ k: 'a', t: 8, v: 5 }, 9);
    engine.advance(20);
    for (const now of [-Infinity, -5, 3, 20]) expect(engine.queryAll(now)).toEqual([{ k: 'a', __frontier: 10, sum: 5, n: 1 }]);
  });

  test('has rows that say until when they are not whole, up to then', () => {
    const before = open(), engine = open({ measures: [...short, sum('v').over(far).as('far')] });
    before.pushAll([{ k: 'a', t: 2, v: 5 }, { k: 'b', t: 14, v: 1 }], 14);
    before.advance(14);
    engine.restore(before.snapshot(), { allowWarmUp: true });
    for (const now of [14, 20, 60]) expect(engine.queryAll(now)).toEqual([engine.query({ k: 'b' }, now)]);
    expect(engine.queryAll(20)[0]).toHaveProperty('warmUntil');
    expect(engine.queryAll(60)[0]).not.toHaveProperty('warmUntil');
  });

  test('walks through all that is held to find out what is of which key, not for each key', () => {
    const keys = 50, each = 20, engine = open({ frontierSpec: { delay: 1000 } });
    for (let t = 0; t < keys * each; t++) engine.push({ k: `key ${String(t % keys)}`, t, v: 1 }, t);
    engine.advance(1000);
    const walks = vi.spyOn(HeldQueue.prototype as unknown as { forEachQueued(): void }, 'forEachQueued');
    expect(engine.queryAll(1990)).toHaveLength(keys);
    const { length } = walks.mock.calls;
    walks.mockRestore();
    expect(length).toBeLessThanOrEqual(2); // for the first key that is asked for, and for all others
  });
});

describe('a question from inside', () => {
  const questions: Record<string, (engine: AnyEngine) => unknown> = {
    query: (engine) => engine.query({ k: 'b' }),
    'query of what is to come': (engine) => engine.query({ k: 'c' }, 2000),
    queryAll: (engine) => engine.queryAll(),
    'queryAll of what is to come': (engine) => engine.queryAll(2000),
  };

  /** All rows that a course gives, where an aggregate asks at some step, and where it does not. */
  function rowsOf(where: string, question: (engine: AnyEngine) => unknown): unknown[] {
    let calls = 0, isOpen = false;
    const asked = (at: string): void => {
      if (at !== where || !isOpen) return;
      calls++;
      question(engine);
    };
    const asking = udaf({
      name: 'asking',
      zero: () => (asked('zero'), [] as unknown[]),
      reduce: (list, value: unknown) => (asked('reduce'), [...list, value]),
      merge: (a, b) => (asked('merge'), [...a, ...b]),
      finish: (list) => (asked('finish'), list.slice(-4)),
    });
    const engine = startEngine({
      partitionBy: 'k', orderBy: 't',
      measures: [sum('v').over(near).as('near'), asking('v').over(far).as('far'), count().over(far).as('n'), asking('v').over(near).as('list'), asking('v').as('ever')],
    });
    isOpen = true;
    const given: unknown[] = [];
    for (let i = 0; i < 240; i++) {
      engine.push({ k: 'abc'[i % 3], t: 1000 + i / 4 - (i % 7 === 0 ? 3 : 0), v: i }, 1000 + i / 4);
      if (i % 2 === 0) given.push(engine.advance(1000 + i / 4));
      if (i % 5 === 0) given.push(engine.query({ k: 'a' }, 1003 + i / 4), engine.queryAll(1001 + i / 4));
    }
    if (where !== '') expect(calls).toBeGreaterThan(10);
    return given;
  }

  test.each(['zero', 'reduce', 'merge', 'finish'])('%s of an aggregate is refused, and spoils no answer where that is swallowed', (where) => {
    const quiet = rowsOf('', () => undefined);
    for (const question of Object.values(questions)) {
      let refusals = 0;
      const given = rowsOf(where, (engine) => {
        try {
          question(engine);
        } catch (error) {
          expect(error).toMatchObject({ code: 'engine-in-use' });
          refusals++;
        }
      });
      expect(refusals).toBeGreaterThan(10);
      expect(given).toEqual(quiet);
      expect(() => rowsOf(where, question)).toThrow(expect.objectContaining({ code: 'engine-in-use' }));
    }
  });

  test('another engine answers an aggregate', () => {
    const other = open();
    other.push({ k: 'a', t: 1, v: 5 }, 1);
    other.advance(1);
    const asking = udaf({ name: 'asking', zero: () => 0, reduce: (n, value: number) => n + value * other.queryAll().length, merge: (a, b) => a + b, finish: (n) => n });
    const engine = startEngine({ partitionBy: 'k', orderBy: 't', measures: [asking('v').over(far).as('n')] });
    engine.push({ k: 'x', t: 2, v: 7 }, 2);
    expect(engine.advance(2)).toEqual([{ k: 'x', __frontier: 2, n: 7 }]);
  });

  test.each(Object.entries(questions))('a time adapter, as it writes the frontier: %s', (_, question) => {
    let isInside = true;
    const time = {
      ...epoch('seconds'),
      write(frontier: number) {
        if (!isInside) {
          isInside = true;
          question(engine);
          isInside = false;
        }
        return frontier;
      },
    };
    const engine = startEngine({ partitionBy: 'k', orderBy: 't', time, measures: [measures['sum']!, measures['listed']!, measures['always']!] });
    isInside = false;
    engine.push({ k: 'a', t: 1, v: 3 }, 1000);
    engine.push({ k: 'b', t: 1, v: 4 }, 1000);
    engine.advance(1000);
    for (const now of [1000, 1005]) expect(engine.queryAll(now)).toMatchObject([{ k: 'a', 'sum(v)': 3, listed: [3], always: [3] }, { k: 'b', 'sum(v)': 4, listed: [4], always: [4] }]);
  });

  test('a filter and a getter: the event is taken in as it would be', () => {
    const given: unknown[] = [];
    const engine = startEngine({ partitionBy: 'k', orderBy: 't', measures: [sum('v').filter(() => given.push(engine.queryAll()) > 0).over(near).as('sum')] });
    engine.push({ k: 'a', t: 1, v: 3 }, 1);
    engine.push({ k: 'a', t: 2, get v() { return given.push(engine.queryAll(9)); } }, 2);
    expect(given[0]).toEqual([]);
    expect(given.slice(1)).toSatisfy((asked: Columns[][]) => asked.every(([row]) => row?.['k'] === 'a'));
    expect(engine.advance(2)).toMatchObject([{ k: 'a' }]);
    expect(engine.stats).toMatchObject({ events: 2 });
  });
});
