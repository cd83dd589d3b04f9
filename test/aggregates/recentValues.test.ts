import { expect, test } from 'vitest';
import { RecentValues, type Indexed } from '../../src/aggregates/recentValues.ts';
import { random } from '../support/samples.ts';

/** What it is: a `Map` from values to their latest times. */
function compare(hashOf: (value: Indexed) => number, seed: number): void {
  const next = random(seed), recent = new RecentValues(), model = new Map<Indexed, number>();
  const values: Indexed[] = [NaN, 0, '', '0', 0n, false, ...Array.from({ length: 120 }, (_, i) => (i % 2 === 0 ? i : `text ${i}`))];
  for (let time = 0; time < 2_000; time++) {
    if (next() < 0.02) {
      const cutoff = time - 1 - Math.floor(next() * 150);
      recent.drop(cutoff);
      for (const [value, latest] of model) if (latest <= cutoff) model.delete(value);
    } else {
      const value = values[Math.floor(next() * values.length)]!, at = time - Math.floor(next() * 10);
      recent.add(value, hashOf(value), at);
      model.set(value, Math.max(at, model.get(value) ?? -Infinity));
    }
    expect(recent.size).toBe(model.size);
    expect(recent.countAfter(time - 20)).toBe([...model.values()].filter((latest) => latest > time - 20).length);
  }
  expect(new Map(recent.values.map((value, place) => [value, recent.timeAt(place)]))).toEqual(model);
}

test('knows each value and its latest time, whatever is dropped', () => {
  compare((value) => String(value).length * 0x9e3779b1 + (typeof value === 'number' ? value | 0 : 7), 1);
});

test('tells values apart whose hashes are the same', () => {
  compare(() => 5, 2);
  compare(() => 0xffffffff, 3);
});
