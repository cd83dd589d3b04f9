import type { EngineInternals } from '../internals.ts';
import type { Admission } from './admission.ts';

/**
 * What a drive needs to know.
 *
 * @param current The admission of this moment: a restore puts another in its place.
 * @param holds Whether events wait for the frontier, so that the last evaluation must reach them.
 */
export function internalsFor(current: () => Admission, holds: boolean): EngineInternals {
  const { keyColumns, orderBy = '', time } = current().plan;
  return {
    keyColumns,
    orderBy,
    time,
    emit: 'changed',
    maxEvents: Infinity,
    get batch() {
      return current().batch;
    },
    get reading() {
      return current().frontier.reading;
    },
    get readingForLatest() {
      const { latest, frontier } = current();
      return !holds || latest === -Infinity ? -Infinity : frontier.readingFor(latest);
    },
    get watermarkPending() {
      return current().watermarks?.pending ?? false;
    },
    get eventTimeClock() {
      return current().eventTimeClock;
    },
    set eventTimeClock(on) {
      current().eventTimeClock = on;
    },
  };
}
