import { EMPTY, from, interval, map, mergeAll, switchMap, type Observable } from 'rxjs';
import type { Measurement } from '../measurement.ts';
import { pageClock } from '../pageClock.ts';

interface RecordedFlight {
  readonly delay: number;
  readonly origin: string;
}

/** Milliseconds between two portions. */
const BEAT = 20;

/**
 * The delays of 20,000 recorded flights by airport, over and over, at so many a second: volume, where a page by itself has
 * little. Each flight has the time at which it is replayed.
 */
export function flights(perSecond$: Observable<number>): Observable<Measurement> {
  let recorded: Promise<readonly RecordedFlight[]> | undefined;
  let next = 0;
  return perSecond$.pipe(
    switchMap((perSecond) => (perSecond === 0 ? EMPTY : from((recorded ??= load())).pipe(switchMap((all) => portions(all, perSecond))))),
    mergeAll(),
  );

  /** As many as are due by the clock: a timer that was late gives more of them. */
  function portions(all: readonly RecordedFlight[], perSecond: number): Observable<Measurement[]> {
    const start = pageClock.now();
    let given = 0;
    return interval(BEAT, pageClock).pipe(
      map(() => {
        const at = pageClock.now();
        // After a sleep, or a while in the background, what was missed is not made up for.
        const due = Math.min(Math.floor(((at - start) * perSecond) / 1000) - given, perSecond);
        given = Math.floor(((at - start) * perSecond) / 1000);
        return Array.from({ length: due }, (): Measurement => {
          const { origin, delay } = all[next++ % all.length]!;
          return { kind: 'flight', route: origin, value: delay, at };
        });
      }),
    );
  }
}

async function load(): Promise<readonly RecordedFlight[]> {
  const response = await fetch(new URL('../../../node_modules/vega-datasets/data/flights-20k.json', import.meta.url));
  if (!response.ok) throw new Error(`the flights are not there: ${String(response.status)}`);
  return (await response.json()) as RecordedFlight[];
}
