import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { DirtyKeys } from '../../src/keys/dirtyKeys.ts';
import { rangeEdge, slidingEdge, union, type LowerEdge } from '../../src/time/lowerEdge.ts';
import type { BoundaryHeap } from '../../src/windows/boundaryHeap.ts';
import type { BoundaryRing } from '../../src/windows/boundaryRing.ts';
import { Boundaries } from '../../src/windows/boundaries.ts';

/** Runs in steps, as a calendar edge does: neither within the ranges nor around them. */
const steps: LowerEdge = {
  text: 'steps',
  longest: 25,
  lower: (frontier) => Math.floor(frontier / 10) * 10 - 5,
  leavesAt: (time) => Math.ceil((time + 5) / 10) * 10,
};
/** A window of 20 every 6: events enter and leave it in steps. */
const sliding = slidingEdge(20, 6);
const enters: LowerEdge = { text: 'enters', longest: 6, lower: sliding.upper.upper, leavesAt: sliding.upper.entersAt };
const edgeSets: readonly (readonly LowerEdge[])[] = [[], [rangeEdge(7)], [rangeEdge(7), rangeEdge(20)], [rangeEdge(7), steps, union([rangeEdge(7), steps])], [enters, sliding], [enters, rangeEdge(7), sliding, union([rangeEdge(7), sliding])]];

describe('Boundaries', () => {
  test.each([0, 1, 2, 3, 4, 5])('equals a list of all instants at which an event enters or leaves: set %i of edges', (which) => {
    const edges = edgeSets[which]!;
    const step = fc.oneof({ weight: 5, arbitrary: fc.tuple(fc.constant('add' as const), fc.integer({ min: -25, max: 0 })) }, { weight: 2, arbitrary: fc.tuple(fc.constant('advance' as const), fc.nat(9)) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 80, maxLength: 120, size: 'max' }), (course) => {
        const dirty = new DirtyKeys(), boundaries = new Boundaries(edges, dirty);
        const cutoffs = Float64Array.from(edges, (edge) => edge.lower(0));
        let frontier = 0, slots = 0;
        const events: { time: number; slot: number }[] = [];
        const dues = ({ time }: { time: number }): number[] => edges.map((edge) => edge.leavesAt(time));
        for (const [what, amount] of course) {
          if (what === 'add') {
            const time = frontier + amount;
            if (time <= (cutoffs.at(-1) ?? frontier)) continue; // in no window: no boundary
            events.push({ time, slot: slots });
            dirty.mark(slots); // as whoever lets an event in does
            boundaries.add(time, slots++, cutoffs);
          } else {
            const before = frontier, late = new Set(dirty.snapshot());
            frontier += amount;
            edges.forEach((edge, l) => (cutoffs[l] = edge.lower(frontier)));
            boundaries.sweep(cutoffs);
            const due = events.filter(({ time, slot }) => late.has(slot) || dues({ time }).some((instant) => instant > before && instant <= frontier));
            expect([...dirty.snapshot()].sort((a, b) => a - b)).toEqual(due.map(({ slot }) => slot));
            dirty.clear();
          }
          if (dirty.count === 0) expect(boundaries.next()).toBe(Math.min(Infinity, ...events.flatMap(dues).filter((instant) => instant > frontier)));
        }
        boundaries.clear();
        expect(boundaries.next()).toBe(Infinity);
      }),
      { numRuns: 120 },
    );
  });

  test('events in order need no heap, and those of one key at one instant one place', () => {
    const edges = [rangeEdge(1000)], dirty = new DirtyKeys(), boundaries = new Boundaries(edges, dirty);
    const append = vi.spyOn((boundaries as unknown as { ring: BoundaryRing }).ring, 'append');
    for (let i = 0; i < 500; i++) boundaries.add(i >> 2, i >> 1, Float64Array.of(-1001));
    expect((boundaries as unknown as { late: BoundaryHeap }).late.size).toBe(0);
    expect(append).toHaveBeenCalledTimes(250);
  });
});
