import { merge, type Observable } from 'rxjs';
import type { Measurement } from '../measurement.ts';
import { eventTimings } from './eventTimings.ts';
import { frames } from './frames.ts';
import { longTasks } from './longTasks.ts';
import { resources } from './resources.ts';
import { vitals } from './vitals.ts';

/** All that this browser says about how the page is doing. */
export const browserMeasurements = (): Observable<Measurement> => merge(frames(), longTasks(), eventTimings(), resources(), vitals());
