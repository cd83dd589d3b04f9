import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DirtyKeys } from '../../src/keys/dirtyKeys.ts';
import { BoundaryRing } from '../../src/windows/boundaryRing.ts';

describe('BoundaryRing', () => {
  test('equals a sorted list with a place for each cursor, through any number of chunks', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constant('append' as const), fc.nat(3), fc.integer({ min: 1, max: 300 })) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('sweep' as const), fc.nat(1200), fc.nat(600)) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('clear' as const), fc.constant(0), fc.constant(0)) },
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 60, maxLength: 90, size: 'max' }), fc.integer({ min: 1, max: 3 }), (course, cursors) => {
        const ring = new BoundaryRing(cursors);
        const list: { time: number; slot: number }[] = [];
        const places = Array.from({ length: cursors }, () => 0); // the last is never ahead of another
        let time = 0;
        for (const [what, a, b] of course) {
          if (what === 'append') {
            for (let i = 0; i < b; i++) {
              time += a;
              ring.append(time, list.length);
              list.push({ time, slot: list.length });
            }
            expect(ring.newest).toBe(time);
          } else if (what === 'sweep') {
            for (let c = 0; c < cursors; c++) {
              const cutoff = time - a - b * c, dirty = new DirtyKeys(), passed: number[] = [];
              ring.sweep(c, cutoff, dirty);
              for (; places[c]! < list.length && list[places[c]!]!.time <= cutoff; places[c]!++) passed.push(list[places[c]!]!.slot);
              expect([...dirty.snapshot()]).toEqual(passed);
            }
          } else {
            ring.clear();
            places.fill(list.length);
            expect(ring.newest).toBe(-Infinity);
          }
          places.forEach((place, c) => {
            expect(ring.at(c)).toBe(list[place]?.time ?? Infinity);
          });
        }
      }),
      { numRuns: 80 },
    );
  });

  test('what a burst took is given back, and the usual ring takes turns between a few chunks', () => {
    const ring = new BoundaryRing(2), dirty = new DirtyKeys(), { bytes } = ring;
    for (let i = 0; i < 100_000; i++) ring.append(i, 0);
    expect(ring.bytes).toBeGreaterThan(100 * bytes);
    for (let i = 100_000; i < 105_000; i++) {
      ring.sweep(0, i - 1, dirty);
      ring.sweep(1, i - 2, dirty);
      ring.append(i, 0);
      expect(ring.bytes).toBeLessThanOrEqual(10 * bytes);
    }
  });
});
