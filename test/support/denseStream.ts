import { expect } from 'vitest';
import type { AnyMeasure } from '../../src/measures/measure.ts';
import { measureOf, type FrameText } from './caseMeasures.ts';
import { Duel } from './duel.ts';
import { startEngine } from './engines.ts';
import { random } from './samples.ts';

/** A stream of many events, all that happens in it settled by a seed. */
export interface Scenario {
  readonly measures: readonly AnyMeasure[];
  readonly delay?: number;
  readonly watermark?: number;
  readonly keys?: number;
  readonly events: number;
  /** Milliseconds from one event to the next, on average. */
  readonly pace: number;
  /** Of so many events every other lot comes this many times as slowly. */
  readonly waves?: { readonly of: number; readonly slower: number };
  /** Events between two evaluations, on average. */
  readonly perTick: number;
  /** The share of late events, and by how much at most. */
  readonly late: number;
  readonly by: number;
  /** Times are multiples of it: the larger, the more of them are equal. */
  readonly grain?: number;
  readonly missing?: number;
  readonly odd?: number;
  readonly restarts?: number;
  readonly closed?: 'right' | 'both';
  /** The first reading of the clock. */
  readonly start?: number;
  /** The share of events before which the clock jumps ahead, and by how much at most. */
  readonly jumps?: number;
  readonly far?: number;
}

const oddValues = [NaN, Infinity, -Infinity, -0];

/** Plays it to the engine and the naive one; throws at the first difference. */
export function play(seed: number, scene: Scenario): void {
  const { measures, events, pace, perTick, late, by, delay = 0, watermark, keys = 1, grain = 1, missing = 0, odd = 0, restarts = 0, waves = { of: 1, slower: 1 }, closed = 'right', start = 1000, jumps = 0, far = 0 } = scene;
  const r = random(seed);
  const among = <T>(options: readonly T[]): T => options[Math.floor(r() * options.length)] as T;
  const value = (): number | undefined => (r() < missing ? undefined : r() < odd ? among(oddValues) : Math.round((r() - 0.4) * 4096) / 64);
  const approximate = new Map(measures.filter(({ aggregate }) => /^(var|stddev|corr|ema)/.test(aggregate.name)).map(({ name, aggregate }) => [name, { relative: 1e-12, absolute: aggregate.name === 'ema' ? 1e-12 : 0 }]));
  const config = { partitionBy: 'k', orderBy: 't', frontierSpec: { delay }, watermark, measures, closed };
  const duel = new Duel(startEngine, config, start, approximate);

  let evaluations = 0;
  for (let n = 0; n < events; n++) {
    duel.now += r() * 2 * pace * (Math.floor(n / waves.of) % 2 === 1 ? waves.slower : 1);
    if (jumps > 0 && r() < jumps) duel.now += r() * far;
    const time = duel.now - (r() < late ? r() * by : 0) + (r() < 0.005 ? by / 4 : 0);
    duel.push({ k: `key ${Math.floor(r() * r() * keys)}`, t: Math.round(time / grain) * grain, v: value(), w: value(), f: n % 3 > 0 });
    if (r() * perTick >= 1) continue;
    duel.advance();
    if (++evaluations % 50 === 0 && r() < restarts) duel.restart();
    if (evaluations % 16 === 0) duel.query({ k: 'key 0' }, duel.now + r() * by);
    if (evaluations % 64 === 0) duel.toNextBoundary({ k: 'key 0' });
  }
  expect(evaluations).toBeGreaterThan(10);
  duel.end(1e6 + 1e4 * pace);
}

/** Each aggregate over each frame. */
export const each = (specs: readonly string[], frames: readonly FrameText[], column = 'v'): AnyMeasure[] =>
  frames.flatMap((frame) => specs.map((spec) => measureOf(`${spec}(${column}) ${frame}`, spec, column, frame)));
