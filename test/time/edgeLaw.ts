import fc from 'fast-check';
import { expect } from 'vitest';
import { nextDown, type LowerEdge } from '../../src/time/lowerEdge.ts';

/**
 * The law of LowerEdge, at instants that are worth trying: `lower` never falls while the frontier rises, and
 * `leavesAt(t)` is the smallest frontier with `t <= lower(frontier)`.
 */
export function checkEdgeLaw(edge: LowerEdge, instants: fc.Arbitrary<number>, numRuns = 200): void {
  const steps = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 3 * 86_400_000 }));
  fc.assert(
    fc.property(instants, steps, (instant, step) => {
      const lower = edge.lower(instant);
      expect(lower, `${edge.text}: lower(${instant})`).not.toBeNaN();
      expect(lower).toBeLessThanOrEqual(instant);
      expect(edge.lower(nextDown(instant)), `${edge.text} runs back just before ${instant}`).toBeLessThanOrEqual(lower);
      expect(edge.lower(instant + step), `${edge.text} runs back after ${instant}`).toBeGreaterThanOrEqual(lower);

      for (const time of [instant, lower]) {
        const leaves = edge.leavesAt(time);
        expect(edge.lower(leaves), `${edge.text}: leavesAt(${time}) is too early`).toBeGreaterThanOrEqual(time);
        expect(edge.lower(nextDown(leaves)), `${edge.text}: leavesAt(${time}) is too late`).toBeLessThan(time);
      }
    }),
    { numRuns },
  );
}
