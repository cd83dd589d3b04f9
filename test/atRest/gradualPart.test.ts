import { expect, test } from 'vitest';
import { internalsOf } from '../../src/internals.ts';
import { count, createEngine, describeSnapshot, max, preceding, range, sum } from '../../src/index.ts';

interface Event {
  readonly k: string;
  readonly t: number;
  readonly v: number;
}
const settings = { partitionBy: 'k', orderBy: 't', measures: [sum('v').over(preceding(range(1000))), count()] } as const;
const start = () => createEngine<Event>()(settings);
const short = { ...settings, measures: [count().over(preceding(range(10)))] } as const;
const startShort = () => createEngine<Event>()(short);

function crowd(keys: number) {
  const engine = start();
  for (let k = 0; k < keys; k++) engine.push({ k: `k${k}`, t: k / keys, v: k }, 1);
  engine.advance(1);
  return engine;
}

const base = { delta: false }, delta = { delta: true };

test.each([base, delta])('what changes between the steps is in the part as it is at its finish: $delta', ({ delta }) => {
  const keys = 20_000, engine = crowd(keys), before = delta ? [engine.snapshot()] : [];
  let steps = 1, t = 1;
  if (delta) for (let k = 0; k < keys; k += 2) engine.push({ k: `k${k}`, t, v: 2 }, t);
  engine.advance(t);
  const part = internalsOf(engine).startPart!({ delta });
  for (; part.step(); steps++) {
    t++;
    for (const k of [0, 1, keys - 1, 5 * steps]) engine.push({ k: `k${k}`, t, v: 1 }, t);
    engine.push({ k: `new${steps}`, t, v: 1 }, t);
    engine.push({ k: `k${steps}`, t: t - 0.5, v: 1 }, t);
    engine.advance(t);
  }
  engine.push({ k: 'k3', t: t - 0.25, v: 1 }, t); // not evaluated yet
  engine.push({ k: 'k4', t: t + 9, v: 1 }, t); // held
  const bytes = part.finish(), restored = start();
  restored.restore([...before, bytes]);
  expect(steps).toBeGreaterThan(delta ? 2 : 4);
  expect({ ...restored.stats, bytes: 0 }).toEqual({ ...engine.stats, bytes: 0 });
  for (const then of [t, t + 20]) {
    const rows = (one: typeof engine) => one.advance(then).toSorted((a, b) => (a.k < b.k ? -1 : 1));
    expect(rows(restored)).toEqual(rows(engine));
    for (const k of ['k0', 'k1', 'k2', 'k3', 'k4', 'k5', `k${keys - 1}`, 'new1', 'nobody']) expect(restored.query({ k }), k).toEqual(engine.query({ k }));
  }
  expect(describeSnapshot(bytes)).toMatchObject({ base: !delta, frontier: t });
  expect(describeSnapshot(engine.snapshot({ delta: true })).parent).toBe(describeSnapshot(bytes).id);
});

test.each([base, delta])('what changes in large numbers is copied in rounds, and the finish is short: $delta', ({ delta }) => {
  const keys = 16_000, engine = crowd(keys), before = delta ? [engine.snapshot()] : [];
  const touch = (count: number, t: number): void => {
    for (let k = 0; k < count; k++) engine.push({ k: `k${k}`, t, v: 1 }, t);
    engine.push({ k: `new${t}`, t, v: 1 }, t);
    engine.advance(t);
  };
  touch(keys / 2, 2);
  const part = internalsOf(engine).startPart!({ delta });
  for (let step = 0; step < 5; step++) part.step(); // the first ones take few keys
  touch(3000, 3);
  while (part.step());
  touch(50, 4);
  const bytes = part.finish(), restored = start();
  restored.restore([...before, bytes]);
  expect(restored.snapshot().length).toBe(engine.snapshot().length);
  for (const k of ['k0', 'k49', 'k50', 'k2999', 'k3000', 'k15999', 'new2', 'new3', 'new4']) expect(restored.query({ k }), k).toEqual(engine.query({ k }));
  const sections = String.fromCharCode(...bytes.subarray(8, 8 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true)));
  const slices = (JSON.parse(sections) as { sections: [name: string, length: number][] }).sections.filter(([name]) => name === 'keys');
  expect(slices.at(-1)![1]).toBeLessThan(60 * 8);
});

