import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnyAggregate } from '../../src/aggregates/aggregate.ts';
import { approxCountDistinct } from '../../src/aggregates/index.ts';
import { random } from '../support/samples.ts';

interface Occurrence {
  readonly value: unknown;
  readonly time: number;
}

const sliding = (rsd?: number): AnyAggregate => approxCountDistinct(rsd);
const lifetime = (rsd?: number): AnyAggregate => approxCountDistinct(rsd).lifetime as AnyAggregate;
const fold = (aggregate: AnyAggregate, some: readonly Occurrence[], state: unknown = aggregate.zero()): unknown =>
  some.reduce((s, { value, time }) => aggregate.reduce(s, value, time), state);

/** Whole numbers from 0 to below 2^32 that a seed settles. */
function wholeNumbers(seed: number): () => number {
  const next = random(seed);
  return () => next() * 2 ** 32;
}

const kinds: Readonly<Record<string, (n: number, seed: number) => unknown>> = {
  'whole numbers in sequence': (n, seed) => seed * 1e6 + n,
  'fractions': (n, seed) => (seed * 1e6 + n) / 1000,
  'texts': (n, seed) => `user-${seed}-${n}`,
  'bigints': (n, seed) => BigInt(seed) * 10n ** 20n + BigInt(n),
  'dates': (n, seed) => new Date(seed * 1e8 + n * 1000),
};

/** The relative errors after so many distinct values, one for each of a thousand streams. */
function errors(count: number, streams: number, estimated: (stream: number) => number): { spread: number; bias: number } {
  let sum = 0, squares = 0;
  for (let stream = 0; stream < streams; stream++) {
    const error = estimated(stream) / count - 1;
    sum += error;
    squares += error * error;
  }
  return { spread: Math.sqrt(squares / streams), bias: sum / streams };
}

describe('over 1,000 seeded streams', () => {
  test.each(Object.keys(kinds).flatMap((kind) => [80, 500, 3000].map((count) => [count, kind] as const)))('the standard error for %i %s is at most 5 %, without bias', { timeout: 60_000 }, (count, kind) => {
    const aggregate = lifetime();
    const { spread, bias } = errors(count, 1000, (stream) => {
      let state = aggregate.zero();
      for (let n = 0; n < count; n++) state = aggregate.reduce(state, kinds[kind]!(n, stream), n);
      return aggregate.finish(state) as number;
    });
    expect(spread).toBeLessThanOrEqual(0.05);
    expect(Math.abs(bias)).toBeLessThan(0.006); // four standard errors of a mean of 1,000
  });

  // Half of the values have left, and those that are left came in disorder and several times.
  test.each([0.2, 0.05, 0.02])('the standard error of what a window holds is at most %d', { timeout: 60_000 }, (rsd) => {
    const aggregate = sliding(rsd), count = 1000;
    const { spread, bias } = errors(count, 1000, (stream) => {
      const next = wholeNumbers(stream);
      let state = aggregate.zero();
      for (let n = 0; n < 2 * count; n++) {
        const value = n - (n % 7 === 3 ? 2 : 0) + stream * 1e6;
        state = aggregate.reduce(state, value, n - (next() % 5));
      }
      for (let n = count; n < 2 * count; n++) state = aggregate.reduce(state, n + stream * 1e6, 2 * count + (next() % 100));
      return aggregate.finish(aggregate.expire!(state, 2 * count - 1)) as number;
    });
    expect(spread).toBeLessThanOrEqual(rsd);
    expect(Math.abs(bias)).toBeLessThan(0.01);
  });

  test('a smaller rsd takes more registers', { timeout: 60_000 }, () => {
    const spread = (rsd: number): number =>
      errors(5000, 100, (stream) => {
        const aggregate = lifetime(rsd);
        return aggregate.finish(fold(aggregate, Array.from({ length: 5000 }, (_, n) => ({ value: `${stream} ${n}`, time: n })))) as number;
      }).spread;
    expect(spread(0.01)).toBeLessThan(0.012);
    expect(spread(0.2)).toBeGreaterThan(0.04);
  });

  test('millions are no harder than thousands', { timeout: 60_000 }, () => {
    const aggregate = lifetime();
    let state = aggregate.zero();
    for (let n = 0; n < 2e6; n++) state = aggregate.reduce(state, n * 1.5, 0);
    expect(Math.abs((aggregate.finish(state) as number) / 2e6 - 1)).toBeLessThan(0.15);
  });
});

