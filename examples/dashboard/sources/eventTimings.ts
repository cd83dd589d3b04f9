import { filter, map, type Observable } from 'rxjs';
import type { Measurement } from '../measurement.ts';
import { epochTime } from '../pageClock.ts';
import { entriesOf } from './entries.ts';
import { currentRoute } from './route.ts';

/** From an input to the next frame: clicks, taps and keys that took a frame or more. A pointer that passes over is none. */
export const eventTimings = (): Observable<Measurement> =>
  entriesOf<PerformanceEventTiming>('event', { durationThreshold: 16 }).pipe(
    filter(({ interactionId }) => interactionId > 0),
    map(({ name, startTime, duration }): Measurement => ({ kind: 'event', route: `${currentRoute()} ${name}`, value: duration, at: epochTime(startTime + duration) })),
  );
