import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderedValues } from '../../src/aggregates/orderedValues.ts';
import { random, sample } from '../support/samples.ts';

const sorted = (values: readonly number[]) => values.map((value) => value + 0).sort((a, b) => (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a < b ? -1 : a > b ? 1 : 0));

function expectSame(ordered: OrderedValues, model: readonly number[]): void {
  const order = sorted(model);
  expect(ordered.toArray()).toEqual(order);
  expect(ordered.size).toBe(model.length);
  expect(order.map((_, i) => ordered.at(i + 1))).toEqual(order);
}

test('inserting and removing in any order leaves what a sorted list holds', () => {
  const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(NaN, -0, Infinity, -Infinity), fc.double());
  fc.assert(
    fc.property(fc.array(fc.record({ value, remove: fc.boolean() }), { size: 'max', maxLength: 60 }), (steps) => {
      const ordered = new OrderedValues();
      const model: number[] = [];
      for (const step of steps) {
        if (step.remove && model.length > 0) {
          const [gone = NaN] = model.splice(model.length >> 1, 1);
          ordered.remove(gone);
        } else {
          ordered.insert(step.value);
          model.push(step.value);
        }
        expectSame(ordered, model);
      }
    }),
    { numRuns: 300 },
  );
});

// Long enough that chunks split and vanish, with many repeats over their borders.
test.each([
  ['rising', (i: number) => i],
  ['falling', (i: number) => -i],
  ['scattered', (i: number) => (i * 7919) % 4001],
  ['few values', (i: number) => (i * 7919) % 5],
  ['one value', () => 1],
])('many values: %s', (_, valueOf) => {
  const ordered = new OrderedValues();
  const values = Array.from({ length: 5000 }, (__, i) => valueOf(i));
  for (const value of values) ordered.insert(value);
  expectSame(ordered, values);

  for (const value of values.slice(0, 4000)) ordered.remove(value);
  expectSame(ordered, values.slice(4000));
  for (const value of values.slice(4000)) ordered.remove(value);
  expectSame(ordered, []);
  ordered.insert(3);
  expectSame(ordered, [3]);
});

// What is left of many blocks is put together, at the ends, too, while others come.
test.each([1, 2, 3, 4, 5, 6])('many values that go in any order, %i', (seed) => {
  const ordered = new OrderedValues(), draw = random(seed);
  let left = sample('lognormal', 12_000, seed);
  for (const value of left) ordered.insert(value);
  for (let round = 0; round < 10; round++) {
    const border = 40 * draw(), isBelow = draw() < 0.5, share = 0.5 + draw();
    left = left.filter((value) => {
      const goes = value < border === isBelow && draw() < share;
      if (goes) ordered.remove(value);
      return !goes;
    });
    for (const value of sample('uniform', 20, round)) {
      left.push(value);
      ordered.insert(value);
    }
    expectSame(ordered, left);
  }
});

test('an insertion among very many touches few of them', () => {
  const ordered = new OrderedValues();
  for (let i = 0; i < 400_000; i++) ordered.insert((i * 7919) % 400_009);
  const before = performance.now();
  for (let i = 0; i < 5000; i++) {
    ordered.insert((i * 104_729) % 400_009);
    ordered.remove((i * 104_729) % 400_009);
    ordered.at(200_000);
  }
  // About 30 ms; a list that is shifted as a whole takes seconds.
  expect(performance.now() - before).toBeLessThan(500);
}, 60_000);
