import { describe, expect, test } from 'vitest';
import { count, createEngine, describeSnapshot, max, preceding, range, sum, SnapshotError } from '../../src/index.ts';

interface Event {
  readonly k: string;
  readonly t: number;
  readonly v: number | bigint;
}
const settings = { partitionBy: 'k', orderBy: 't', measures: [sum('v').over(preceding(range(100))), count('v').over(preceding(range(100))).as('n')] } as const;
const start = () => createEngine<Event>()(settings);
const event = (k: string, t: number, v: number | bigint = 1): Event => ({ k, t, v });

function crowd(keys = 200) {
  const engine = start();
  for (let k = 0; k < keys; k++) engine.push(event(`k${k}`, k / 10, k), 20);
  engine.advance(20);
  return engine;
}

describe('deltas', () => {
  test('hold what changed: a key that got an event, one that emptied, held events; and name the part before', () => {
    const engine = crowd(), base = engine.snapshot();
    engine.push(event('k7', 21), 21);
    engine.push(event('held', 50), 21);
    engine.advance(21);
    const delta = engine.snapshot({ delta: true });
    expect(delta.length).toBeLessThan(base.length / 2);
    expect(describeSnapshot(base)).toMatchObject({ base: true, parent: undefined, position: { events: 200 } });
    expect(describeSnapshot(delta)).toMatchObject({ base: false, parent: describeSnapshot(base).id, position: { events: 202 }, frontier: 21 });

    engine.advance(100.05); // k0 has left
    const last = engine.snapshot({ delta: true }), restored = start();
    restored.restore([base, delta, last]);
    expect(restored.stats).toEqual({ ...engine.stats, bytes: expect.any(Number) as number });
    for (const k of ['k0', 'k1', 'k7', 'held', 'k199']) expect(restored.query({ k }), k).toEqual(engine.query({ k }));
    expect(restored.stats.keys).toBe(200);
  });

  test('a key that was dropped and came back is there once, with what it holds now', () => {
    const engine = crowd(3), base = engine.snapshot();
    engine.advance(500);
    expect(engine.stats.keys).toBe(0);
    engine.push(event('k1', 500, 9), 500);
    engine.advance(500);
    const delta = engine.snapshot({ delta: true }), restored = start();
    restored.restore([base, delta]);
    expect([restored.stats.keys, restored.query({ k: 'k1' })]).toEqual([1, { k: 'k1', __frontier: 500, 'sum(v)': 9, n: 1 }]);
  });

  test('without a part to go on from it is a base; after a restore the restored parts are it', () => {
    const engine = crowd(3), base = engine.snapshot({ delta: true });
    expect(describeSnapshot(base).base).toBe(true);
    const restored = start();
    restored.restore(base);
    restored.push(event('k1', 21), 21);
    restored.advance(21);
    const delta = restored.snapshot({ delta: true });
    expect(describeSnapshot(delta).parent).toBe(describeSnapshot(base).id);
    const again = start();
    again.restore([base, delta]);
    expect(again.query({ k: 'k1' })).toEqual(restored.query({ k: 'k1' }));
    again.advance(22);
    expect(describeSnapshot(again.snapshot({ delta: true })).parent).toBe(describeSnapshot(delta).id);
  });

  test('where a column gets its type, and it is not number, the next delta is a base: every key has other columns', () => {
    const engine = start();
    engine.push({ k: 'a', t: 1, v: null as never }, 1);
    engine.advance(1);
    engine.snapshot();
    engine.push(event('a', 2, 5n), 2);
    engine.advance(2);
    expect(describeSnapshot(engine.snapshot({ delta: true })).base).toBe(true);
    engine.push(event('a', 3, 5n), 3);
    expect(describeSnapshot(engine.snapshot({ delta: true })).base).toBe(false);
  });

  test('two of nothing differ by their parents; the same calls give the same bytes', () => {
    const course = () => {
      const engine = crowd(5);
      return [engine.snapshot(), engine.snapshot({ delta: true }), engine.snapshot({ delta: true })];
    };
    const [base, first, second] = course();
    expect(new Set([base, first, second].map((part) => describeSnapshot(part!).id)).size).toBe(3);
    expect(course()).toEqual([base, first, second]);
  });
});

describe('a broken chain', () => {
  const engine = crowd(4), base = engine.snapshot();
  const [first, second] = [21, 22].map((t) => {
    engine.push(event('k1', t), t);
    engine.advance(t);
    return engine.snapshot({ delta: true });
  }) as [Uint8Array, Uint8Array];
  const otherPlan = createEngine<Event>()({ ...settings, measures: [max('v').over(preceding(range(100)))] }).snapshot();

  test.each<[string, Uint8Array[]]>([
    ['a delta first', [first]],
    ['a part missing', [base, second]],
    ['another order', [base, second, first]],
    ['the same twice', [base, first, first]],
    ['two bases', [base, base]],
    ['a base behind', [base, first, base]],
    ['another base', [crowd(5).snapshot(), first]],
    ['a base of another plan', [otherPlan, first]],
  ])('%s: is an error with a name, and leaves the engine as it was', (_, parts) => {
    const other = crowd(2), before = other.snapshot();
    expect(() => other.restore(parts)).toThrow(expect.objectContaining({ code: 'snapshot-chain-broken' }));
    expect(other.snapshot()).toEqual(before);
  });

  test('whole parts are taken; no part, or one that is damaged behind its header, is not', () => {
    start().restore([base, first, second]);
    expect(() => start().restore([])).toThrow(expect.objectContaining({ code: 'snapshot-foreign' }));
    const damaged = second.slice();
    damaged[damaged.length - 10]! ^= 1;
    expect(() => start().restore([base, first, damaged])).toThrow(SnapshotError);
  });
});
