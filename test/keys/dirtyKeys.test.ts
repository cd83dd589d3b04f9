import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DirtyKeys } from '../../src/keys/dirtyKeys.ts';

describe('DirtyKeys', () => {
  test('holds each marked key once, in order, until it is cleared', () => {
    const steps = fc.array(fc.oneof({ weight: 12, arbitrary: fc.nat(300) }, { weight: 1, arbitrary: fc.constant('clear' as const) }), { minLength: 150, maxLength: 250, size: 'max' });
    fc.assert(
      fc.property(steps, (course) => {
        const dirty = new DirtyKeys();
        let expected: number[] = [];
        for (const step of course) {
          if (step === 'clear') {
            dirty.clear();
            expected = [];
          } else {
            dirty.mark(step);
            if (!expected.includes(step)) expected.push(step);
            expect(dirty.has(step)).toBe(true);
          }
          expect([...dirty.slots.subarray(0, dirty.count)]).toEqual(expected);
        }
        for (let slot = 0; slot <= 301; slot++) expect(dirty.has(slot)).toBe(expected.includes(slot));
      }),
      { numRuns: 50 },
    );
  });

  test('at rest it is the list of its keys', () => {
    const dirty = new DirtyKeys(), restored = new DirtyKeys();
    for (const slot of [3, 100, 0, 3]) dirty.mark(slot);
    restored.mark(7);
    restored.restore(dirty.snapshot());
    expect([...restored.snapshot()]).toEqual([3, 100, 0]);
    expect(restored.has(7)).toBe(false);
  });
});
