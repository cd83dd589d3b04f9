import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp, createSSRApp, effectScope, h, isReactive, KeepAlive, nextTick, ref, watch, type Component } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { revenueByRegion, type RevenueTable } from '../../../examples/recipes/revenue.ts';
import { useLatest, type Latest } from '../../../examples/recipes/vue.ts';
import { frame, Purchases } from './purchases.ts';

let purchases: Purchases;
/** What Vue has to say. */
const warnings = vi.spyOn(console, 'warn');
const latest = (): Latest<RevenueTable> => useLatest<RevenueTable>(revenueByRegion(purchases.purchases$), new Map());

beforeEach(() => {
  warnings.mockReset();
  purchases = new Purchases();
});
afterEach(() => {
  expect(purchases.open).toBe(0);
  expect(warnings.mock.calls).toEqual([]);
});

const RevenueList: Component = {
  setup() {
    const { value: table, failure } = latest();
    return () => h('p', failure.value instanceof Error ? failure.value.message : Array.from(table.value.values(), ({ region, revenue }) => `${region}: ${String(revenue)}`).join(', '));
  },
};

test('a component shows the newest rows, and unsubscribes when it goes', async () => {
  const place = document.createElement('main');
  const shown = ref(true);
  const app = createApp({ render: () => (shown.value ? h(RevenueList) : h('p', 'nothing')) });
  app.mount(place);
  purchases.buy('eu', 20);
  purchases.buy('us', 7);
  await frame();
  expect(place.textContent).toBe('eu: 20, us: 7');
  expect([purchases.began, purchases.open]).toEqual([1, 1]);

  shown.value = false;
  await nextTick();
  expect(purchases.open).toBe(0);
  shown.value = true;
  await nextTick();
  expect([purchases.began, purchases.open]).toEqual([2, 1]);
  app.unmount();
});

test('a component that is kept alive goes on while it is not seen', async () => {
  const place = document.createElement('main');
  const shown = ref(true);
  const app = createApp({ render: () => h(KeepAlive, null, () => (shown.value ? h(RevenueList) : undefined)) });
  app.mount(place);
  shown.value = false;
  await nextTick();
  purchases.buy('eu', 20);
  await frame();
  shown.value = true;
  await nextTick();
  expect(place.textContent).toBe('eu: 20');
  expect(purchases.began).toBe(1);
  app.unmount();
});

test('the table is the same until something changes, and Vue leaves its rows as they are', async () => {
  const scope = effectScope();
  const changes: RevenueTable[] = [];
  const { value: table } = scope.run(() => {
    const held = latest();
    watch(held.value, (value) => changes.push(value), { flush: 'sync' });
    return held;
  })!;
  purchases.buy('eu', 20);
  purchases.buy('eu', 1);
  await frame();
  await frame();

  expect(changes).toEqual([table.value]);
  expect(isReactive(table.value)).toBe(false);
  expect(isReactive(table.value.get('eu'))).toBe(false);
  scope.stop();
});

test('what the stream fails with is shown beside the last table', async () => {
  const place = document.createElement('main');
  const app = createApp(RevenueList);
  app.mount(place);
  purchases.fail(new Error('the line is dead'));
  await nextTick();
  expect(place.textContent).toBe('the line is dead');
  app.unmount();
});

test('a server subscribes to nothing', async () => {
  expect(await renderToString(createSSRApp(RevenueList))).toBe('<p></p>');
  expect(purchases.began).toBe(0);
});
