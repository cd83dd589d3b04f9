import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PercentileMethod } from '../src/aggregates/percentileMethod.ts';
import { createEngine } from '../src/engine.ts';
import { preceding, range } from '../src/measures/frames.ts';
import { approxPercentile, count, ddSketch, max } from '../src/measures/measures.ts';
import { sample } from './support/samples.ts';

interface Call {
  readonly ms: number | null;
  readonly t: number;
}
const probabilities = [0, 0.01, 0.5, 0.95, 0.99, 1];
const second = preceding(range(1000));
const open = (how?: PercentileMethod) =>
  createEngine<Call>()({
    partitionBy: [],
    orderBy: 't',
    measures: [
      approxPercentile('ms', probabilities, how).over(second).as('inside'),
      approxPercentile('ms', probabilities, how).as('ever'),
      count('ms').over(second).as('n'),
    ],
  });

/** The values at their nearest ranks. */
function exact(values: readonly number[]): number[] | null {
  const order = values.toSorted((a, b) => a - b);
  return order.length === 0 ? null : probabilities.map((p) => order[Math.max(Math.ceil(p * order.length - 1e-9), 1) - 1]!);
}

function expectWithin(given: readonly number[] | null | undefined, values: readonly number[], accuracy: number): void {
  const wanted = exact(values);
  expect(given === null).toBe(wanted === null);
  wanted?.forEach((value, i) => {
    expect(Math.abs(given![i]! - value), `p = ${probabilities[i]} of ${values.length} values`).toBeLessThanOrEqual(accuracy * Math.abs(value));
  });
  if (wanted !== null) expect([given![0], given!.at(-1)]).toEqual([wanted[0], wanted.at(-1)]);
}

describe.each<[string, PercentileMethod | undefined, number, number]>([
  ['by default', undefined, 0, 0.01],
  ['with an accuracy of 500', 500, 0, 0.002],
  ['within 5 %', { relativeAccuracy: 0.05 }, 0.05, 0.05],
])('%s', (_, how, inside, ever) => {
  test.each(['lognormal', 'of both signs', 'of a huge range', 'constant'])('what is %s: late, out of order, of one time, and gone', (name) => {
    const engine = open(how);
    const all: { ms: number; t: number }[] = [];
    sample(name, 1500).forEach((ms, i) => {
      const now = i * 7, event = { ms, t: now - (i % 5) * ((i * 31) % 400) - (i % 3) };
      engine.push(event, now);
      all.push(event);
      if (i % 50 !== 0) return;
      const [row] = engine.advance(now);
      if (row === undefined) return;
      expectWithin(row.inside, all.filter(({ t }) => t > now - 1000).map((call) => call.ms), inside);
      expectWithin(row.ever, all.map((call) => call.ms), ever);
    });
  });

  test('is what it was after a restart in mid-window', () => {
    const values = sample('lognormal', 600), at = (i: number): Call => ({ ms: values[i]!, t: i * 5 - (i % 4) * 30 });
    const lasting = open(how), restarted = open(how);
    for (let i = 0; i < 400; i++) lasting.push(at(i), i * 5);
    lasting.advance(2000);
    restarted.restore(lasting.snapshot());
    expect(restarted.snapshot()).toEqual(lasting.snapshot());
    for (let i = 400; i < 600; i++) {
      for (const engine of [lasting, restarted]) engine.push(at(i), i * 5);
      expect(restarted.advance(i * 5)).toEqual(lasting.advance(i * 5));
    }
    expect(restarted.query({}, 3400)).toEqual(lasting.query({}, 3400));
    expect(restarted.snapshot()).toEqual(lasting.snapshot());
  });

  test('of a value that was there twice, of which one leaves', () => {
    const engine = open(how);
    for (const [ms, t] of [[5, 0], [90, 100], [5, 600]] as const) engine.push({ ms, t }, t);
    expectWithin(engine.advance(600)[0]?.inside, [5, 5, 90], inside);
    expect(engine.advance(1000)[0]?.inside).toEqual([5, 5, 5, 90, 90, 90]);
    expect(engine.advance(1100)[0]?.inside).toEqual(probabilities.map(() => 5));
    expect(engine.advance(1600)[0]?.inside).toBeNull();
  });
});

