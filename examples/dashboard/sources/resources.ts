import { map, type Observable } from 'rxjs';
import type { Measurement } from '../measurement.ts';
import { epochTime } from '../pageClock.ts';
import { entriesOf } from './entries.ts';
import { routeOf } from './route.ts';

/** What the page loaded, from the request to the last byte. */
export const resources = (): Observable<Measurement> =>
  entriesOf<PerformanceResourceTiming>('resource').pipe(
    map(({ name, startTime, duration }): Measurement => ({ kind: 'resource', route: routeOf(name), value: duration, at: epochTime(startTime + duration) })),
  );
