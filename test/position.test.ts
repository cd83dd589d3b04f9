import { count, createEngine, describeSnapshot, preceding, range, type EngineSettings } from 'rxjs-rolling-window/engine';
import { expect, test } from 'vitest';

interface Event {
  readonly k: string;
  readonly t: number;
  readonly partition: string | number;
  readonly offset: number | bigint | string;
}
const start = (settings: EngineSettings<Event> = {}) =>
  createEngine<Event>()({ partitionBy: 'k', orderBy: 't', measures: [count().over(preceding(range(10)))], position: ({ partition, offset }) => [partition, offset], ...settings });
const event = (t: number, partition: string | number, offset: number | bigint | string, k: unknown = 'a'): Event => ({ k: k as string, t, partition, offset });

test('the offset of the last event of each partition is kept: of dropped events, too', () => {
  const engine = start({ watermark: 0, onFuture: 'drop', maxFutureSkew: 50, limits: { maxKeys: 1, onLimit: 'drop-new' } });
  expect(engine.position).toEqual({ events: 0, offsets: new Map() });
  engine.push(event(100, 'counted', 1), 100);
  engine.advance(101);
  expect(engine.push(event(1, 'late', 2n), 101)).toBe('late');
  expect(engine.push(event(NaN, 'no time', '3'), 101)).toBe('invalid');
  expect(engine.push(event(101, 'no key', 4, {}), 101)).toBe('invalid');
  expect(engine.push(event(500, 0, 5), 101)).toBe('future');
  expect(engine.push(event(101, 1, 6, 'b'), 101)).toBe('limit');
  expect(engine.push(event(101, 'counted', 7), 101)).toBe('counted');
  const offsets = new Map<string | number, number | bigint | string>([['counted', 7], ['late', 2n], ['no time', '3'], ['no key', 4], [0, 5], [1, 6]]);
  expect(engine.position).toEqual({ events: 7, offsets });

  const saved = engine.snapshot(), restored = start({ watermark: 0 });
  expect(describeSnapshot(saved).position).toEqual({ events: 7, offsets });
  restored.restore(saved);
  expect(restored.position).toEqual({ events: 7, offsets });
  expect([...engine.position.offsets.keys()]).toEqual([...restored.position.offsets.keys()]);
});

test('offsets that JSON has no form for, and partitions with odd names, come back as they were', () => {
  const engine = start(), places: [string | number, number | bigint | string][] = [['__proto__', 2n ** 70n], ['\uD800ü', -0], [NaN, Infinity], ['', '9007199254740993']];
  for (const [partition, offset] of places) engine.push(event(1, partition, offset), 1);
  const { offsets } = describeSnapshot(engine.snapshot()).position;
  expect([...offsets]).toEqual(places);
  expect(Object.is(offsets.get('\uD800ü'), -0)).toBe(true);
});

test('it moves with the event: where push throws, it stays', () => {
  const engine = start({ onInvalid: 'error' });
  engine.push(event(1, 'p', 1), 1);
  const before = engine.snapshot();
  expect(() => engine.push(event(NaN, 'p', 2), 1)).toThrow(expect.objectContaining({ code: 'invalid-time' }));
  expect(() => engine.push(event(1, null as never, 2), 1)).toThrow(expect.objectContaining({ code: 'invalid-position' }));
  expect(() => engine.push(event(1, 'p', {} as never), 1)).toThrow(expect.objectContaining({ code: 'invalid-position', message: expect.stringContaining('["p",{}]') as string }));
  expect(engine.snapshot()).toEqual(before);
});

test('whoever hears of a dropped event finds the position that it is in', () => {
  const seen: unknown[] = [];
  const engine = start({ dropped: { next: () => seen.push(engine.position.offsets.get('p')) } });
  engine.push(event(NaN, 'p', 5), 1);
  expect(seen).toEqual([5]);
});

test('what is given out is a copy', () => {
  const engine = start();
  engine.push(event(1, 'p', 5), 1);
  (engine.position.offsets as Map<string, number>).clear();
  expect(engine.position.offsets.size).toBe(1);
});

test('position is a function', () => {
  expect(() => start({ position: 'offset' as never })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
});
