import { Observable } from 'rxjs';
import { onCLS, onFCP, onINP, onLCP, onTTFB, type MetricType } from 'web-vitals';
import type { Measurement } from '../measurement.ts';
import { pageClock } from '../pageClock.ts';
import { currentRoute } from './route.ts';

/**
 * Each score as it stands whenever it changes, so that a visitor sees it before leaving. Subscribe once: the package has
 * no way to stop listening.
 */
export const vitals = (): Observable<Measurement> =>
  new Observable((subscriber) => {
    const report = ({ name, value }: MetricType): void => subscriber.next({ kind: name, route: currentRoute(), value, at: pageClock.now() });
    for (const listen of [onTTFB, onFCP, onLCP, onINP, onCLS]) listen(report, { reportAllChanges: true });
  });
