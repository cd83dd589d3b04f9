import { readFileSync } from 'node:fs';
import { Observable, type SchedulerLike } from 'rxjs';

export interface Flight {
  /** Epoch milliseconds. */
  readonly time: number;
  /** Minutes; negative where the flight was early. */
  readonly delay: number;
  readonly distance: number;
  readonly origin: string;
  readonly destination: string;
}

/** 20,000 flights within the United States from January to March 2001, by their times. */
export function readFlights(): Flight[] {
  const file = new URL('../data/flights-20k.json', import.meta.resolve('vega-datasets'));
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as (Omit<Flight, 'time'> & { date: string })[];
  return recorded.map(({ date, ...flight }) => ({ time: instant(date), ...flight }));
}

/** The record says `2001/01/01 00:47` and no zone. Read as UTC, it is the same instant on every machine. */
function instant(date: string): number {
  return Date.parse(`${date.replaceAll('/', '-').replace(' ', 'T')}Z`);
}

/** The flights, each at its own time on the scheduler. */
export function replay(flights: readonly Flight[], scheduler: SchedulerLike): Observable<Flight> {
  return new Observable((subscriber) => {
    let next = 0;
    return scheduler.schedule(function () {
      // All that are due, not one for each timer: timers fire at most once a millisecond, flights may come more often.
      for (let flight = flights[next]; flight; flight = flights[++next]) {
        if (subscriber.closed) return;
        const wait = flight.time - scheduler.now();
        if (wait > 0) {
          this.schedule(undefined, wait);
          return;
        }
        subscriber.next(flight);
      }
      subscriber.complete();
    });
  });
}
