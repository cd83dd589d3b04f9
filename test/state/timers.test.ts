import { describe, expect, it } from 'vitest';
import { Queue } from '../../src/state/queue.ts';
import { Timers } from '../../src/state/timers.ts';

const namesOf = (timers: Timers): string[] => {
  const names: string[] = [];
  while (timers.next() < Infinity) names.push(timers.take().name);
  return names;
};

describe('timers', () => {
  it('come by time, then by key in the order in which keys came, then by name', () => {
    const timers = new Timers();
    timers.set(0, 9, 'late key', 5);
    timers.set(1, 2, 'b', 5);
    timers.set(1, 2, 'a', 5);
    timers.set(0, 9, 'first', 4);

    expect(namesOf(timers)).toEqual(['first', 'a', 'b', 'late key']);
    expect(timers.size).toBe(0);
  });

  it('of a dropped key never come, also where its slot is another key’s by now', () => {
    const timers = new Timers();
    timers.set(0, 1, 'same name', 5);
    timers.drop(0);
    timers.set(0, 2, 'same name', 7);

    expect(timers.next()).toBe(7);
    expect(namesOf(timers)).toEqual(['same name']);
  });

  it('take no memory when they are moved again and again, or their keys dropped', () => {
    const timers = new Timers(), { queue } = timers as unknown as { queue: { size: number } };
    for (let i = 0; i < 10_000; i++) timers.set(0, 0, '', 1_000_000 + i);
    expect(queue.size).toBeLessThan(100);

    for (let i = 0; i < 10_000; i++) {
      timers.set(1, i, '', 1_000_000 + i);
      timers.drop(1);
    }
    expect(queue.size).toBeLessThan(100);
    expect(timers.size).toBe(1);
  });
});

it('a queue may keep more than fit on a stack', () => {
  const queue = new Queue<number>((a, b) => a < b), many = 1_000_000;
  for (let i = 0; i < many; i++) queue.push(many - i);
  queue.keep((item) => item > 3);

  expect(queue.size).toBe(many - 3);
  expect([queue.pop(), queue.pop(), queue.pop()]).toEqual([4, 5, 6]);
});
