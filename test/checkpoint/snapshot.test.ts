import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32 } from '../../src/checkpoint/crc32.ts';
import { seal, unseal } from '../../src/checkpoint/snapshot.ts';
import { approxPercentile, avg, count, max, preceding, range, sum, SnapshotError } from '../../src/index.ts';
import type { AnyEngineConfig } from '../../src/config.ts';
import type { AnyEngine } from '../support/duel.ts';
import { startEngine } from '../support/engines.ts';

const over = preceding(range(10));
const config: AnyEngineConfig = {
  partitionBy: ['k', 'l'],
  orderBy: 't',
  watermark: 20,
  measures: [count().over(over), sum('v'), max('w').over(over), approxPercentile('v', 0.5).over(over)],
};
function lived(events = 60): AnyEngine {
  const engine = startEngine(config);
  for (let t = 0; t < events; t++) {
    engine.push({ k: `k${t % 5}`, l: t % 2 === 0 ? null : t % 3, t: t + (t % 7) - 3, v: t / 7, w: `text ${t % 4}` }, t);
    if (t % 4 === 0) engine.advance(t);
  }
  return engine;
}
const snapshot = lived().snapshot(), other = lived(50).snapshot();
const index = fc.nat(snapshot.length - 1);
const changed = (change: (bytes: number[]) => void): Uint8Array => {
  const bytes = [...snapshot];
  change(bytes);
  return Uint8Array.from(bytes);
};

/** Ways to damage a snapshot. */
const damages: Record<string, fc.Arbitrary<Uint8Array>> = {
  'one bit flipped': fc.tuple(index, fc.nat(7)).map(([at, bit]) => changed((bytes) => (bytes[at]! ^= 1 << bit))),
  'the end cut off': index.map((length) => snapshot.slice(0, length)),
  'two bytes swapped': fc.tuple(index, index).map(([a, b]) => changed((bytes) => ([bytes[a], bytes[b]] = [bytes[b]!, bytes[a]!]))),
  'a piece cut out or doubled': fc.tuple(index, index, fc.boolean()).map(([a, b, doubles]) => changed((bytes) => bytes.splice(a, doubles ? 0 : b, ...(doubles ? bytes.slice(b) : [])))),
  'another one spliced in': index.map((at) => Uint8Array.from([...snapshot.slice(0, at), ...other.slice(at)])),
  'bytes of something else': fc.uint8Array({ maxLength: 200, size: 'max' }),
  'bytes of something else behind the right beginning': fc.uint8Array({ maxLength: 200, size: 'max' }).map((bytes) => Uint8Array.from([...snapshot.slice(0, 5), ...bytes])),
};
const isWhole = (bytes: Uint8Array): boolean => [snapshot, other].some((whole) => bytes.length === whole.length && bytes.every((byte, i) => byte === whole[i]));

describe('snapshot', () => {
  test.each(Object.entries(damages))('%s: no such bytes are restored', (_, damage) => {
    const engine = lived(20), before = engine.snapshot();
    fc.assert(
      fc.property(damage.filter((bytes) => !isWhole(bytes)), (bytes) => {
        try {
          engine.restore(bytes);
        } catch (error) {
          return error instanceof SnapshotError && /^snapshot-(damaged|foreign)$/.test(error.code);
        }
        return false;
      }),
      { numRuns: 4000 },
    );
    expect(engine.snapshot()).toEqual(before);
  });

  test.each([['text'], [[...snapshot]], [undefined], [null], [{}], [snapshot.buffer]])('%o is no snapshot', (given) => {
    expect(() => startEngine(config).restore(given as Uint8Array)).toThrow(expect.objectContaining({ code: 'snapshot-foreign' }));
  });

  test('a snapshot inside a larger buffer, and a Buffer, are restored', () => {
    const padded = new Uint8Array(snapshot.length + 11);
    padded.set(snapshot, 3);
    for (const bytes of [padded.subarray(3, 3 + snapshot.length), Buffer.from(snapshot)]) {
      const engine = startEngine(config);
      engine.restore(bytes);
      expect(engine.snapshot()).toEqual(snapshot);
    }
  });

  test('restoring takes nothing over from the bytes themselves', () => {
    const bytes = snapshot.slice(), engine = startEngine(config);
    engine.restore(bytes);
    bytes.fill(0);
    expect(engine.snapshot()).toEqual(snapshot);
  });

  test('a later format is refused by name', () => {
    const bytes = snapshot.slice();
    bytes[4]!++;
    new DataView(bytes.buffer).setUint32(bytes.length - 4, crc32(bytes.subarray(0, -4)), true);
    expect(() => startEngine(config).restore(bytes)).toThrow(expect.objectContaining({ code: 'snapshot-newer' }));
  });

  test.each<[string, Partial<AnyEngineConfig>]>([
    ['key columns', { partitionBy: ['l', 'k'] }],
    ['a time column', { orderBy: 'time' }],
    ['a closed edge', { closed: 'both' }],
    ['a source column', { watermark: { delay: 20, by: 'k' } }],
    ['fewer measures', { measures: config.measures.slice(1) }],
    ['measures in another order', { measures: [...config.measures].reverse() }],
    ['another aggregate', { measures: [...config.measures.slice(0, 1), avg('v').as('sum(v)'), ...config.measures.slice(2)] }],
    ['another range', { measures: [count().over(preceding(range(11))), ...config.measures.slice(1)] }],
    ['no range', { measures: [count(), ...config.measures.slice(1)] }],
    ['a filter', { measures: [count().over(over).filter(() => true), ...config.measures.slice(1)] }],
    ['another name', { measures: [count().over(over).as('n'), ...config.measures.slice(1)] }],
    ['another percentile', { measures: [...config.measures.slice(0, 3), approxPercentile('v', 0.6).over(over).as('approx_percentile(v, 0.5)')] }],
  ])('a plan with %s is another plan', (_, change) => {
    const engine = startEngine({ ...config, ...change });
    engine.push({ k: 'a', l: null, t: 1, time: 1, v: 1, w: 'x' }, 1);
    const before = engine.snapshot();
    expect(() => engine.restore(snapshot)).toThrow(expect.objectContaining({ code: 'snapshot-plan-changed' }));
    expect(engine.snapshot()).toEqual(before);
  });

  test('what says nothing of the state may change: emission, delay, names of the frontier, limits', () => {
    const engine = startEngine({ ...config, emit: 'every', frontierSpec: { delay: 5, alias: 'F' }, limits: { maxKeys: 100 }, onInvalid: 'error' });
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

  test('the fingerprint is compared as such', () => {
    expect(unseal(seal({ a: 1 }, [5, 'x']), { a: 1 })).toEqual([5, 'x']);
    expect(() => unseal(seal({ a: 1 }, 5), { a: 2 })).toThrow(expect.objectContaining({ code: 'snapshot-plan-changed' }));
  });
});
