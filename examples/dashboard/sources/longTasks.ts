import { map, type Observable } from 'rxjs';
import type { Measurement } from '../measurement.ts';
import { epochTime } from '../pageClock.ts';
import { entriesOf } from './entries.ts';
import { currentRoute } from './route.ts';

/** Tasks that held the main thread for 50 ms or longer. */
export const longTasks = (): Observable<Measurement> =>
  entriesOf('longtask').pipe(map(({ startTime, duration }): Measurement => ({ kind: 'long task', route: currentRoute(), value: duration, at: epochTime(startTime + duration) })));
