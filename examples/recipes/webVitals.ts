import { Observable, ReplaySubject, share, tap } from 'rxjs';
import { approxPercentile, count, createEngine, preceding, range, rollingWindow, SnapshotError, type Engine } from 'rxjs-rolling-window';
import { onCLS, onINP, onLCP, type MetricType } from 'web-vitals';

export interface Score {
  readonly name: string;
  readonly value: number;
  readonly at: number;
}
/** What Google's reports go by, of one visitor. */
export interface Rating {
  readonly name: string;
  readonly reports: number;
  readonly p75: number | null;
}

/** Each score as the package reports it: LCP with the first input, INP and CLS when the page is hidden. It can't be told to stop, so it is asked once. */
export const scores$ = new Observable<Score>((subscriber) => {
  const report = ({ name, value }: MetricType): void => subscriber.next({ name, value, at: Date.now() });
  for (const listen of [onLCP, onINP, onCLS]) listen(report);
}).pipe(share({ connector: () => new ReplaySubject<Score>(100), resetOnRefCountZero: false }));

const week = preceding(range('7 days'));

/**
 * The scores of all pages that this visitor saw in a week. They are in `storage` as `next` returns, since no page has time
 * to wait when it goes; of two tabs the one that was hidden last has the last word.
 */
export function ratings(storage: Storage, key = 'web vitals'): Observable<Rating> {
  const engine = createEngine<Score>()({
    partitionBy: 'name',
    orderBy: 'at',
    measures: [count().over(week).as('reports'), approxPercentile('value', 0.75).over(week).as('p75')],
  });
  takeUp(engine, storage.getItem(key));
  return scores$.pipe(
    rollingWindow(engine, {}),
    tap(() => storage.setItem(key, btoa(Array.from(engine.snapshot(), (byte) => String.fromCharCode(byte)).join('')))),
  );
}

/** What is damaged, of another plan, or no base64 at all is let go. */
function takeUp(engine: Pick<Engine<Score, unknown, unknown>, 'restore'>, saved: string | null): void {
  try {
    if (saved !== null) engine.restore(Uint8Array.from(atob(saved), (letter) => letter.charCodeAt(0)));
  } catch (error) {
    if (!(error instanceof SnapshotError || error instanceof DOMException)) throw error;
  }
}
