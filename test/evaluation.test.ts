import { describe, expect, test } from 'vitest';
import type { AnyEngineConfig } from '../src/config.ts';
import { count, preceding, range, RollingWindowError, sum, udaf } from '../src/index.ts';
import type { AnyMeasure } from '../src/measures/measure.ts';
import type { AnyEngine } from './support/duel.ts';
import { startEngine } from './support/engines.ts';

type Step = 'zero' | 'reduce' | 'merge' | 'finish' | 'retract';

/** A sum of numbers whose steps can be made to fail: always, or for the value 13. */
class Fragile {
  failing: Step | undefined;
  readonly measures: readonly AnyMeasure[];

  constructor(retracts: boolean, length: number | undefined) {
    const fail = (step: Step, ...values: readonly number[]): void => {
      if (this.failing === step && (step === 'zero' || step === 'merge' || values.some((value) => value >= 13 && value % 100 === 13))) throw new Error(`no ${step}`);
    };
    const fragile = udaf({
      name: 'fragile',
      zero: () => (fail('zero'), 0),
      reduce: (state: number, value: number) => (fail('reduce', value), state + value),
      merge: (into: number, from: number) => (fail('merge'), into + from),
      finish: (state: number) => (fail('finish', state), state),
      ...(retracts && { retract: (state: number, value: number) => (fail('retract', value), state - value) }),
    })('v');
    this.measures = [count().over(preceding(range(50))).as('n'), length === undefined ? fragile.as('total') : fragile.over(preceding(range(length))).as('total'), sum('v').over(preceding(range(10))).as('short')];
  }
}

const byKey = (rows: readonly Record<string, unknown>[]): Record<string, unknown>[] => [...rows].sort((a, b) => String(a['k']).localeCompare(String(b['k'])));
const userCode = (step: Step): unknown => expect.objectContaining({ code: 'user-code', message: expect.stringContaining(`${step} of the aggregate 'fragile'`) as string, cause: expect.objectContaining({ message: `no ${step}` }) as unknown });

