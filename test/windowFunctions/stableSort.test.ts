import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StableSort } from '../../src/windowFunctions/stableSort.ts';

const key = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(-Infinity, Infinity, 0.5, 1e300));

test('sorts as a stable sort by all columns does, whatever the length, between the places that are not its own', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, key), { maxLength: 200, size: 'max' }), fc.nat(3), fc.nat(3), fc.constantFrom('drawn', 'ascending', 'descending'), (drawn, before, behind, course) => {
      const pairs = course === 'drawn' ? drawn : drawn.toSorted(([a], [b]) => (course === 'ascending' ? 1 : -1) * (a === b ? 0 : a < b ? -1 : 1));
      const columns = [0, 1].map((column) => Float64Array.from(pairs, (pair) => pair[column]!));
      const from = Math.min(before, pairs.length), to = Math.max(from, pairs.length - behind), places = Int32Array.from(pairs.keys());
      new StableSort(columns, to - from).sort(places, from, to);

      const compare = (a: number, b: number): number => difference(columns[0]!, a, b) || difference(columns[1]!, a, b);
      const all = [...pairs.keys()];
      expect([...places]).toEqual([...all.slice(0, from), ...all.slice(from, to).sort(compare), ...all.slice(to)]);
    }),
  );
});

const difference = (keys: Float64Array, a: number, b: number): number => (keys[a]! < keys[b]! ? -1 : Number(keys[a]! > keys[b]!));
