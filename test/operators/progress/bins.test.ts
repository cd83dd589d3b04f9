import { array, assert, double, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bins } from '../../../operators/progress/bins.ts';

const latency = double({ min: 1e-9, max: 1e9, noNaN: true });

describe('Bins', () => {
  it('finds ranks within 1 %, never beyond what was there, and begins anew', () => {
    const bins = new Bins();
    assert(
      property(array(record({ ms: latency, count: integer({ min: 1, max: 5 }) }), { minLength: 1, maxLength: 40 }), integer({ min: 0, max: 3 }), (added, before) => {
        for (const { ms, count } of added) bins.add(ms, count);
        const rising = added.flatMap(({ ms, count }) => Array<number>(count).fill(ms)).toSorted((a, b) => a - b);
        expect([bins.count, bins.min, bins.max]).toEqual([rising.length, rising[0], rising.at(-1)]);
        const all = [...Array<number>(before).fill(0), ...rising];
        const found = bins.atRanks(all.map((_, i) => i + 1), before);
        for (const [i, value] of found.entries()) {
          expect(Math.abs(value - all[i]!)).toBeLessThanOrEqual(all[i]! * 0.01);
          expect(value).toBeGreaterThanOrEqual(i < before ? 0 : rising[0]!);
          expect(value).toBeLessThanOrEqual(rising.at(-1)!);
        }
        bins.clear();
        expect(bins.count).toBe(0);
      }),
    );
  });

  it('has room for whatever a clock can say', () => {
    const bins = new Bins();
    for (const ms of [1e-9, 1, 1e300]) bins.add(ms, 1);
    expect(bins.atRanks([1, 2, 3], 0).map((ms) => Math.log10(ms)).map((log) => Math.round(log * 100) / 100)).toEqual([-9, 0, 300]);
  });
});
