import { describe, expect, test } from 'vitest';
import { ddSketch as ownSketch } from '../../src/aggregates/ddSketch.ts';
import type { PercentileSketch } from '../../src/aggregates/percentileSketch.ts';
import type { AnyMeasure } from '../../src/measures/measure.ts';
import { preceding, range } from '../../src/measures/frames.ts';
import * as measures from '../../src/measures/measures.ts';
import {
  approxCountDistinct,
  approxPercentile,
  avg,
  count,
  ddSketch,
  max,
  min,
  stddev,
  stddevPop,
  stddevSamp,
  sum,
  udaf,
  variance,
  varPop,
  varSamp,
} from '../../src/measures/measures.ts';
import * as relationMeasures from '../../src/measures/relationMeasures.ts';
import { corr, covarPop, covarSamp, ema, maxBy, minBy, slope } from '../../src/measures/relationMeasures.ts';
import * as valueMeasures from '../../src/measures/valueMeasures.ts';
import { collect, countDistinct, first, histogram, last, mode, topK } from '../../src/measures/valueMeasures.ts';

const hour = preceding(range(3_600_000));
const lastOne = udaf({ name: 'last_one', zero: () => 0, reduce: (_, value: number) => value, merge: (_, b) => b, finish: (state) => state });

/** What comes without a compiler. */
const unchecked = (value: unknown) => value as never;

describe('a measure', () => {
  // The function, a measure of it, the measure's name, what its columns may hold.
  const all: readonly [string, AnyMeasure, string, string][] = [
    ['count', count(), 'count(*)', 'any'],
    ['count', count('x'), 'count(x)', 'any'],
    ['sum', sum('x'), 'sum(x)', 'numeric'],
    ['avg', avg('x'), 'avg(x)', 'numeric'],
    ['min', min('x'), 'min(x)', 'orderable'],
    ['max', max('x'), 'max(x)', 'orderable'],
    ['varSamp', varSamp('x'), 'var_samp(x)', 'number'],
    ['variance', variance('x'), 'var_samp(x)', 'number'],
    ['varPop', varPop('x'), 'var_pop(x)', 'number'],
    ['stddevSamp', stddevSamp('x'), 'stddev_samp(x)', 'number'],
    ['stddev', stddev('x'), 'stddev_samp(x)', 'number'],
    ['stddevPop', stddevPop('x'), 'stddev_pop(x)', 'number'],
    ['approxCountDistinct', approxCountDistinct('x'), 'approx_count_distinct(x)', 'key'],
    ['approxPercentile', approxPercentile('x', 0.95), 'approx_percentile(x, 0.95)', 'number'],
    ['approxPercentile', approxPercentile('x', [0.5, 0.95]), 'approx_percentile(x, [0.5, 0.95])', 'number'],
    ['ddSketch', ddSketch('x'), 'ddsketch(x)', 'number'],
    ['countDistinct', countDistinct('x'), 'count_distinct(x)', 'key'],
    ['first', first('x'), 'first(x)', 'any'],
    ['last', last('x'), 'last(x)', 'any'],
    ['minBy', minBy('x', 'y'), 'min_by(x, y)', 'any'],
    ['maxBy', maxBy('x', 'y'), 'max_by(x, y)', 'any'],
    ['mode', mode('x'), 'mode(x)', 'orderable'],
    ['topK', topK('x', 3), 'top_k(x, 3)', 'orderable'],
    ['histogram', histogram('x', [1, 10]), 'histogram(x)', 'number'],
    ['collect', collect('x', 20), 'collect_list(x)', 'any'],
    ['ema', ema('x', '10 minutes'), 'ema(x)', 'number'],
    ['slope', slope('x'), 'slope(x)', 'number'],
    ['corr', corr('x', 'y'), 'corr(x, y)', 'number'],
    ['covarSamp', covarSamp('x', 'y'), 'covar_samp(x, y)', 'number'],
    ['covarPop', covarPop('x', 'y'), 'covar_pop(x, y)', 'number'],
    ['udaf', lastOne('x'), 'last_one(x)', 'any'],
  ];

  test.each(all)('of %s is named after its aggregate and column', (_, measure, name, kind) => {
    expect(measure).toMatchObject({ name, kind, columns: name === 'count(*)' ? [] : name.includes(', y') ? ['x', 'y'] : ['x'], frame: undefined, predicate: undefined });
    expect(name.startsWith(measure.aggregate.name)).toBe(true);
  });

  test('is here of every function', () => {
    expect([...new Set(all.map(([made]) => made))].sort()).toEqual(Object.keys({ ...measures, ...valueMeasures, ...relationMeasures }).sort());
  });

  test.each(all)('of %s is frozen, and so are its columns', (_, measure) => {
    expect(Object.isFrozen(measure)).toBe(true);
    expect(Object.isFrozen(measure.columns)).toBe(true);
  });

  test('of a percentile keeps the values over a frame and a sketch over a lifetime, unless a sketch is asked for', () => {
    const by = ({ aggregate }: AnyMeasure): unknown => [aggregate.parameters?.['sketch'], (aggregate.lifetime ?? aggregate).parameters?.['sketch']];
    expect(by(approxPercentile('x', 0.5).over(hour).as('p'))).toEqual([undefined, 'ddsketch 0.01']);
    expect(by(approxPercentile('x', 0.5, 500).filter(() => true).over(hour))).toEqual([undefined, 'ddsketch 0.002']);
    const rough = approxPercentile('x', 0.5, { relativeAccuracy: 0.05 });
    expect([by(rough), by(rough.over(hour))]).toEqual([['ddsketch 0.05', 'ddsketch 0.05'], ['ddsketch 0.05', 'ddsketch 0.05']]);
    expect(rough.over(hour).aggregate.retract).toBeTypeOf('function');
  });

  test('of a percentile by a sketch that can not remove is for lifetimes', () => {
    const fixed = { ...ownSketch(0.01), name: 'fixed', remove: undefined } as unknown as PercentileSketch;
    const lasting = approxPercentile('x', 0.5, { sketch: fixed });
    expect(() => lasting.over(hour)).toThrow(expect.objectContaining({ code: 'invalid-measure', given: 'fixed' }));
    expect(approxPercentile('x', 0.5, { sketch: { ...ownSketch(0.01), name: 'loose' } }).over(hour).frame).toBe(hour);
  });

  test('of two columns says what the second may hold', () => {
    expect([minBy('x', 'y').secondKind, corr('x', 'y').secondKind ?? corr('x', 'y').kind]).toEqual(['orderable', 'number']);
  });

  test.each<[string, () => unknown]>([
    ['a half-life that is none', () => ema('x', 0)],
    ['an endless half-life', () => ema('x', Infinity)],
  ])('%s is an error', (_, act) => {
    expect(act).toThrow(expect.objectContaining({ code: 'invalid-duration' }));
  });

  test('keeps the name and the probabilities of the percentile apart', () => {
    expect(approxPercentile('x', [0.5, 0.95]).aggregate).toMatchObject({ name: 'approx_percentile', parameters: { p: [0.5, 0.95] } });
  });
});

