import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundaryHeap } from '../../src/windows/boundaryHeap.ts';

test('BoundaryHeap gives back the earliest due first, whole, whatever came between', () => {
  const entry = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: -9, max: 9 }), fc.nat(1000), fc.integer({ min: -1, max: 5 }));
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: entry }, { weight: 2, arbitrary: fc.constant('pop' as const) }), { minLength: 100, maxLength: 150, size: 'max' });
  fc.assert(
    fc.property(steps, (course) => {
      const heap = new BoundaryHeap();
      let list: (readonly [due: number, order: number, slot: number, lookback: number])[] = [];
      const popped = (): void => {
        const first = [heap.due(), heap.order(), heap.slot(), heap.lookback()] as const;
        const earliest = Math.min(...list.map(([due]) => due));
        expect(first[0]).toBe(earliest);
        expect(first[1]).toBe(Math.min(...list.filter(([due]) => due === earliest).map(([, order]) => order)));
        const at = list.findIndex((other) => other.every((part, i) => part === first[i]));
        expect(at).not.toBe(-1);
        list = list.toSpliced(at, 1);
        heap.pop();
      };
      for (const step of course) {
        if (step !== 'pop') {
          list.push(step);
          heap.push(...step);
        } else if (list.length > 0) popped();
        expect(heap.size).toBe(list.length);
        const seen: number[][] = [];
        heap.forEach((...entry) => seen.push(entry));
        expect(seen.sort(byParts)).toEqual(list.map(([, order, slot, lookback]) => [slot, order, lookback]).sort(byParts));
      }
      while (list.length > 0) popped();
      expect(heap.size).toBe(0);
    }),
    { numRuns: 150 },
  );
});

function byParts(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, i) => part !== b[i]);
  return at === -1 ? 0 : a[at]! - b[at]!;
}
