import { act, Component, createElement, StrictMode, type ReactNode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server.browser';
import { defer, of, throwError } from 'rxjs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RevenueByRegion, storeOf, type Store } from '../../../examples/recipes/react.tsx';
import { revenueByRegion, type RevenueTable } from '../../../examples/recipes/revenue.ts';
import { Purchases } from './purchases.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let purchases: Purchases, store: Store<RevenueTable>, root: Root, place: HTMLElement;
/** What React has to say: of snapshots that are never the same, of updates without end, of markup that does not fit. */
const complaints = vi.spyOn(console, 'error');
const strict = (...children: ReactNode[]): ReactNode => createElement(StrictMode, null, ...children);
const list = (): ReactNode => createElement(RevenueByRegion, { store });
const shown = (): string[] => Array.from(place.querySelectorAll('li'), ({ textContent }) => textContent);
const doing = (action: () => void): Promise<void> => act(() => Promise.resolve().then(action));
const render = (...children: ReactNode[]): Promise<void> => doing(() => root.render(strict(...children)));
const unmount = (): Promise<void> => doing(() => root.unmount());
const frame = (): Promise<void> => act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));

beforeEach(() => {
  complaints.mockReset();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }); // those that RxJS takes, and no frames
  purchases = new Purchases();
  store = storeOf<RevenueTable>(revenueByRegion(purchases.purchases$), new Map());
  place = document.body.appendChild(document.createElement('main'));
  root = createRoot(place, { onCaughtError: () => undefined });
});
afterEach(async () => {
  await unmount();
  vi.advanceTimersByTime(1000);
  expect(purchases.open).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  expect(complaints.mock.calls).toEqual([]);
  place.remove();
  vi.useRealTimers();
});

test('a table of the newest rows, under StrictMode and twice on a page, from one subscription', async () => {
  await render(list(), createElement(RevenueByRegion, { store, key: 2 }));
  purchases.buy('eu', 20);
  purchases.buy('us', 7);
  await frame();

  expect(shown()).toEqual(['eu: 20 from 1', 'us: 7 from 1', 'eu: 20 from 1', 'us: 7 from 1']);
  purchases.buy('eu', 30);
  await frame();
  expect(shown().slice(0, 2)).toEqual(['eu: 50 from 2', 'us: 7 from 1']);
  expect([purchases.began, purchases.open]).toEqual([1, 1]);
});

test('the snapshot is the same until something changes', async () => {
  const { getSnapshot, getServerSnapshot } = store;
  expect(getSnapshot()).toBe(getServerSnapshot());
  await render(list());
  purchases.buy('eu', 20);
  await frame();

  const before = getSnapshot();
  expect(before).not.toBe(getServerSnapshot());
  await frame();
  expect(getSnapshot()).toBe(before);
  purchases.buy('eu', 0);
  await frame();
  expect(getSnapshot()).not.toBe(before);
  expect(before.get('eu')).toMatchObject({ revenue: 20, purchases: 1 });
});

test('who comes back within a second finds its windows, later an empty table', async () => {
  await render(list());
  purchases.buy('eu', 20);
  await frame();
  await render();
  vi.advanceTimersByTime(999);
  purchases.buy('eu', 1);
  await render(list());
  await frame();
  expect(shown()).toEqual(['eu: 21 from 2']);
  vi.advanceTimersByTime(5000);
  expect(purchases.open).toBe(1);

  await render();
  vi.advanceTimersByTime(1000);
  expect(purchases.open).toBe(0);
  await render(list());
  expect(shown()).toEqual([]);
});

test('what a server rendered is taken up', async () => {
  await unmount();
  place.innerHTML = renderToString(strict(list()));
  expect(purchases.began).toBe(0);
  root = await act(() => hydrateRoot(place, strict(list())));
  purchases.buy('eu', 20);
  await frame();
  expect(shown()).toEqual(['eu: 20 from 1']);
});

test('what the stream fails with reaches the error boundary', async () => {
  const caught = vi.fn();
  await unmount();
  root = createRoot(place, { onCaughtError: caught });
  await render(createElement(Boundary, null, list()));
  await doing(() => purchases.fail(new Error('the line is dead')));

  expect(place.textContent).toBe('Error: the line is dead');
  expect(caught).toHaveBeenCalledOnce();
});

test('a stream that has failed, or is complete, is not begun again', async () => {
  for (const end$ of [throwError(() => new Error('no line')), of(new Map([['eu', { region: 'eu', revenue: 1, purchases: 1 }]]))]) {
    let began = 0;
    store = storeOf<RevenueTable>(defer(() => (began++, end$)), new Map());
    await render(createElement(Boundary, { key: String(began) }, list()));
    expect(place.textContent).toMatch(/^(Error: no line|eu: 1 from 1)$/);
    await render();
    vi.advanceTimersByTime(1000);
    await render(createElement(Boundary, null, list()));
    expect(place.textContent).toMatch(/^(Error: no line|eu: 1 from 1)$/);
    expect(began).toBe(1);
  }
});

class Boundary extends Component<{ readonly children?: ReactNode }, { readonly error?: unknown }> {
  override readonly state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    return 'error' in this.state ? String(this.state.error) : this.props.children;
  }
}
