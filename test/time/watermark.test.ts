import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Watermark } from '../../src/time/watermark.ts';

type Step = readonly [what: 'observe' | 'advance' | 'restore', reading: number, time: number];
const steps = fc.array(
  fc.tuple(fc.constantFrom('observe', 'observe', 'observe', 'observe', 'advance', 'restore'), fc.integer({ min: -2, max: 4 }), fc.integer({ min: -8, max: 8 })),
  { minLength: 40, maxLength: 60, size: 'max' },
) as fc.Arbitrary<Step[]>;

describe('Watermark', () => {
  test('equals the largest time of all arrivals before the reading, less the delay, whatever the clock does', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(0, 5), (course, delay) => {
        let watermark = new Watermark(delay);
        let arrivals: { reading: number; time: number }[] = [];
        let now = 0, value = -Infinity;
        for (const [what, step, offset] of course) {
          now += step;
          if (what === 'observe') {
            watermark.observe(now + offset, now);
            arrivals.push({ reading: now, time: now + offset });
          } else if (what === 'advance') {
            watermark.advance(now);
            for (const { reading, time } of arrivals) if (reading < now) value = Math.max(value, time - delay);
            arrivals = arrivals.filter(({ reading }) => reading >= now);
          } else {
            const saved = structuredClone(watermark.snapshot());
            watermark = new Watermark(delay);
            watermark.restore(saved);
          }
          expect(watermark.value).toBe(value);
          expect(watermark.pending).toBe(arrivals.some(({ time }) => time - delay > value));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('keeps what raises the maximum, once per reading', () => {
    const watermark = new Watermark(0);
    for (const [reading, time] of [[1, 5], [1, 7], [1, 6], [2, 7], [3, 9], [2, 8], [2, 20]] as const) watermark.observe(time, reading);
    expect(watermark.snapshot()).toEqual({ value: -Infinity, readings: [1, 2], peaks: [7, 20] });
  });

  test('a snapshot is not touched by what comes later', () => {
    const watermark = new Watermark(0);
    watermark.observe(5, 1);
    const saved = watermark.snapshot();
    watermark.observe(9, 2);
    expect(saved).toEqual({ value: -Infinity, readings: [1], peaks: [5] });
  });
});
