import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { avg, count, max, min, preceding, range, stddevPop, sum, varSamp } from '../../src/index.ts';
import { nearestDouble, scaled, total } from '../../src/testing/exact.ts';
import { startEngine } from '../support/engines.ts';

const LENGTH = 150;
const over = preceding(range(LENGTH)), short = preceding(range(10));

type Answers = Readonly<Record<'n' | 'sum' | 'avg' | 'min' | 'max', number | null>>;

/** One event a millisecond, so that the windows span several blocks; `check` sees what is in each and what is answered. */
function slide(values: readonly (number | undefined)[], check: (inside: number[], answers: Answers) => void, every = 7): void {
  const of = (frame: typeof over | undefined, suffix: string): never[] =>
    [count('v'), sum('v'), avg('v'), min('v'), max('v')].map((measure, i) => (frame ? measure.over(frame) : measure).as(`${['n', 'sum', 'avg', 'min', 'max'][i]}${suffix}`)) as never[];
  const engine = startEngine({ partitionBy: [], orderBy: 't', measures: [...of(over, ''), ...of(short, ' short'), ...of(undefined, ' ever')] });
  values.forEach((v, t) => {
    engine.push({ t, v }, t);
    if (t % every !== 0 && t < values.length - 1) return;
    engine.advance(t);
    const row = engine.query({}) as Record<string, number | null>;
    for (const [suffix, length] of [['', LENGTH], [' short', 10], [' ever', Infinity]] as const) {
      const inside = values.slice(Math.max(0, t - length + 1), t + 1).filter((value) => value !== undefined);
      check(inside, { n: row[`n${suffix}`]!, sum: row[`sum${suffix}`]!, avg: row[`avg${suffix}`]!, min: row[`min${suffix}`]!, max: row[`max${suffix}`]! });
    }
  });
}
const repeated = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(value, { minLength: 300, maxLength: 400, size: 'max' });
const exactly = (values: readonly number[], divisor = 1): number => {
  const { integers, exponent } = scaled(values);
  return nearestDouble(total(integers), BigInt(divisor), exponent);
};

