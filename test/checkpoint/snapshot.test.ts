import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnyEngineConfig } from '../../src/config.ts';
import { approxPercentile, avg, count, preceding, range, SnapshotError } from '../../src/index.ts';
import { damages, lived, livedConfig, snapshot } from '../support/damages.ts';
import { startEngine } from '../support/engines.ts';

const over = preceding(range(10));

describe('snapshot', () => {
  test.each(damages)('%s: no such bytes are restored', (_, damage) => {
    const engine = lived(20), before = engine.snapshot();
    fc.assert(
      fc.property(damage, (bytes) => {
        try {
          engine.restore(bytes);
        } catch (error) {
          return error instanceof SnapshotError && /^snapshot-(damaged|foreign)$/.test(error.code);
        }
        return false;
      }),
      { numRuns: 1500 },
    );
    expect(engine.snapshot()).toEqual(before);
  });

  test.each([['text'], [[...snapshot]], [undefined], [null], [{}], [snapshot.buffer]])('%o is no snapshot', (given) => {
    expect(() => startEngine(livedConfig).restore(given as Uint8Array)).toThrow(expect.objectContaining({ code: 'snapshot-foreign' }));
  });

  test('a snapshot inside a larger buffer, and a Buffer, are restored', () => {
    const padded = new Uint8Array(snapshot.length + 11);
    padded.set(snapshot, 3);
    for (const bytes of [padded.subarray(3, 3 + snapshot.length), Buffer.from(snapshot)]) {
      const engine = startEngine(livedConfig);
      engine.restore(bytes);
      expect(engine.snapshot()).toEqual(snapshot);
    }
  });

  test('restoring takes nothing over from the bytes themselves', () => {
    const bytes = snapshot.slice(), engine = startEngine(livedConfig);
    engine.restore(bytes);
    bytes.fill(0);
    expect(engine.snapshot()).toEqual(snapshot);
  });

  test.each<[string, Partial<AnyEngineConfig>]>([
    ['key columns', { partitionBy: ['l', 'k'] }],
    ['a time column', { orderBy: 'time' }],
    ['a closed edge', { closed: 'both' }],
    ['a source column', { watermark: { delay: 20, by: 'k' } }],
    ['fewer measures', { measures: livedConfig.measures.slice(1) }],
    ['another aggregate', { measures: [...livedConfig.measures.slice(0, 1), avg('v').as('sum(v)'), ...livedConfig.measures.slice(2)] }],
    ['another range', { measures: [count().over(preceding(range(11))), ...livedConfig.measures.slice(1)] }],
    ['no range', { measures: [count(), ...livedConfig.measures.slice(1)] }],
    ['a filter', { measures: [count().over(over).filter(() => true), ...livedConfig.measures.slice(1)] }],
    ['another name', { measures: [count().over(over).as('n'), ...livedConfig.measures.slice(1)] }],
    ['another percentile', { measures: [...livedConfig.measures.slice(0, 3), approxPercentile('v', 0.6).over(over).as('approx_percentile(v, 0.5)')] }],
  ])('a plan with %s is another plan', (_, change) => {
    const engine = startEngine({ ...livedConfig, ...change });
    engine.push({ k: 'a', l: null, t: 1, time: 1, v: 1, w: 'x' }, 1);
    const before = engine.snapshot();
    expect(() => engine.restore(snapshot)).toThrow(expect.objectContaining({ code: 'snapshot-plan-changed' }));
    expect(engine.snapshot()).toEqual(before);
  });

  test('what says nothing of the state may change: emission, delay, names of the frontier, limits', () => {
    const engine = startEngine({ ...livedConfig, emit: 'every', frontierSpec: { delay: 5, alias: 'F' }, limits: { maxKeys: 100 }, onInvalid: 'error' });
    engine.restore(snapshot);
    expect(engine.advance(60).length).toBeGreaterThan(0);
  });

  test('limits that come with the restart know every key', () => {
    const before = startEngine({ partitionBy: 'k', orderBy: 't', measures: [count()] });
    for (const k of ['a', 'b', 'c']) before.push({ k, t: 1 }, 1);
    before.advance(1);
    const engine = startEngine({ partitionBy: 'k', orderBy: 't', measures: [count()], limits: { maxKeys: 3, keyTtl: 10, onLimit: 'evict-idle' } });
    engine.restore(before.snapshot());
    engine.push({ k: 'd', t: 2 }, 2);
    engine.advance(2);
    expect([engine.removed, engine.stats.keys]).toEqual([[{ k: 'a' }], 3]);
    engine.advance(11);
    expect([engine.removed, engine.stats.keys]).toEqual([[{ k: 'b' }, { k: 'c' }], 1]);
  });

});
