import { describe, expect, test } from 'vitest';
import { Demand, HeldByKey } from '../../src/windows/heldByKey.ts';

describe('HeldByKey', () => {
  /** Positions are places in a list of times. */
  const open = (times: readonly number[]): HeldByKey => new HeldByKey((position) => times[position]!);
  const times = [5, 7, 6, 5, 9];

  test('keeps the positions of a key in order of time, and of arrival where times are equal', () => {
    const index = open(times);
    times.forEach((time, position) => index.add(1, position, time));
    index.add(40, 0, 5);

    expect(index.of(1)).toEqual([0, 3, 2, 1, 4]);
    expect([index.nextOf(1), index.nextOf(40), index.nextOf(2)]).toEqual([5, 5, Infinity]);
    index.shift(1, 2);
    expect(index.of(1)).toEqual([2, 1, 4]);
    expect(index.nextOf(1)).toBe(6);
    index.shift(1, 3);
    expect(index.nextOf(1)).toBe(Infinity);
    index.add(1, 4, 9);
    expect(index.of(1)).toEqual([4]);
  });

  test('gives a list that stays as it is', () => {
    const index = open(times);
    index.add(0, 0, 5);
    const given = index.of(0);
    index.add(0, 1, 7);
    expect(given).toEqual([0]);
  });

  test('follows an event to another place, and knows nothing of one whose key was dropped', () => {
    const index = open(times);
    index.add(0, 0, 5);
    index.add(0, 1, 7);
    index.move(0, 1, 4);
    expect(index.of(0)).toEqual([0, 4]);
    index.drop(0);
    index.move(0, 4, 3);
    expect(index.nextOf(0)).toBe(Infinity);
    index.add(0, 2, 6);
    index.move(0, 4, 3);
    expect(index.of(0)).toEqual([2]);
  });

  test('forgets what has gone', () => {
    const long = Array.from({ length: 10_000 }, (_, i) => i), index = open(long);
    for (const position of long) {
      index.add(0, position, position);
      if (position >= 100) index.shift(0, 1);
    }
    expect(index.of(0)).toEqual(long.slice(-100));
    expect(index.bytes).toBeLessThan(5000);
  });
});

describe('the demand for an index', () => {
  test('is there from the second question on within as many arrivals as are held, and ends after many without one', () => {
    const demand = new Demand();
    expect(demand.ask(1000, 500)).toBe(false);
    expect(demand.ask(2000, 500)).toBe(false);
    expect(demand.ask(2500, 500)).toBe(true);
    expect(demand.hasEnded(4500, 500)).toBe(false);
    expect(demand.hasEnded(5000, 500)).toBe(true);
  });
});
