import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rangeEdge } from '../../src/time/lowerEdge.ts';
import { Horizon } from '../../src/windows/horizon.ts';

describe('Horizon', () => {
  test('tells what the edge itself would, whichever way the frontier is asked for', () => {
    const edge = rangeEdge(100_000);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: -200_000, max: 400_000 }), fc.integer({ min: -70_000, max: 70_000 })), { maxLength: 40, size: 'max' }), (asked) => {
        const horizon = new Horizon(edge);
        let frontier = 0;
        for (const [move, offset] of asked) {
          frontier += move / 10;
          const time = frontier - 100_000 + (offset % 7 === 0 ? 0 : offset);
          expect(horizon.isOutside(time, frontier)).toBe(time <= edge.lower(frontier));
        }
      }),
    );
  });

  test('looks at the edge once a minute for events that are young', () => {
    let looks = 0;
    const edge = rangeEdge(1000);
    const horizon = new Horizon({ ...edge, lower: (frontier) => (looks++, edge.lower(frontier)) });
    for (let frontier = 100_000; frontier < 220_000; frontier += 1000) expect(horizon.isOutside(frontier + 60_000, frontier)).toBe(false);
    expect(looks).toBeLessThanOrEqual(3);
  });

  test('without a bounded window everything is outside; before the first evaluation nothing is', () => {
    expect(new Horizon(undefined).isOutside(5, 5)).toBe(true);
    expect(new Horizon(rangeEdge(1)).isOutside(-1e15, -Infinity)).toBe(false);
  });
});