describe('a sketch over a frame', () => {
  const rough = { relativeAccuracy: 0.2 };

  test('knows the ends after others have left, also when asked ahead of the frontier', () => {
    const engine = open(rough);
    for (const [ms, t] of [[1, 0], [1000, 10], [10.5, 500], [11, 510], [11.5, 520]] as const) engine.push({ ms, t }, t);
    engine.advance(600);
    expect(engine.query({}, 1010).inside).toEqual([10.5, 10.5, expect.closeTo(11, -0.6), 11.5, 11.5, 11.5]);
    expect(engine.query({}, 1515).inside).toEqual(probabilities.map(() => 11.5));
    expect(engine.advance(1510)[0]).toMatchObject({ inside: probabilities.map(() => 11.5), n: 1 });
  });

  test('has bounds for the numbers above and below a NaN and the infinities', () => {
    const engine = open(rough);
    [NaN, 40, Infinity, 44, NaN, -Infinity, 48].forEach((ms, t) => engine.push({ ms, t }, t));
    const [row] = engine.advance(6);
    expect([row?.inside?.[0], row?.inside?.at(-1)]).toEqual([-Infinity, NaN]);
    expect(engine.advance(1005)[0]?.inside).toEqual(probabilities.map(() => 48));
  });

  test('beside the maximum of the same column, of which it gets to know', () => {
    const engine = createEngine<Call>()({
      partitionBy: [],
      orderBy: 't',
      measures: [max('ms').over(second), approxPercentile('ms', 1, rough).over(preceding(range(500))), approxPercentile('ms', 0, rough).filter(({ ms }: Call) => ms !== 3).as('rest')],
    });
    [3, 9, null, 4, 7].forEach((ms, i) => engine.push({ ms, t: i * 200 }, i * 200));
    expect(engine.advance(800)).toEqual([{ __frontier: 800, 'max(ms)': 9, 'approx_percentile(ms, 1)': 7, rest: 4 }]);
    expect(engine.advance(1200)).toEqual([{ __frontier: 1200, 'max(ms)': 7, 'approx_percentile(ms, 1)': 7, rest: 4 }]);
  });
});

describe('a lifetime', () => {
  test('takes room for bins, not for values', () => {
    const engine = open();
    for (const [i, ms] of sample('lognormal', 60_000).entries()) engine.push({ ms, t: i }, i);
    engine.advance(60_000);
    expect(engine.snapshot().length).toBeLessThan(40_000);
  });

  test('is not restored where its bins would be others', () => {
    const at = (how: PercentileMethod) => createEngine<Call>()({ partitionBy: [], orderBy: 't', measures: [approxPercentile('ms', 0.5, how)] });
    const saved = at({ relativeAccuracy: 0.01 }).snapshot();
    expect(() => at({ relativeAccuracy: 0.02 }).restore(saved)).toThrow(expect.objectContaining({ code: 'snapshot-plan-changed' }));
    at(100).restore(saved);
  });
});

describe('ddSketch', () => {
  const sketches = (accuracy?: number) =>
    createEngine<Call>()({ partitionBy: [], orderBy: 't', measures: [ddSketch('ms', { relativeAccuracy: accuracy }).over(second).as('inside'), ddSketch('ms').as('ever')] });

  test('puts the bins into the row', () => {
    const engine = sketches(0.5);
    [9, NaN, -9, 0, 1, -Infinity, 10, null, Infinity].forEach((ms, t) => engine.push({ ms, t }, t));
    const none = { keys: [], counts: [] };
    expect(engine.advance(8)[0]?.inside).toEqual({
      relativeAccuracy: 0.5,
      positive: { keys: [0, 3], counts: [1, 2] }, // (1/3, 1], and (9, 27], but for the margin that a 9 is taken for
      negative: { keys: [3], counts: [1] },
      zeros: 1,
      positiveInfinities: 1,
      negativeInfinities: 1,
      nans: 1,
    });
    expect(engine.advance(1007)[0]?.inside).toEqual({ relativeAccuracy: 0.5, positive: none, negative: none, zeros: 0, positiveInfinities: 1, negativeInfinities: 0, nans: 0 });
    expect(engine.advance(1008)[0]?.inside).toBeNull();
  });

  test('counts what is there, whatever it was', () => {
    fc.assert(
      fc.property(fc.array(fc.double(), { maxLength: 20 }), (values) => {
        const engine = sketches();
        values.forEach((ms, t) => engine.push({ ms, t }, t));
        const { ever } = engine.query({}, 100);
        const counted = ever === null ? 0 : [...ever.positive.counts, ...ever.negative.counts, ever.zeros, ever.positiveInfinities, ever.negativeInfinities, ever.nans].reduce((a, b) => a + b);
        expect(counted).toBe(values.length);
      }),
    );
  });
});