describe('a window', () => {
  const odd = [NaN, 0, -0, true, false, 1n, '1', 'NaN', ''];

  /** Five values a millisecond, one in four of them late. From a seed: to make long lists smaller would take minutes. */
  const occurrences = fc.tuple(fc.nat(), fc.integer({ min: 200, max: 450 })).map(([seed, count]) => {
    const next = wholeNumbers(seed);
    const value = (): unknown => [next() % 120, String(next() % 120), new Date(next() % 120), odd[next() % odd.length]][next() % 4];
    return Array.from({ length: count }, (_, i): Occurrence => ({ value: value(), time: Math.floor(i / 5) - (next() % 4 === 0 ? next() % 30 : 0) }));
  });
  const distinct = (some: readonly Occurrence[]): number => new Set(some.map(({ value: one }) => (one instanceof Date ? `date ${one.getTime()}` : `${typeof one} ${one === 0 ? 0 : String(one)}`))).size;

  /** Takes values in as they come, and lets them leave after `length`, as a window would. */
  function slide(aggregate: AnyAggregate, some: readonly Occurrence[], length: number): void {
    let state = aggregate.zero(), frontier = -Infinity;
    const seen: Occurrence[] = [];
    for (const [i, one] of some.entries()) {
      seen.push(one);
      frontier = Math.max(frontier, one.time);
      if (one.time > frontier - length) state = aggregate.reduce(state, one.value, one.time);
      state = aggregate.expire!(state, frontier - length);
      if (i % 7 > 0) continue;
      const inside = seen.filter(({ time }) => time > frontier - length), count = distinct(inside);
      const given = aggregate.finish(state);
      expect(given).toBe(count <= 64 ? count : aggregate.finish(fold(aggregate, inside)));
      if (count > 64) expect(given).toBeGreaterThan(64);
    }
  }

  test('answers as if only what it holds had ever been there, exactly up to 64', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(occurrences, fc.integer({ min: 5, max: 50 }), (some, length) => {
        slide(sliding(), some, length);
      }),
      { numRuns: 150 },
    );
  });

  /** A value a millisecond, each another. */
  const some = (count: number, from: number): Occurrence[] => Array.from({ length: count }, (_, n) => ({ value: from + n, time: from + n }));

  test('is not taken in by many values that come late', () => {
    const aggregate = sliding();
    const state = fold(aggregate, [...some(200, 100), ...some(200, -100)]);
    expect(aggregate.finish(aggregate.expire!(state, 150))).toBe(aggregate.finish(fold(aggregate, some(149, 151))));
    expect(aggregate.finish(aggregate.expire!(state, 240))).toBe(59);
  });

  test('is not taken in by a part that has forgotten later values than another remembers', () => {
    const aggregate = sliding();
    const both = aggregate.merge(fold(aggregate, some(128, 0)), fold(aggregate, some(129, 200)));
    expect(aggregate.finish(aggregate.expire!(both, 150))).toBe(aggregate.finish(fold(aggregate, some(129, 200))));
  });

  test('is what its parts are together, in any order, also after a rest', () => {
    fc.assert(
      fc.property(occurrences, fc.nat(500), fc.integer({ min: -1, max: 50 }), (some, cut, cutoff) => {
        for (const aggregate of [sliding(), lifetime()]) {
          const whole = fold(aggregate, some), expired = aggregate.expire?.(fold(aggregate, some), cutoff) ?? whole;
          const [a, b] = [fold(aggregate, some.slice(0, cut)), fold(aggregate, some.slice(cut))];
          const rested = aggregate.decode!(structuredClone(aggregate.encode!(a)));
          expect(aggregate.finish(aggregate.merge(b, rested))).toBe(aggregate.finish(whole));
          const both = aggregate.merge(fold(aggregate, some.slice(0, cut)), fold(aggregate, some.slice(cut)));
          expect(aggregate.finish(aggregate.expire?.(both, cutoff) ?? both)).toBe(aggregate.finish(expired));
        }
      }),
      { numRuns: 200 },
    );
  });

  test('keeps no more than its registers ask for, however much passes through', { timeout: 60_000 }, () => {
    const aggregate = sliding();
    let state = aggregate.zero();
    for (let n = 0; n < 300_000; n++) {
      state = aggregate.reduce(state, n, n);
      if (n % 100 === 0) state = aggregate.expire!(state, n - 20_000);
    }
    const { sketch, recent } = state as { sketch: { times: Float64Array }; recent: { size: number } };
    expect([recent.size <= 128, sketch.times.length <= 512 * 8]).toEqual([true, true]); // about ln(20,000 / 512) + 1 a register are needed
    expect(Math.abs((aggregate.finish(state) as number) / 20_000 - 1)).toBeLessThan(0.15);
    state = aggregate.expire!(state, 299_989);
    expect([aggregate.finish(state), (state as { sketch: unknown }).sketch]).toEqual([10, undefined]);
  });
});
