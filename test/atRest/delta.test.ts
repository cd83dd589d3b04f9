import { expect, test } from 'vitest';
import { count, createEngine, preceding, range } from '../../src/index.ts';

interface Event {
  readonly k: string;
  readonly t: number;
}
const start = () => createEngine<Event>()({ partitionBy: 'k', orderBy: 't', measures: [count().over(preceding(range(10)))] });

test('keys that went and came back are in a delta of many slices', () => {
  const engine = start(), names = Array.from({ length: 12_000 }, (_, i) => `k${i}`);
  const push = (t: number): void => {
    for (const k of names) engine.push({ k, t }, t);
    engine.advance(t);
  };
  push(0);
  const base = engine.snapshot();
  engine.advance(50); // all are gone
  push(100);
  const restored = start();
  restored.restore([base, engine.snapshot({ delta: true })]);
  expect(restored.stats.keys).toBe(12_000);
  for (const k of names) if (restored.query({ k })['count(*)'] !== 1) throw new Error(`${k} is lost`);
});