test('a part that is finished at once is the whole state; one of an engine that was restored meanwhile is that of the restored', () => {
  const engine = crowd(10);
  for (const options of [base, delta]) {
    const part = internalsOf(engine).startPart!(options);
    engine.restore(crowd(3).snapshot());
    const restored = start(), bytes = part.finish();
    restored.restore(bytes);
    expect(restored.stats.keys).toBe(3);
    expect(part.parent).toBe(null);
  }
});

test('a part that is let go of leaves nothing behind', () => {
  const engine = crowd(10), before = engine.snapshot();
  for (const options of [base, delta]) {
    const part = internalsOf(engine).startPart!(options);
    part.step();
    part.stop();
  }
  expect(engine.snapshot()).toEqual(before);
});

test('deltas may be taken while a part is', () => {
  for (const options of [base, delta]) {
    const engine = crowd(10), first = engine.snapshot();
    engine.push({ k: 'k2', t: 2, v: 5 }, 2);
    engine.advance(2);
    const part = internalsOf(engine).startPart!(options);
    part.step();
    engine.push({ k: 'k1', t: 2, v: 5 }, 2);
    engine.advance(2);
    const [chained, stepped, both] = [start(), start(), start()], second = engine.snapshot({ delta: true }), bytes = part.finish();
    engine.push({ k: 'k3', t: 3, v: 5 }, 3);
    const third = engine.snapshot({ delta: true }), from = options.delta ? [first] : [];
    chained.restore([first, second]);
    stepped.restore([...from, bytes]);
    both.restore([...from, bytes, third]);
    for (const [k, sum] of [['k1', 6], ['k2', 7]] as const) {
      expect(chained.query({ k })['sum(v)']).toBe(sum);
      expect(stepped.query({ k })['sum(v)']).toBe(sum);
    }
    expect(both.advance(3)).toEqual(engine.advance(3));
  }
});

test('a delta in steps becomes a base where a column turns out to be something else', () => {
  const settings = { partitionBy: 'k', orderBy: 't', measures: [max('v'), sum('w')] } as const;
  const open = () => createEngine<{ readonly k: string; readonly t: number; readonly v: string | null; readonly w: number }>()(settings);
  const engine = open(), restored = open();
  engine.push({ k: 'a', t: 0, v: null, w: 1 }, 0);
  engine.advance(0);
  engine.snapshot();
  const part = internalsOf(engine).startPart!(delta);
  part.step();
  engine.push({ k: 'b', t: 1, v: 'text', w: 1 }, 1);
  engine.advance(1);
  const bytes = part.finish();
  expect(describeSnapshot(bytes).base).toBe(true);
  restored.restore(bytes);
  for (const k of ['a', 'b']) expect(restored.query({ k })).toEqual(engine.query({ k }));
});

test.each([base, delta])('a key that goes and comes back behind what was copied is not lost: $delta', ({ delta }) => {
  const engine = startShort(), before = delta ? [engine.snapshot()] : [];
  for (const k of ['a', 'b', 'gone']) engine.push({ k, t: 0, v: 1 }, 0);
  engine.advance(0);
  const part = internalsOf(engine).startPart!({ delta });
  part.step();
  engine.advance(100); // all are gone
  for (const k of ['x', 'y', 'b', 'a']) engine.push({ k, t: 100, v: 1 }, 100);
  engine.advance(100);
  const restored = startShort();
  restored.restore([...before, part.finish()]);
  expect(restored.stats.keys).toBe(4);
  for (const k of ['x', 'y', 'b', 'a']) expect(restored.query({ k })).toMatchObject({ 'count(*)': 1 });
});

test('keys that were gone, or went and came back, before a delta in steps began', () => {
  const engine = startShort(), keys = 6000;
  const push = (to: number, t: number): void => {
    for (let k = 0; k < to; k++) engine.push({ k: `k${k}`, t, v: 1 }, t);
    engine.advance(t);
  };
  push(keys, 0);
  const before = engine.snapshot();
  engine.advance(50);
  push(keys - 5, 100);
  const part = internalsOf(engine).startPart!(delta);
  while (part.step());
  const restored = startShort();
  restored.restore([before, part.finish()]);
  expect(restored.stats.keys).toBe(keys - 5);
});