describe('the steps', () => {
  const paid = (event: { paid: boolean }) => event.paid;

  test('each gives a new measure and leaves the old one', () => {
    const plain = sum('x');
    const framed = plain.over(hour);
    const filtered = framed.filter(paid);
    const named = filtered.as('total');
    expect(named).toMatchObject({ name: 'total', columns: ['x'], kind: 'numeric', frame: hour, predicate: paid });
    expect(named.aggregate).toBe(plain.aggregate);
    expect(filtered).toMatchObject({ name: 'sum(x)', frame: hour, predicate: paid });
    expect(framed).toMatchObject({ frame: hour, predicate: undefined });
    expect(plain).toMatchObject({ name: 'sum(x)', frame: undefined, predicate: undefined });
    expect(Object.isFrozen(named)).toBe(true);
  });

  test('frame and filter come in any order', () => {
    expect(sum('x').filter(paid).over(hour).as('n')).toMatchObject({ name: 'n', frame: hour, predicate: paid });
    expect(count().as('n')).toMatchObject({ name: 'n', columns: [] });
  });

  interface Steps {
    over(frame: unknown): Steps;
    filter(predicate: unknown): Steps;
    as(name: unknown): Steps;
  }
  const steps = (measure: unknown) => measure as Steps;

  test.each<[string, () => unknown]>([
    ['a second frame', () => steps(sum('x').over(hour)).over(hour)],
    ['a second frame after a filter', () => steps(sum('x').over(hour).filter(paid)).over(hour)],
    ['a second filter', () => steps(sum('x').filter(paid)).filter(paid)],
    ['a second filter after a frame', () => steps(sum('x').filter(paid).over(hour)).filter(paid)],
    ['a frame after the name', () => steps(sum('x').as('n')).over(hour)],
    ['a filter after the name', () => steps(sum('x').as('n')).filter(paid)],
    ['a second name', () => steps(sum('x').as('n')).as('m')],
    ['a frame that is none', () => steps(sum('x')).over('1 hour')],
    ['no frame', () => steps(sum('x')).over(null)],
    ['a predicate that is none', () => steps(sum('x')).filter({ paid: true })],
    ['a name that is no text', () => steps(sum('x')).as(1)],
    ['an empty name', () => steps(sum('x')).as('')],
    ['a column that is no text', () => sum(unchecked(1))],
    ['a column that is null', () => sum(unchecked(null))],
    ['no column', () => sum(unchecked(undefined))],
    ['no second column', () => corr('x', unchecked(undefined))],
    ['a k of 0', () => topK('x', 0)],
    ['a k between two', () => topK('x', 1.5)],
    ['a limit of 0', () => collect('x', 0)],
    ['an endless limit', () => collect('x', Infinity)],
    ['no edges', () => histogram('x', [])],
    ['edges that fall', () => histogram('x', [2, 1])],
    ['equal edges', () => histogram('x', [1, 1])],
    ['an edge that is NaN', () => histogram('x', [NaN])],
    ['an edge that is NaN after others', () => histogram('x', [1, NaN])],
    ['edges that are text', () => histogram('x', unchecked(['1', '2']))],
    ['edges that are no list', () => histogram('x', unchecked(10))],
  ])('%s is an error', (_, act) => {
    expect(act).toThrow(expect.objectContaining({ code: 'invalid-measure' }));
  });
});
