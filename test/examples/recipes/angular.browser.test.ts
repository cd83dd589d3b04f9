import { computed, Injector, type DestroyableInjector, runInInjectionContext, type Signal } from '@angular/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { injectRevenue } from '../../../examples/recipes/angular.ts';
import type { RevenueTable } from '../../../examples/recipes/revenue.ts';
import { frame, Purchases } from './purchases.ts';

let purchases: Purchases, injector: DestroyableInjector, table: Signal<RevenueTable>;

beforeEach(() => {
  purchases = new Purchases();
  injector = Injector.create({ providers: [] });
  table = runInInjectionContext(injector, () => injectRevenue(purchases.purchases$));
});
afterEach(() => {
  injector.destroy();
  expect(purchases.open).toBe(0);
});

test('a signal of the newest rows', async () => {
  expect(table().size).toBe(0);
  purchases.buy('eu', 20);
  purchases.buy('us', 7);
  await frame();

  expect(Array.from(table().values(), ({ region, revenue }) => [region, revenue])).toEqual([['eu', 20], ['us', 7]]);
  expect([purchases.began, purchases.open]).toEqual([1, 1]);
});

test('is the same until something changes, so that nothing is computed anew', async () => {
  let times = 0;
  const regions = computed(() => {
    times += 1;
    return [...table().keys()];
  });
  purchases.buy('eu', 20);
  purchases.buy('eu', 1);
  await frame();
  expect(regions()).toEqual(['eu']);
  const before = table();
  await frame();
  expect(table()).toBe(before);
  expect(regions()).toEqual(['eu']);
  expect(times).toBe(1);
});

test('ends with the injector that it was made in', () => {
  expect(purchases.open).toBe(1);
  const inner = Injector.create({ providers: [], parent: injector });
  runInInjectionContext(inner, () => injectRevenue(purchases.purchases$));
  expect(purchases.open).toBe(2);
  inner.destroy();
  expect(purchases.open).toBe(1);
});

test('throws what the stream failed with, where it is read', () => {
  purchases.fail(new Error('the line is dead'));
  expect(() => table()).toThrow('the line is dead');
});
