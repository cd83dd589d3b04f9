import { count, createEngine, type Limits } from 'rxjs-rolling-window/engine';
import { expect, test } from 'vitest';

const engineWith = (limits?: Limits) => createEngine<{ key: string; at: number }>()({ partitionBy: 'key', orderBy: 'at', measures: [count()], limits });

function snapshotWithoutLimits(): Uint8Array {
  const engine = engineWith();
  engine.pushAll([{ key: 'a', at: 0 }, { key: 'b', at: 0 }], 10);
  engine.advance(10);
  return engine.snapshot();
}

test('keys saved without limits can be evicted by those of the engine that restores them', () => {
  const engine = engineWith({ maxKeys: 2, onLimit: 'evict-idle' });
  engine.restore(snapshotWithoutLimits());

  expect(engine.push({ key: 'c', at: 20 }, 20)).toBe('counted');
  engine.advance(20);
  expect(engine.removed).toEqual([{ key: 'a' }]);
});

test('keys saved without limits are idle from the reading of the snapshot on', () => {
  const engine = engineWith({ keyTtl: 100 });
  engine.restore(snapshotWithoutLimits());

  engine.advance(109);
  expect(engine.removed).toEqual([]);
  engine.advance(110);
  expect(engine.removed).toEqual([{ key: 'a' }, { key: 'b' }]);
});

test('an engine without limits takes over what one with limits saved', () => {
  const engine = engineWith({ maxKeys: 2 });
  engine.push({ key: 'a', at: 0 }, 10);
  const other = engineWith();
  other.restore(engine.snapshot());

  expect(other.advance(20)).toEqual([{ key: 'a', __frontier: 20, 'count(*)': 1 }]);
});
