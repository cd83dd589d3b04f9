import { describe, expect, test } from 'vitest';
import type { AnyMeasure } from '../src/measures/measure.ts';
import { measureOf } from './support/caseMeasures.ts';
import { Duel } from './support/duel.ts';
import { startEngine } from './support/engines.ts';
import { random } from './support/samples.ts';

/**
 * Windows of hundreds to thousands of events. Short random courses never fill more than a block or two of events, so
 * what happens in long chains of them (late inserts that split or patch a block, a window that slides over all of it)
 * is met only here.
 */

interface Scenario {
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
}

const oddValues = [NaN, Infinity, -Infinity, -0];

function play(seed: number, scene: Scenario): void {
  const { measures, events, pace, perTick, late, by, delay = 0, watermark, keys = 1, grain = 1, missing = 0, odd = 0, restarts = 0, waves = { of: 1, slower: 1 } } = scene;
  const r = random(seed);
  const among = <T>(options: readonly T[]): T => options[Math.floor(r() * options.length)] as T;
  const value = (): number | undefined => (r() < missing ? undefined : r() < odd ? among(oddValues) : Math.round((r() - 0.4) * 4096) / 64);
  const approximate = new Map(measures.filter(({ aggregate }) => /^(var|stddev|corr|ema)/.test(aggregate.name)).map(({ name, aggregate }) => [name, { relative: 1e-12, absolute: aggregate.name === 'ema' ? 1e-12 : 0 }]));
  const config = { partitionBy: 'k', orderBy: 't', frontierSpec: { delay }, watermark, measures };
  const duel = new Duel(startEngine, config, 1000, approximate);

  let evaluations = 0;
  for (let n = 0; n < events; n++) {
    duel.now += r() * 2 * pace * (Math.floor(n / waves.of) % 2 === 1 ? waves.slower : 1);
    const time = duel.now - (r() < late ? r() * by : 0) + (r() < 0.005 ? by / 4 : 0);
    duel.push({ k: `key ${Math.floor(r() * r() * keys)}`, t: Math.round(time / grain) * grain, v: value(), w: value() });
    if (r() * perTick >= 1) continue;
    duel.advance();
    if (++evaluations % 50 === 0 && r() < restarts) duel.restart();
    if (evaluations % 16 === 0) duel.query({ k: 'key 0' }, duel.now + r() * by);
    if (evaluations % 64 === 0) duel.toNextBoundary({ k: 'key 0' });
  }
  expect(evaluations).toBeGreaterThan(10);
  duel.end(1e6);
}

const each = (specs: readonly string[], lengths: readonly (number | null)[], column = 'v'): AnyMeasure[] =>
  lengths.flatMap((length) => specs.map((spec) => measureOf(`${spec}(${column}) ${length}`, spec, column, length)));
const exact = ['count', 'sum', 'avg', 'min', 'max'];

describe('long chains of events in one window equal the naive engine', () => {
  // One long window slides over many ticks with rarely more than one late event in each.
  test.each([
    [1, 0.005, 300],
    [2, 0.02, 600],
    [3, 0.05, 1000],
  ])('a trickle, seed %i, %d late, a window of %i events', { timeout: 60_000 }, (seed, late, inWindow) => {
    play(seed, { measures: each(['sum', 'max'], [4000, 1000]), events: 2000, pace: 4000 / inWindow, perTick: 1, late, by: 5000 });
  });

  test.each([
    [4, { perTick: 20, late: 0, by: 0 }],
    [5, { perTick: 20, late: 0.01, by: 2600 }],
    [6, { perTick: 5, late: 0.1, by: 2600, watermark: 1000 }],
    [7, { perTick: 200, late: 0.5, by: 2600, grain: 50 }],
    [8, { perTick: 30, late: 0.1, by: 500, missing: 0.05, odd: 0.01, delay: 700, restarts: 0.5 }],
    [9, { perTick: 30, late: 0.05, by: 2600, keys: 3, missing: 0.1, restarts: 0.5 }],
    [10, { perTick: 10, late: 0.3, by: 100, grain: 0.1, delay: 4000 }],
  ])('dense, seed %i, %o', { timeout: 60_000 }, (seed, scene) => {
    play(seed, { measures: [...each(exact, [2000, 400, 40, null]), ...each(['sum', 'countAll'], [400], 'w')], events: 2500, pace: 2, ...scene });
  });

  // Floods and ebbs: a window skips whole blocks at once, and blocks that were freed come back.
  test.each([
    [21, { of: 400, slower: 60 }, 100],
    [22, { of: 150, slower: 20 }, 40],
    [23, { of: 700, slower: 100 }, 150],
    [24, { of: 250, slower: 200 }, 90],
  ])('floods and ebbs, seed %i, %o, %i events a tick', { timeout: 60_000 }, (seed, waves, perTick) => {
    play(seed, { measures: each(['sum', 'max'], [300, 90]), events: 15_000, pace: 1, waves, perTick, late: 0.005, by: 200 });
  });

  // Equal times, late events, blocks that are merged and states that slide.
  test.each([
    [31, { late: 0.05, by: 1200, grain: 4 }],
    [32, { late: 0.3, by: 100, missing: 0.1, odd: 0.02, restarts: 0.5 }],
    [33, { late: 0.1, by: 2000, delay: 300, watermark: 1500 }],
  ])('dense, with values in order, related and frequent, seed %i, %o', { timeout: 60_000 }, (seed, scene) => {
    const specs = ['first', 'last', 'minBy', 'maxBy', 'lastThree', 'all', 'mode', 'countDistinct', 'distinct', 'histogram', 'ema', 'slope', 'corr'];
    play(seed, { measures: each(specs, [1000, 100, null]), events: 900, pace: 2, perTick: 25, ...scene });
  });

  test.each([
    [11, { late: 0.05, by: 1200 }],
    [12, { late: 0.3, by: 100, missing: 0.1 }],
  ])('dense, with variances and percentiles, seed %i, %o', { timeout: 60_000 }, (seed, scene) => {
    play(seed, { measures: each(['sum', 'var_samp', 'stddev_pop', 'pct:19/20', 'distinct'], [1000, 100, null]), events: 1500, pace: 2, perTick: 25, ...scene });
  });
});
