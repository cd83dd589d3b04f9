import { describe, test } from 'vitest';
import { calendar } from '../../operators/luxon/index.ts';
import { preceding, range, since, type Frame } from '../../src/measures/frames.ts';
import type { AnyMeasure } from '../../src/measures/measure.ts';
import { measureOf, type FrameText } from '../support/caseMeasures.ts';
import { play, type Scenario } from '../support/denseStream.ts';

/**
 * Every frame with every aggregate, against the naive engine: dense streams in which windows span several blocks, with
 * held and late events, equal times, values that are missing or no numbers, filters, restarts and a clock that jumps.
 */

const specs = ['countAll', 'count', 'sum', 'avg', 'min', 'max', 'var_samp', 'var_pop', 'stddev_samp', 'stddev_pop', 'pct:1/2', 'pct:19/20', 'rough:9/10', 'distinct', 'countDistinct'];
const others = ['first', 'last', 'minBy', 'maxBy', 'mode', 'topTwo', 'histogram', 'lastThree', 'all', 'ema', 'slope', 'corr', 'covar_samp', 'covar_pop', 'joined', 'evens'];
const calm = { events: 700, pace: 2, perTick: 20, late: 0.1, by: 600, grain: 4, delay: 0 };
const scenes: readonly [name: string, specs: readonly string[], scene: Omit<Scenario, 'measures'>][] = [
  ['late events', specs, { ...calm, missing: 0.1, odd: 0.01 }],
  ['late events', others, { ...calm, missing: 0.1, events: 500 }],
  ['held events, restarts, jumps', specs, { ...calm, delay: 300, by: 150, late: 0.4, restarts: 0.5, jumps: 0.004, far: 900 }],
  ['held events, restarts, jumps', others, { ...calm, delay: 300, by: 150, late: 0.4, restarts: 0.5, jumps: 0.004, far: 900, events: 500 }],
];
const frames: readonly FrameText[] = [300, -250, '1 rows', '40 rows', '200 rows', '300 every 100', '300 every 70', '50 every 120', '150 every 150', '400 every 9', null];

const over = (frame: FrameText, which: readonly string[]): AnyMeasure[] => which.map((spec, i) => measureOf(`${spec} ${i}`, spec, 'v', frame, i % 3 === 2 ? ({ f }) => f === true : undefined));
/** One of the measures over another frame: both share the events. */
const beside = (frame: FrameText): AnyMeasure => measureOf('beside', 'sum', 'w', frame);

describe.each(frames)('over %s', (frame) => {
  test.each(scenes)('%s, of %j', { timeout: 120_000 }, (_, which, scene) => {
    play(100 + frames.indexOf(frame), { ...scene, measures: over(frame, which) });
    play(200 + frames.indexOf(frame), { ...scene, measures: [...over(frame, which.slice(2, 8)), beside(120)], closed: 'both', events: 400 });
    play(300 + frames.indexOf(frame), { ...scene, measures: [...over(frame, which.slice(0, 9)), beside('70 rows')], events: 400, keys: 2 });
  });
});

// Clocks in Paris are set back on 25 October 2026.
const hour = 3_600_000;
const days = { zone: 'Europe/Paris' };
const byCalendar: readonly (readonly [string, Frame])[] = [
  ['a day back', preceding(calendar({ days: 1 }, days))],
  ['a month back', preceding(calendar({ months: 1 }, days))],
  ['since midnight', since(calendar({ days: 1 }, days))],
  ['since Monday', since(calendar({ weeks: 1 }, days))],
  ['since the full hour', since(range(hour))],
];
const hours = { late: 0.1, by: 40 * hour, pace: hour / 4, start: Date.parse('2026-10-20'), grain: 60_000, events: 800, perTick: 20 };

describe.each(byCalendar)('%s', (_, frame) => {
  const framed = (which: readonly string[]): AnyMeasure[] => over(300, which).map((measure) => ({ ...measure, frame }));
  test.each([['summaries', specs], ['others', others]] as const)('%s', { timeout: 120_000 }, (_kind, which) => {
    play(7, { ...hours, measures: framed(which), missing: 0.1, restarts: 0.5 });
    play(8, { ...hours, measures: [...framed(which.slice(0, 8)), beside(6 * hour), measureOf('steps', 'max', 'v', `${5 * hour} every ${2 * hour}`)], delay: 3 * hour, closed: 'both', jumps: 0.004, far: 50 * hour });
  });
});
