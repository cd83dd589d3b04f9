import { fromEvent, map, startWith, type Observable } from 'rxjs';
import type { Kind } from '../measurement.ts';
import { currentRoute } from '../sources/route.ts';

/** What the lists are of: the page itself, or the flights. */
export type View = 'page' | 'flights';

/** The view that the address names. */
export const view$: Observable<View> = fromEvent(window, 'hashchange').pipe(
  startWith(undefined),
  map(() => (currentRoute() === '/flights' ? 'flights' : 'page')),
);

export const belongsTo = (view: View, kind: Kind): boolean => (kind === 'flight') === (view === 'flights');

/** Marks the link of the view that is shown. */
export function markLink(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a')) {
    if (link.hash === `#${currentRoute()}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}
