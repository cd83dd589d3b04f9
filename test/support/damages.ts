import fc from 'fast-check';
import type { AnyEngineConfig } from '../../src/config.ts';
import { approxPercentile, count, max, preceding, range, sum } from '../../src/index.ts';
import type { AnyEngine } from './duel.ts';
import { startEngine } from './engines.ts';

const over = preceding(range(10));
export const livedConfig: AnyEngineConfig = {
  partitionBy: ['k', 'l'],
  orderBy: 't',
  watermark: 20,
  measures: [count().over(over), sum('v'), max('w').over(over), approxPercentile('v', 0.5).over(over)],
};

/** An engine that has seen some of everything. */
export function lived(events = 60): AnyEngine {
  const engine = startEngine(livedConfig);
  for (let t = 0; t < events; t++) {
    engine.push({ k: `k${t % 5}`, l: t % 2 === 0 ? null : t % 3, t: t + (t % 7) - 3, v: t / 7, w: `text ${t % 4}` }, t);
    if (t % 4 === 0) engine.advance(t);
  }
  return engine;
}

export const snapshot: Uint8Array = lived().snapshot();
const other = lived(50).snapshot();
const index = fc.nat(snapshot.length - 1);
const changed = (change: (bytes: number[]) => void): Uint8Array => {
  const bytes = [...snapshot];
  change(bytes);
  return Uint8Array.from(bytes);
};
const isWhole = (bytes: Uint8Array): boolean => [snapshot, other].some((whole) => bytes.length === whole.length && bytes.every((byte, i) => byte === whole[i]));

/** Ways to damage a snapshot. */
const ways: Record<string, fc.Arbitrary<Uint8Array>> = {
  'one bit flipped': fc.tuple(index, fc.nat(7)).map(([at, bit]) => changed((bytes) => (bytes[at]! ^= 1 << bit))),
  'the end cut off': index.map((length) => snapshot.slice(0, length)),
  'two bytes swapped': fc.tuple(index, index).map(([a, b]) => changed((bytes) => ([bytes[a], bytes[b]] = [bytes[b]!, bytes[a]!]))),
  'a piece cut out or doubled': fc.tuple(index, index, fc.boolean()).map(([a, b, doubles]) => changed((bytes) => bytes.splice(a, doubles ? 0 : b, ...(doubles ? bytes.slice(b) : [])))),
  'another one spliced in': index.map((at) => Uint8Array.from([...snapshot.slice(0, at), ...other.slice(at)])),
  'bytes of something else': fc.uint8Array({ maxLength: 200, size: 'max' }),
  'bytes of something else behind the right beginning': fc.uint8Array({ maxLength: 200, size: 'max' }).map((bytes) => Uint8Array.from([...snapshot.slice(0, 5), ...bytes])),
};
export const damages: readonly (readonly [string, fc.Arbitrary<Uint8Array>])[] = Object.entries(ways).map(([way, damaged]) => [way, damaged.filter((bytes) => !isWhole(bytes))]);
