import { useSyncExternalStore } from 'react';
import { share, tap, timer, type Observable } from 'rxjs';
import type { RevenueTable } from './revenue.ts';

/** A stream as React reads it. */
export interface Store<T> {
  /** Calls back at each change, until what it returns is called. */
  readonly subscribe: (changed: () => void) => () => void;
  /** The last value: the same one until the next. Throws what the stream failed with, for an error boundary to show. */
  readonly getSnapshot: () => T;
  /** What a server renders, and what a page hydrates with. */
  readonly getServerSnapshot: () => T;
}

/**
 * Subscribes to a stream once while any component looks, however many do.
 *
 * StrictMode, and a change from one page to another, unsubscribe and subscribe again at once: for a second the windows
 * wait with all that they hold. Then the stream is unsubscribed, and who comes later begins with `initial` again.
 */
export function storeOf<T>(source$: Observable<T>, initial: T): Store<T> {
  const getServerSnapshot = (): T => initial;
  let getSnapshot = getServerSnapshot;
  const values$ = source$.pipe(
    tap({
      next: (value) => (getSnapshot = () => value),
      error: (error: unknown) => {
        getSnapshot = () => {
          throw error;
        };
      },
      unsubscribe: () => (getSnapshot = getServerSnapshot),
    }),
    share({ resetOnRefCountZero: () => timer(1000), resetOnError: false, resetOnComplete: false }),
  );

  return {
    subscribe(changed) {
      const subscription = values$.subscribe({ next: changed, error: changed });
      return () => subscription.unsubscribe();
    },
    getSnapshot: () => getSnapshot(),
    getServerSnapshot,
  };
}

/** `const store = storeOf<RevenueTable>(revenueByRegion(purchases$), new Map())` is made once, outside of any component. */
export function RevenueByRegion({ store }: { readonly store: Store<RevenueTable> }) {
  const table = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getServerSnapshot);
  return (
    <ul>
      {Array.from(table.values(), ({ region, revenue, purchases }) => (
        <li key={region}>
          {region}: {revenue} from {purchases}
        </li>
      ))}
    </ul>
  );
}
