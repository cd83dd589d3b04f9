import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeRuns } from '../../src/windows/mergeRuns.ts';

const runs = fc.array(fc.array(fc.oneof(fc.integer({ min: -3, max: 9 }), fc.double({ noNaN: true })), { maxLength: 9, size: 'max' }), { maxLength: 20, size: 'max' });

test('instants are in order of time, and those of one time stay in theirs', () => {
  const check = (drawn: number[][]): void => {
    const times = drawn.flatMap((run) => run.sort((a, b) => a - b)), slots = times.map((_, i) => i);
    const merged = mergeRuns({ times: Float64Array.from(times), slots: Int32Array.from(slots) });
    slots.sort((a, b) => times[a]! - times[b]! || a - b);
    expect([...merged.slots]).toEqual(slots);
    expect([...merged.times]).toEqual(slots.map((slot) => times[slot]));
  };
  fc.assert(fc.property(runs, check), { numRuns: 500 });
});
