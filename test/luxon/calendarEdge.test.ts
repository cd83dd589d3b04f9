import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calendarEdge, type CalendarWidth } from '../../operators/luxon/calendarEdge.ts';
import { checkEdgeLaw } from '../time/edgeLaw.ts';

const hour = 3_600_000;

/** A calendar made up for the test: these widths, each from its instant on. */
function steps(...changes: [from: number, width: number][]): CalendarWidth {
  const widths = changes.map(([, width]) => width);
  return {
    at: (instant) => changes.findLast(([from]) => from <= instant)?.[1] ?? 10 * hour,
    shortest: Math.min(10 * hour, ...widths),
    longest: Math.max(10 * hour, ...widths),
    average: 10 * hour,
  };
}

/** Some midnight of our days: near zero doubles are so dense that several frontiers round to one edge. */
const midnight = 20_000 * 24 * hour;

test('where the width grows, the edge waits at the place it would come back to', () => {
  const edge = calendarEdge('made up', steps([midnight, 12 * hour])); // just before, the window began at midnight - 10 h
  expect(edge.lower(midnight - 3 * hour)).toBe(midnight - 13 * hour);
  expect(edge.lower(midnight - 2 * hour)).toBe(midnight - 12 * hour);
  expect(edge.lower(midnight - hour)).toBe(midnight - 12 * hour);
  expect(edge.lower(midnight)).toBe(midnight - 12 * hour);
  expect(edge.lower(midnight + hour)).toBe(midnight - 11 * hour);
  expect(edge.leavesAt(midnight - 12 * hour)).toBe(midnight - 2 * hour);
  expect(edge.leavesAt(midnight - 12 * hour + 1)).toBe(midnight + 1);
});

test('where the width shrinks, the edge jumps ahead, and all that it jumps over leaves at once', () => {
  const edge = calendarEdge('made up', steps([midnight, 7 * hour]));
  expect(edge.lower(midnight - 1)).toBe(midnight - 10 * hour - 1);
  expect(edge.lower(midnight)).toBe(midnight - 7 * hour);
  expect(edge.leavesAt(midnight - 10 * hour)).toBe(midnight);
  expect(edge.leavesAt(midnight - 8 * hour)).toBe(midnight);
  expect(edge.leavesAt(midnight - 7 * hour)).toBe(midnight);
  expect(edge.leavesAt(midnight - 7 * hour + 1)).toBe(midnight + 1);
});

test('finds changes at any millisecond, several within an hour too', () => {
  const edge = calendarEdge('made up', steps([1_234_567, 9 * hour], [1_234_569, 8 * hour], [1_300_001, 7 * hour], [50 * hour + 7, 11 * hour]));
  expect(edge.lower(1_234_566)).toBe(1_234_566 - 10 * hour);
  expect(edge.lower(1_234_567)).toBe(1_234_567 - 9 * hour);
  expect(edge.lower(1_234_569)).toBe(1_234_569 - 8 * hour);
  expect(edge.lower(1_300_001)).toBe(1_300_001 - 7 * hour);
  expect(edge.lower(50 * hour)).toBe(39 * hour + 7);
});

test('the edge is a function of the frontier: what was asked before does not matter', () => {
  const width = steps([0, 12 * hour], [5 * hour, 9 * hour], [30 * hour, 14 * hour]);
  const asked = calendarEdge('made up', width);
  fc.assert(
    fc.property(fc.integer({ min: -3 * 86_400_000, max: 5 * 86_400_000 }), (frontier) => {
      expect(asked.lower(frontier)).toBe(calendarEdge('made up', width).lower(frontier));
    }),
  );
});

test('keeps the law of edges on any calendar', () => {
  const changes = fc.array(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 40 })), { maxLength: 8 });
  fc.assert(
    fc.property(changes, (drawn) => {
      const ordered = drawn.toSorted(([a], [b]) => a - b).map(([from, width]): [number, number] => [from * hour, (width * hour) / 2]);
      const instants = fc.oneof(fc.integer({ min: -50 * hour, max: 250 * hour }), fc.double({ min: -50 * hour, max: 250 * hour, noNaN: true }));
      checkEdgeLaw(calendarEdge('made up', steps(...ordered)), instants, 20);
    }),
    { numRuns: 100 },
  );
});

test('beyond the range of dates the length is the average; nowhere does the edge run back or become NaN', () => {
  for (const width of [steps(), { ...steps(), at: () => 12 * hour, longest: 12 * hour }, { ...steps(), at: () => 8 * hour, shortest: 8 * hour }, { ...steps(), longest: 1e20, average: 1e19 }]) {
    const edge = calendarEdge('made up', width);
    const seam = 8.64e15;
    const beyond = fc.oneof(fc.integer({ min: seam - 5 * 86_400_000, max: seam + 86_400_000 }), fc.double({ min: 8e15, max: 1e300, noNaN: true })).chain((instant) => fc.constantFrom(instant, -instant));
    checkEdgeLaw(edge, beyond);
    expect(edge.lower(-Infinity)).toBe(-Infinity);
    expect(edge.lower(1e17)).toBe(1e17 - width.average);
  }
});
