import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Bins } from '../../src/aggregates/bins.ts';

const sorted = (keys: readonly number[]): number[] => keys.toSorted((a, b) => a - b);

function expectSame(bins: Bins, keys: readonly number[]): void {
  const order = sorted(keys);
  expect(bins.size).toBe(order.length);
  expect([...bins.entries()].flatMap(([key, count]) => Array<number>(count).fill(key))).toEqual(order);
  order.forEach((key, i) => {
    expect(bins.keyAt(i + 1)).toBe(key);
  });
}

test('holds what a sorted list holds, in any order of coming and going', () => {
  const key = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -100, max: 100 }), fc.integer({ min: -40_000, max: 40_000 }));
  const step = fc.record({ key, times: fc.constantFrom(1, 1, 1, 2, 7), remove: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { size: 'max', maxLength: 60 }), (steps) => {
      const bins = new Bins();
      const model: number[] = [];
      for (const { key: given, times, remove } of steps) {
        if (remove && model.length > 0) {
          const [gone = 0] = model.splice(model.length >> 1, 1);
          bins.remove(gone);
        } else {
          if (times === 1) bins.add(given);
          else bins.addTimes(given, times);
          model.push(...Array<number>(times).fill(given));
        }
      }
      expectSame(bins, model);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['rising', (i: number) => i],
  ['falling', (i: number) => 0 - i],
  ['outward', (i: number) => (i % 2 === 0 ? i : -i) * 11],
])('grows at both ends: %s', (_, keyOf) => {
  const bins = new Bins();
  const keys = Array.from({ length: 3000 }, (__, i) => keyOf(i));
  for (const key of keys) bins.add(key);
  expectSame(bins, keys);
});

describe('counts', () => {
  // Two bytes, four and eight: what is one more than fits must not start at 0 again.
  test.each([0xffff, 0xffff_ffff])('pass %i one by one and at once', (most) => {
    const bins = new Bins();
    bins.add(3);
    bins.addTimes(5, most);
    bins.add(5);
    expect([...bins.entries()]).toEqual([[3, 1], [5, most + 1]]);
    bins.addTimes(-5, most + 2);
    bins.remove(5);
    expect([...bins.entries()]).toEqual([[-5, most + 2], [3, 1], [5, most]]);
    expect(bins.size).toBe(2 * most + 3);
    expect([bins.keyAt(most + 2), bins.keyAt(most + 3), bins.keyAt(most + 4), bins.keyAt(2 * most + 3)]).toEqual([-5, 3, 5, 5]);
  });

  test('of another are added, which stays as it was', () => {
    const into = new Bins(), from = new Bins();
    for (const key of [1, 1, 700]) into.add(key);
    for (const key of [1, -900]) from.add(key);
    into.addAll(from);
    expectSame(into, [1, 1, 700, 1, -900]);
    expectSame(from, [1, -900]);
    into.add(-900);
    expectSame(from, [1, -900]);
  });
});
