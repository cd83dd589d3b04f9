import { fromEvent, map, switchMap, startWith, filter, type Observable } from 'rxjs';

/** How long, in milliseconds, the page that was here before may take to let go. */
const PATIENCE = 1000;

/**
 * Whether this tab is the one that keeps the saved state: of several, the first. Again after each return from the
 * back-forward cache.
 *
 * It lets go as the page is left: one in the back-forward cache should not hold the state against a tab that is seen, and
 * some browsers take no page into the cache that holds a lock.
 */
export function ownership(name: string): Observable<boolean> {
  return fromEvent<PageTransitionEvent>(window, 'pageshow').pipe(
    filter(({ persisted }) => persisted),
    map(() => undefined),
    startWith(undefined),
    switchMap(() => claim(name)),
  );
}

function claim(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const held = async (): Promise<void> => {
      resolve(true);
      await new Promise((release) => addEventListener('pagehide', release, { once: true }));
    };
    // Refused, or nobody let go in time: another tab has it.
    navigator.locks.request(name, { signal: AbortSignal.timeout(PATIENCE) }, held).catch(() => resolve(false));
  });
}
