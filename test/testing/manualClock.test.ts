import { expect, it } from 'vitest';
import { manualClock } from '../../src/testing/index.ts';

it('stands still until it is moved, forwards or back', () => {
  const clock = manualClock(1000);
  expect(clock.now()).toBe(1000);
  clock.advanceBy(50);
  expect(clock.now()).toBe(1050);
  clock.moveTo(10);
  expect(clock.now()).toBe(10);
  expect(manualClock().now()).toBe(0);
});
