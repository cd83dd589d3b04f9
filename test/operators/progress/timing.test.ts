import { describe, expect, it } from 'vitest';
import { Timing } from '../../../operators/progress/timing.ts';

/** How many evaluations lie from one that is timed to the next, where these are so many milliseconds apart. */
function strides(gaps: readonly number[]): number[] {
  const timing = new Timing(1), found: number[] = [];
  let at = 1000, last = -1;
  gaps.forEach((gap, i) => {
    at += gap;
    if (i < timing.next) return;
    timing.begin(0);
    timing.learn(timing.stop(1), at, i);
    found.push(i - last);
    last = i;
  });
  return found;
}

describe('which evaluations are timed', () => {
  it('are all, where there is one in a millisecond, or fewer', () => {
    expect(strides(Array<number>(50).fill(1))).toEqual(Array(50).fill(1));
    expect(strides(Array<number>(50).fill(20))).toEqual(Array(50).fill(1));
  });

  it('are about one of fifty where they come faster, and by no rhythm', () => {
    for (const gap of [0, 0.01, 0.1, 0.5]) {
      const found = strides(Array<number>(10_000).fill(gap)).slice(2);
      expect(found.length).toBeGreaterThan(10_000 / 55);
      expect(Math.min(...found)).toBeGreaterThanOrEqual(40);
      expect(Math.max(...found)).toBeLessThanOrEqual(55);
      expect(new Set(found).size).toBe(16);
      expect(new Set(found.map((_, i) => found.slice(i, i + 3).join())).size).toBeGreaterThan(20);
    }
  });

  it('are all again when they come slowly, and where the clock goes back', () => {
    expect(strides([...Array<number>(60).fill(0), ...Array<number>(60).fill(5)]).slice(-15)).toEqual(Array(15).fill(1));
    expect(strides([0, -5, -5, -5, -5])).toEqual([1, 1, 1, 1, 1]);
  });

  it('take nothing where the stopwatch goes back', () => {
    const timing = new Timing(1);
    timing.begin(5);
    expect(timing.isRunning).toBe(true);
    expect(timing.stop(3)).toBe(0);
    expect(timing.isRunning).toBe(false);
  });
});