describe('an aggregate that throws', () => {
  const shapes = [[false, 50], [true, 50], [false, undefined]] as const;
  test.each(shapes.flatMap(([retracts, length]) => (['reduce', 'finish'] as const).map((step) => [step, retracts, length] as const)))(
    'in %s (retract %s, range %s): its key goes, the other rows come later, the engine goes on',
    (step, retracts, length) => {
      const fragile = new Fragile(retracts, length);
      const engine = startEngine({ partitionBy: 'k', orderBy: 't', measures: fragile.measures });
      const twin = startEngine({ partitionBy: 'k', orderBy: 't', measures: fragile.measures });
      for (const each of [engine, twin]) {
        for (const k of ['a', 'b', 'c']) each.push({ k, t: 0, v: 1 }, 0);
        each.advance(0);
      }
      for (const k of ['a', 'b', 'c']) engine.push({ k, t: 1, v: k !== 'b' ? 2 : step === 'finish' ? 12 : 13 }, 1);
      engine.push({ k: 'b', t: 40, v: 5 }, 1); // held
      for (const k of ['a', 'c']) twin.push({ k, t: 1, v: 2 }, 1);
      fragile.failing = step;
      expect(() => engine.advance(1)).toThrow(userCode(step));
      fragile.failing = undefined;
      expect(engine.stats).toMatchObject({ evicted: 1, keys: 2, held: 0 });
      expect(engine.frontier).toBe(1);
      expect(engine.nextBoundary()).toBe(1);
      expect(byKey(engine.advance(1))).toEqual(byKey(twin.advance(1)));
      expect(engine.removed).toEqual([{ k: 'b' }]);
      expect(engine.advance(1)).toEqual([]);
      for (const each of [engine, twin]) {
        each.push({ k: 'a', t: 5, v: 7 }, 5);
        each.push({ k: 'd', t: 5, v: 8 }, 5);
      }
      twin.push({ k: 'b', t: 5, v: 9 }, 5);
      engine.push({ k: 'b', t: 5, v: 9 }, 5);
      const rows = byKey(engine.advance(5)), expected = byKey(twin.advance(5));
      expect(rows.filter(({ k }) => k !== 'b')).toEqual(expected.filter(({ k }) => k !== 'b'));
      expect(rows.find(({ k }) => k === 'b')).toEqual({ k: 'b', __frontier: 5, n: 1, total: 9, short: 9 }); // a fresh start
      for (const now of [14.5, 52, 60, 99]) expect(byKey(engine.advance(now)).filter(({ k }) => k !== 'b')).toEqual(byKey(twin.advance(now)).filter(({ k }) => k !== 'b'));
      expect(engine.stats.events).toBe(0);
    },
  );

  test.each(shapes)('in zero (retract %s, range %s): a key that is new never comes to be, and can come again', (retracts, length) => {
    const fragile = new Fragile(retracts, length);
    const engine = startEngine({ partitionBy: 'k', orderBy: 't', measures: fragile.measures });
    engine.push({ k: 'a', t: 0, v: 1 }, 0);
    engine.advance(0);
    fragile.failing = 'zero';
    engine.push({ k: 'b', t: 1, v: 1 }, 1);
    expect(() => engine.advance(1)).toThrow(userCode('zero'));
    fragile.failing = undefined;
    expect(engine.stats).toMatchObject({ keys: 1, events: 1, evicted: 1 });
    engine.push({ k: 'b', t: 2, v: 3 }, 2);
    expect(engine.advance(2)).toEqual([{ k: 'b', __frontier: 2, n: 1, total: 3, short: 3 }]);
    expect(engine.query({ k: 'a' })).toEqual({ k: 'a', __frontier: 2, n: 1, total: 1, short: 1 });
  });

  test.each([1, 200])('in merge or retract, over windows of several blocks that slide (%i events at first): events are counted right', (density) => {
    for (const [step, retracts] of [['merge', false], ['retract', true]] as const) {
      const fragile = new Fragile(retracts, 50);
      const engine = startEngine({ partitionBy: 'k', orderBy: 't', measures: fragile.measures });
      for (let i = 0; i < density; i++) for (const k of ['a', 'b']) engine.push({ k, t: i / density, v: k === 'a' && i % 2 === 0 ? 13 : 1 }, 1);
      engine.advance(1);
      fragile.failing = step;
      let failures = 0;
      for (let now = 1; now < 70; now += 0.5) {
        for (const k of ['a', 'b']) engine.push({ k, t: now, v: k === 'a' ? 13 : 1 }, now);
        try {
          engine.advance(now);
        } catch (error) {
          failures++;
          expect(error).toBeInstanceOf(RollingWindowError);
        }
      }
      expect(failures).toBeGreaterThan(0);
      fragile.failing = undefined;
      engine.advance(1000);
      expect(engine.stats).toMatchObject({ keys: 0, events: 0, held: 0 });
    }
  });

  test.each([['reduce', 50], ['reduce', undefined], ['zero', undefined]] as const)('in %s over a late event (range %s): the push throws, its key goes, everything else stays', (step, length) => {
    const fragile = new Fragile(true, length);
    const engine = startEngine({ partitionBy: 'k', orderBy: 't', measures: fragile.measures });
    for (const k of ['a', 'b']) {
      engine.push({ k, t: 100, v: 1 }, 100);
      engine.push({ k, t: 120, v: 1 }, 100);
    }
    engine.advance(100);
    fragile.failing = step;
    expect(() => engine.push({ k: step === 'zero' ? 'c' : 'b', t: length === undefined ? 10 : 95, v: 13 }, 100)).toThrow(userCode(step));
    fragile.failing = undefined;
    expect(engine.stats).toMatchObject(step === 'zero' ? { keys: 2, events: 4, held: 2 } : { keys: 1, events: 2, held: 1 });
    expect(engine.advance(100)).toEqual([]);
    expect(engine.removed).toEqual([{ k: step === 'zero' ? 'c' : 'b' }]);
    expect(engine.query({ k: 'a' })).toEqual({ k: 'a', __frontier: 100, n: 1, total: 1, short: 1 });
    engine.push({ k: 'c', t: 100, v: 4 }, 100);
    expect(engine.advance(100)).toEqual([{ k: 'c', __frontier: 100, n: 1, total: 4, short: 4 }]);
  });

  test('lifetimes alone: what waits is not taken off twice where a later block fails', () => {
    const fragile = new Fragile(false, undefined);
    const engine = startEngine({ partitionBy: 'k', orderBy: 't', measures: fragile.measures.slice(1, 2) });
    for (let t = 0; t < 200; t++) engine.push({ k: 'a', t, v: t === 150 ? 13 : 1 }, -1);
    expect(engine.stats).toMatchObject({ events: 200, held: 200 });
    fragile.failing = 'reduce';
    expect(() => engine.advance(199)).toThrow(userCode('reduce'));
    expect(engine.stats).toMatchObject({ events: 0, held: 0, keys: 0 });
  });

  test('a query that fails changes nothing', () => {
    const fragile = new Fragile(false, 50);
    const engine = startEngine({ partitionBy: 'k', orderBy: 't', measures: fragile.measures });
    for (const t of [0, 1]) engine.push({ k: 'a', t, v: t === 0 ? 13 : 100 }, 0);
    engine.advance(0);
    const before = engine.snapshot();
    for (const step of ['reduce', 'finish'] as const) {
      fragile.failing = step;
      expect(() => engine.query({ k: 'a' }, 1)).toThrow(RollingWindowError);
    }
    fragile.failing = undefined;
    expect(engine.snapshot()).toEqual(before);
    expect(engine.query({ k: 'a' }, 1)).toMatchObject({ total: 113 });
  });

  test('a snapshot between the failure and the next evaluation holds the rows that are owed, and what was removed', () => {
    const fragile = new Fragile(true, 50);
    const config: AnyEngineConfig = { partitionBy: 'k', orderBy: 't', measures: fragile.measures };
    const run = (restarts: boolean): unknown[] => {
      let engine: AnyEngine = startEngine(config);
      for (const k of ['a', 'b', 'c']) for (const t of [1, 2, 60]) engine.push({ k, t, v: k === 'b' ? 13 : t }, 0);
      fragile.failing = 'reduce';
      expect(() => engine.advance(60)).toThrow(RollingWindowError);
      fragile.failing = undefined;
      engine.push({ k: 'a', t: 30, v: 100 }, 60); // late, between what entered and what left
      if (restarts) {
        const saved = engine.snapshot();
        engine = startEngine(config);
        engine.restore(saved);
        expect(engine.snapshot()).toEqual(saved);
      }
      return [engine.stats.rows, byKey(engine.advance(60)), engine.removed, engine.stats.rows, byKey(engine.advance(80)), byKey(engine.advance(500)), engine.stats.events];
    };
    expect(run(true)).toEqual(run(false));
    expect(run(true).slice(0, 4)).toEqual([
      0,
      [{ k: 'a', __frontier: 60, n: 1, total: 60, short: 60 }, { k: 'a', __frontier: 60, n: 2, total: 160, short: 60 }, { k: 'c', __frontier: 60, n: 1, total: 60, short: 60 }],
      [{ k: 'b' }],
      3,
    ]);
  });

  test("emit: 'every' and 'none' go on likewise", () => {
    for (const emit of ['every', 'none'] as const) {
      const fragile = new Fragile(false, 50);
      const engine = startEngine({ partitionBy: 'k', orderBy: 't', emit, measures: fragile.measures });
      for (const k of ['a', 'b']) engine.push({ k, t: 0, v: k === 'a' ? 13 : 1 }, 0);
      fragile.failing = 'finish';
      if (emit === 'every') expect(() => engine.advance(0)).toThrow(userCode('finish'));
      else expect(engine.advance(0)).toEqual([]); // nobody asked for an answer
      expect(engine.advance(1)).toEqual(emit === 'every' ? [{ k: 'b', __frontier: 0, n: 1, total: 1, short: 1 }, { k: 'b', __frontier: 1, n: 1, total: 1, short: 1 }] : []);
    }
  });

  test('a time adapter that throws when it writes leaves everything for the next evaluation', () => {
    let broken = true;
    const time = { read: Number, write: (frontier: number) => { if (broken) throw new Error('no ink'); return frontier; } };
    const engine = startEngine({ partitionBy: 'k', orderBy: 't', time, measures: [count()] });
    engine.push({ k: 'a', t: 1 }, 1);
    expect(() => engine.advance(1)).toThrow('no ink');
    expect(engine.frontier).toBe(-Infinity);
    broken = false;
    expect(engine.advance(1)).toEqual([{ k: 'a', __frontier: 1, 'count(*)': 1 }]);
  });
});
