import { fromEvent, merge, type BehaviorSubject, type Observable } from 'rxjs';

/** The item of `localStorage` that remembers the choice. */
const REMEMBERED = 'dashboard theme';

/** The colours that were chosen before, put into the select before anyone reads it. */
export function recallTheme(select: HTMLSelectElement): void {
  select.value = localStorage.getItem(REMEMBERED) ?? 'system';
}

/** Light, dark, or as the system has it. Tells of each change of colours. */
export function theme(theme$: BehaviorSubject<string>): Observable<unknown> {
  theme$.subscribe((name) => {
    document.documentElement.dataset['theme'] = name;
    localStorage.setItem(REMEMBERED, name);
  });
  return merge(theme$, fromEvent(matchMedia('(prefers-color-scheme: dark)'), 'change'));
}
