import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderedValues } from '../../src/aggregates/orderedValues.ts';

const sorted = (values: readonly number[]) => values.map((value) => value + 0).sort((a, b) => (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a < b ? -1 : a > b ? 1 : 0));

function expectSame(ordered: OrderedValues, model: readonly number[]): void {
  expect(ordered.toArray()).toEqual(sorted(model));
  expect(ordered.size).toBe(model.length);
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
  const order = sorted(values);
  for (let rank = 1; rank <= order.length; rank += 97) expect(ordered.at(rank)).toBe(order[rank - 1]);

  for (const value of values.slice(0, 4000)) ordered.remove(value);
  expectSame(ordered, values.slice(4000));
  for (const value of values.slice(4000)) ordered.remove(value);
  expectSame(ordered, []);
  ordered.insert(3);
  expectSame(ordered, [3]);
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
