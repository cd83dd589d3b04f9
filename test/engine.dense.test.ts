import { describe, test } from 'vitest';
import { each, play } from './support/denseStream.ts';

/**
 * Windows of hundreds to thousands of events. Short random courses never fill more than a block or two of events, so
 * what happens in long chains of them (late inserts that split or patch a block, a window that slides over all of it)
 * is met only here.
 */

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

  // An evaluation after nearly each event, in windows of some hundred values that rarely repeat.
  test.each([
    [41, { late: 0, by: 0, waves: { of: 120, slower: 20 } }],
    [42, { late: 0.05, by: 300, odd: 0.02, restarts: 0.5 }],
  ])('dense, with frequent values, asked for often, seed %i, %o', { timeout: 60_000 }, (seed, scene) => {
    play(seed, { measures: each(['mode', 'topTwo'], [300, '110 rows']), events: 400, pace: 2, perTick: 1, ...scene });
  });

  test.each([
    [11, { late: 0.05, by: 1200 }],
    [12, { late: 0.3, by: 100, missing: 0.1 }],
  ])('dense, with variances and percentiles, seed %i, %o', { timeout: 60_000 }, (seed, scene) => {
    play(seed, { measures: each(['sum', 'var_samp', 'stddev_pop', 'pct:19/20', 'distinct'], [1000, 100, null]), events: 1500, pace: 2, perTick: 25, ...scene });
  });
});