describe('NumericKernel', () => {
  test('sum and avg of wild doubles stay within 2^-50 of the sum of magnitudes, whatever left before', () => {
    const wild = fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: -300, max: 300 })).map(([value, power]) => value * 10 ** power);
    fc.assert(
      fc.property(repeated(wild), (values) => {
        slide(values, (inside, { n, sum: given, avg: mean }) => {
          const { integers, exponent } = scaled(inside);
          const allowed = 2 ** -50 * nearestDouble(total(integers.map((integer) => (integer < 0n ? -integer : integer))), 1n, exponent);
          expect(n).toBe(inside.length);
          expect(Math.abs(given! - exactly(inside))).toBeLessThanOrEqual(allowed);
          expect(Math.abs(mean! - exactly(inside, inside.length))).toBeLessThanOrEqual(allowed / inside.length);
        }, 23);
      }),
      { numRuns: 15 },
    );
  });

  test('sums and means of integers are exact, rounded once, also beyond 2^53', () => {
    const integer = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.constantFrom(2 ** 53, -(2 ** 53), 1, 0, 3));
    fc.assert(
      fc.property(repeated(integer), (values) => {
        slide(values, (inside, answers) => {
          expect(answers.sum).toBe(exactly(inside));
          expect(answers.avg).toBe(exactly(inside, inside.length));
          expect([answers.min, answers.max]).toEqual([Math.min(...inside) + 0, Math.max(...inside) + 0]);
        }, 29);
      }),
      { numRuns: 15 },
    );
  });

  test('a sum that leaves the range of doubles on its way comes back', () => {
    const huge = fc.constantFrom(1.5e308, 1.2e308, -1.4e308, -1.7e308, Number.MAX_VALUE, -Number.MAX_VALUE, 1e292, -3, 0);
    fc.assert(
      fc.property(repeated(huge), (values) => {
        slide(values, (inside, { sum: given, avg: mean }) => {
          const expected = exactly(inside);
          if (Number.isFinite(expected)) expect(Math.abs(given! - expected) * 2 ** -10).toBeLessThanOrEqual(inside.reduce((all, value) => all + Math.abs(value) * 2 ** -60, 0));
          else expect(given).toBe(expected);
          const exactMean = exactly(inside, inside.length);
          expect(Math.abs(mean! - exactMean)).toBeLessThanOrEqual(2 ** -50 * Number.MAX_VALUE);
        }, 11);
      }),
      { numRuns: 15 },
    );
  });

  test.each([
    [[1.5e308, 1.2e308, -1.4e308]],
    [[1.2e308, -1.7e308, 1e292, Number.MAX_VALUE]], // the sum is a double, what is computed on the way to its rounding error is not
    [[Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, -Number.MAX_VALUE, 1]],
  ])('the sum of %o comes back into range', (values) => {
    slide(values, (inside, answers) => {
      if (inside.length === values.length) expect(answers).toMatchObject({ sum: exactly(inside), avg: exactly(inside, inside.length) });
    }, 1);
  });

  test('NaN and infinities decide while they are inside, and leave no trace', () => {
    const value = fc.oneof({ weight: 60, arbitrary: fc.integer({ min: -50, max: 50 }).map((n) => n / 4) }, { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity) }, { weight: 4, arbitrary: fc.constantFrom(undefined, -0) });
    // Long enough that whole blocks hold nothing but NaN, or nothing at all.
    const runs = fc.array(fc.tuple(fc.constantFrom(NaN, NaN, undefined, 5, -3), fc.integer({ min: 1, max: 150 })), { minLength: 5, maxLength: 8, size: 'max' }).map((of) => of.flatMap(([one, length]) => Array<number | undefined>(length).fill(one)));
    fc.assert(
      fc.property(fc.oneof(repeated(value), runs), (values) => {
        slide(values, (inside, answers) => {
          const odd = inside.filter((one) => !Number.isFinite(one)), finite = inside.filter(Number.isFinite), numbers = inside.filter((one) => !Number.isNaN(one));
          if (inside.length === 0) return expect(answers).toEqual({ n: 0, sum: null, avg: null, min: null, max: null });
          const all = odd.length > 0 ? odd.reduce((a, b) => a + b) : finite.reduce((a, b) => a + b, 0);
          expect(answers.sum).toBe(all);
          expect(answers.avg).toBe(all / inside.length);
          expect(answers.min).toBe(numbers.length > 0 ? Math.min(...numbers) + 0 : NaN);
          expect(answers.max).toBe(numbers.length < inside.length ? NaN : Math.max(...inside) + 0);
        }, 5);
      }),
      { numRuns: 40 },
    );
  });

  test('an all-zero window sums to 0, not to -0', () => {
    slide([-0, -0, 0, -0], (_, { sum: given, avg: mean, min: least }) => expect([given, mean, least]).toEqual([0, 0, 0]), 1);
    slide([5e-324, -5e-324], (inside, { sum: given }) => inside.length === 2 && expect(given).toBe(0), 1);
  });

  test('variances hold over many blocks, and are exactly 0 for a constant', () => {
    const engine = startEngine({ partitionBy: [], orderBy: 't', measures: [varSamp('v').over(over).as('variance'), stddevPop('v').over(over).as('deviation')] });
    const values = Array.from({ length: 600 }, (_, t) => (t < 300 ? 1.79e12 + ((t * 37) % 101) / 8 : t === 330 ? 1e200 : 0.1));
    for (const [t, v] of values.entries()) {
      engine.push({ t, v }, t);
      engine.advance(t);
      const { variance, deviation } = engine.query({}) as { variance: number | null; deviation: number };
      const inside = values.slice(Math.max(0, t - LENGTH + 1), t + 1);
      if (inside.length < 2) expect([variance, deviation]).toEqual([null, 0]);
      else if (inside.every((value) => value === inside[0])) expect([variance, deviation]).toEqual([0, 0]);
      else if (!inside.includes(1e200)) {
        const { integers, exponent } = scaled(inside), n = BigInt(inside.length);
        const exact = nearestDouble(n * total(integers.map((integer) => integer * integer)) - total(integers) ** 2n, n * (n - 1n), 2 * exponent);
        expect(Math.abs(variance! - exact)).toBeLessThanOrEqual(1e-12 * exact);
      }
    }
    expect(engine.query({})).toMatchObject({ variance: 0, deviation: 0 });
  });
});
