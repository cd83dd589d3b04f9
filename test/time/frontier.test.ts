import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkReading, Frontier } from '../../src/time/frontier.ts';
import { nextDown } from '../../src/time/lowerEdge.ts';

const reading = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.double({ min: -1e13, max: 1e13, noNaN: true }), fc.constant(-Infinity));
const delay = fc.oneof(fc.constantFrom(0, 0.1, 1 / 3, 10_000), fc.double({ min: 0, max: 1e9, noNaN: true }));

describe('Frontier', () => {
  test('is the largest reading it advanced to, less the delay', () => {
    fc.assert(
      fc.property(delay, fc.array(fc.tuple(fc.boolean(), reading), { maxLength: 30 }), (length, course) => {
        const frontier = new Frontier(length);
        let largest = -Infinity, last = -Infinity, back = 0;
        for (const [advances, now] of course) {
          if (now < last) back++;
          last = now;
          const there = frontier.at(now);
          if (advances) {
            frontier.advance(now);
            largest = Math.max(largest, now - length);
            expect(frontier.value).toBe(there);
          } else frontier.read(now);
          expect([frontier.value, frontier.reading, frontier.regressions]).toEqual([largest, last, back]);
        }
      }),
    );
  });

  test('tells the first reading that reaches an instant', () => {
    fc.assert(
      fc.property(delay, fc.double({ min: -1e13, max: 1e13, noNaN: true }), (length, instant) => {
        const frontier = new Frontier(length), first = frontier.readingFor(instant);
        expect(frontier.at(first)).toBeGreaterThanOrEqual(instant);
        expect(frontier.at(nextDown(first))).toBeLessThan(instant);
      }),
    );
  });

  test.each([NaN, Infinity, undefined, 'now', {}])('%o is no reading', (now) => {
    expect(() => checkReading(now as number)).toThrow(expect.objectContaining({ code: 'invalid-clock' }));
  });

  test.each([-Infinity, -1, 0, 1.5])('%d is one', (now) => {
    expect(() => checkReading(now)).not.toThrow();
  });
});
