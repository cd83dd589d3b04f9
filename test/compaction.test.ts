import { describe, expect, test } from 'vitest';
import { count, createEngine, preceding, range, sum, udaf } from '../src/index.ts';

interface Visit {
  readonly user: string;
  readonly t: number;
  readonly v: number;
}

const crowd = 40_000;
const start = () => createEngine<Visit>()({ partitionBy: 'user', orderBy: 't', frontierSpec: { delay: 5 }, measures: [sum('v').over(preceding(range(100))), count().over(preceding(range(10))).as('n')] });
const visit = (user: string, t: number, v = 1): Visit => ({ user, t, v });

describe('an engine after a crowd', () => {
  test('gives back the memory of keys that are gone, and goes on as if nothing had been', () => {
    const [engine, quiet] = [start(), start()];
    const both = (act: (engine: ReturnType<typeof start>) => unknown): unknown => {
      const [one, other] = [act(engine), act(quiet)];
      expect(one).toEqual(other);
      return one;
    };
    for (let i = 0; i < crowd; i++) engine.push(visit(`guest ${i}`, 1), 1);
    engine.advance(10);
    const crowded = engine.stats.bytes;

    both((each) => each.push(visit('stays', 95, 2), 100)); // 95 stays in the window, 104 is held
    both((each) => each.push(visit('stays', 104, 3), 100));
    engine.advance(101);
    quiet.advance(101);
    expect(engine.stats.keys).toBe(crowd + 1);
    const rows = engine.advance(106.5); // the crowd leaves
    expect(rows.filter(({ user }) => user !== 'stays')).toHaveLength(crowd);
    expect(engine.removed).toHaveLength(crowd);
    quiet.advance(106.5);

    expect(engine.stats.bytes).toBeLessThan(crowded / 20);
    both((each) => [each.query({ user: 'stays' }), each.nextBoundary(), each.frontier, each.stats.held]);
    both((each) => each.push(visit('stays', 101, 4), 110));
    for (const now of [110, 111, 116, 200, 206, 210]) both((each) => each.advance(now));
    expect(engine.stats.keys).toBe(0);
    expect(engine.position).toEqual({ events: crowd + 3, offsets: new Map() });
  });

  test('keeps what it has while many events or lifetimes remain', () => {
    const lasting = createEngine<Visit>()({ partitionBy: 'user', orderBy: 't', measures: [sum('v')] });
    for (let i = 0; i < crowd; i++) lasting.push(visit(`guest ${i}`, 1), 1);
    lasting.advance(1);
    lasting.advance(1e6);
    expect(lasting.stats.keys).toBe(crowd);
    expect(lasting.query({ user: 'guest 7' })['sum(v)']).toBe(1);
  });

  test("runs no aggregate of the user's unasked", () => {
    let calls = 0;
    const counted = udaf({ name: 'counted', zero: () => 0, reduce: (state: number) => (calls++, state + 1), merge: (into: number, from: number) => into + from, finish: (state: number) => state, retract: (state: number) => state - 1 });
    const engine = createEngine<Visit>()({ partitionBy: 'user', orderBy: 't', measures: [counted('v').over(preceding(range(100))).as('n')] });
    for (let i = 0; i < crowd; i++) engine.push(visit(`guest ${i}`, 1), 1);
    engine.push(visit('stays', 90), 90);
    engine.advance(90);
    const before = calls;
    expect(engine.advance(150)).toHaveLength(crowd);
    expect(calls).toBe(before);
  });
});
