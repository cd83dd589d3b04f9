import { expect, test } from 'vitest';
import { internalsOf } from '../../src/engine.ts';
import { count, createEngine, describeSnapshot, preceding, range, sum } from '../../src/index.ts';

interface Event {
  readonly k: string;
  readonly t: number;
  readonly v: number;
}
const settings = { partitionBy: 'k', orderBy: 't', measures: [sum('v').over(preceding(range(1000))), count()] } as const;
const start = () => createEngine<Event>()(settings);

function crowd(keys: number) {
  const engine = start();
  for (let k = 0; k < keys; k++) engine.push({ k: `k${k}`, t: k / keys, v: k }, 1);
  engine.advance(1);
  return engine;
}

test('what changes between the steps is in the base as it is at its finish', () => {
  const keys = 20_000, engine = crowd(keys), base = internalsOf(engine).startBase!();
  let steps = 1, t = 1;
  for (; base.step(); steps++) {
    t++;
    for (const k of [0, 1, keys - 1, 5 * steps]) engine.push({ k: `k${k}`, t, v: 1 }, t);
    engine.push({ k: `new${steps}`, t, v: 1 }, t);
    engine.push({ k: `k${steps}`, t: t - 0.5, v: 1 }, t);
    engine.advance(t);
  }
  engine.push({ k: 'k3', t: t - 0.25, v: 1 }, t); // not evaluated yet
  engine.push({ k: 'k4', t: t + 9, v: 1 }, t); // held
  const bytes = base.finish(), restored = start();
  restored.restore(bytes);
  expect(steps).toBeGreaterThan(4);
  expect({ ...restored.stats, bytes: 0 }).toEqual({ ...engine.stats, bytes: 0 });
  for (const then of [t, t + 20]) {
    const rows = (one: typeof engine) => one.advance(then).toSorted((a, b) => (a.k < b.k ? -1 : 1));
    expect(rows(restored)).toEqual(rows(engine));
    for (const k of ['k0', 'k1', 'k2', 'k3', 'k4', 'k5', `k${keys - 1}`, 'new1', 'nobody']) expect(restored.query({ k }), k).toEqual(engine.query({ k }));
  }
  expect(describeSnapshot(bytes)).toMatchObject({ base: true, frontier: t });
  expect(describeSnapshot(engine.snapshot({ delta: true })).parent).toBe(describeSnapshot(bytes).id);
});

test('a base that is finished at once is the whole state; one of an engine that was restored meanwhile is that of the restored', () => {
  const engine = crowd(10), base = internalsOf(engine).startBase!();
  engine.restore(crowd(3).snapshot());
  const restored = start();
  restored.restore(base.finish());
  expect(restored.stats.keys).toBe(3);
});

test('a base that is let go of leaves nothing behind', () => {
  const engine = crowd(10), base = internalsOf(engine).startBase!(), before = engine.snapshot();
  base.step();
  base.stop();
  expect(engine.snapshot()).toEqual(before);
});

test('deltas may be taken while a base is', () => {
  const engine = crowd(10), first = engine.snapshot(), base = internalsOf(engine).startBase!();
  engine.push({ k: 'k1', t: 2, v: 5 }, 2);
  engine.advance(2);
  const delta = engine.snapshot({ delta: true }), whole = base.finish();
  const [chained, stepped] = [start(), start()];
  chained.restore([first, delta]);
  stepped.restore(whole);
  expect(chained.query({ k: 'k1' })).toEqual(stepped.query({ k: 'k1' }));
  expect(chained.query({ k: 'k1' })['sum(v)']).toBe(6);
});

test('a key that goes and comes back behind what was copied is not lost', () => {
  const engine = createEngine<Event>()({ ...settings, measures: [count().over(preceding(range(10)))] });
  for (const k of ['a', 'b']) engine.push({ k, t: 0, v: 1 }, 0);
  engine.advance(0);
  const base = internalsOf(engine).startBase!();
  base.step();
  engine.advance(100); // both are gone
  for (const k of ['x', 'y', 'b', 'a']) engine.push({ k, t: 100, v: 1 }, 100);
  engine.advance(100);
  const restored = createEngine<Event>()({ ...settings, measures: [count().over(preceding(range(10)))] });
  restored.restore(base.finish());
  for (const k of ['x', 'y', 'b', 'a']) expect(restored.query({ k })).toMatchObject({ 'count(*)': 1 });
});
