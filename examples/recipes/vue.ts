import type { Observable, Subscription } from 'rxjs';
import { getCurrentInstance, onMounted, onScopeDispose, shallowRef, type ShallowRef } from 'vue';

/** What a stream gave last, and what it failed with, if it did. */
export interface Latest<T> {
  readonly value: Readonly<ShallowRef<T>>;
  readonly failure: Readonly<ShallowRef<unknown>>;
}

/**
 * Subscribes to a stream for as long as the component, or the `effectScope`, that asks.
 *
 * The reference is shallow: a table is replaced, never changed, so Vue has no need to look into its rows. On a server no
 * component is ever unmounted; none is mounted either, and so nothing is subscribed to.
 *
 * @example const { value: table } = useLatest<RevenueTable>(revenueByRegion(purchases$), new Map());
 */
export function useLatest<T>(source$: Observable<T>, initial: T): Latest<T> {
  const value = shallowRef(initial), failure = shallowRef<unknown>();
  let subscription: Subscription | undefined;
  const subscribe = (): void => {
    subscription = source$.subscribe({
      next: (latest) => (value.value = latest),
      error: (error: unknown) => (failure.value = error),
    });
  };

  onScopeDispose(() => subscription?.unsubscribe());
  if (getCurrentInstance()) onMounted(subscribe);
  else subscribe();
  return { value, failure };
}
