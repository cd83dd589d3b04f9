// A live top ten: the airports whose flights were latest over the last week, as it changes from day to day, with arrows from
// where each stood the day before.
import { from, map, scan, skip, take } from 'rxjs';
import { avg, count, desc, eventTime, lag, liveTable, microBatch, preceding, range, rank, rollingBatches, Window, windowFunctions, type RowChange } from 'rxjs-rolling-window';
import { readFlights } from './flights/flights.ts';

interface Standing {
  readonly origin: string;
  readonly delay: number | null;
  readonly rank: number;
}
const week = preceding(range('7 days'));

/** What a page shows is what the changes say, applied one by one. */
function applied(table: ReadonlyMap<string, Standing>, changes: readonly RowChange<Standing>[]): ReadonlyMap<string, Standing> {
  const next = new Map(table);
  for (const change of changes) {
    if (change.kind === 'delete') next.delete(change.before.origin);
    else next.set(change.after.origin, change.after);
  }
  return next;
}

function line({ origin, delay, rank, before }: Standing & { readonly before: number | null }): string {
  const arrow = before === null ? '*' : rank < before ? `▲ ${before - rank}` : rank > before ? `▼ ${rank - before}` : '';
  return `${String(rank).padStart(2)} ${origin} ${delay?.toFixed(1).padStart(5) ?? ''} min ${arrow}`.trimEnd();
}

const standings$ = from(readFlights()).pipe(
  rollingBatches({
    partitionBy: 'origin',
    orderBy: 'time',
    clock: eventTime(),
    trigger: microBatch('1 day'),
    measures: [avg('delay').over(week).as('delay'), count().over(week).as('flights')],
  }),
  // The newest row of each airport. One with few flights is none of them: its row goes.
  liveTable({ key: 'origin', deleted: ({ flights }) => flights < 20 }),
  windowFunctions({ columns: [rank().over(Window.orderBy(desc('delay'))).as('rank')] }),
  scan(applied, new Map<string, Standing>()),
);

standings$
  .pipe(
    // Each day's standings are rows of a table, too, and `lag` looks back along those of one airport.
    map((table, day) => Array.from(table.values(), ({ origin, delay, rank }) => ({ day, origin, delay, rank }))),
    liveTable({ key: ['day', 'origin'], limits: { maxKeys: 1000, onLimit: 'evict-idle' } }),
    windowFunctions({ columns: [lag('rank').over(Window.partitionBy('origin').orderBy('day')).as('before')] }),
    map((changes) => changes.flatMap((change) => (change.kind === 'insert' ? [change.after] : []))),
    skip(6),
    take(2),
  )
  .subscribe((standings) => {
    console.log(`after ${(standings[0]?.day ?? 0) + 1} days`);
    const top = standings.filter(({ rank }) => rank <= 10).sort((a, b) => a.rank - b.rank);
    for (const standing of top) console.log(line(standing));
  });

// => after 7 days
// =>  1 DCA  19.3 min
// =>  2 SEA  15.4 min
// =>  3 MIA  14.4 min ▲ 4
// =>  4 MCO  13.8 min
// =>  5 ATL  11.4 min ▼ 2
// =>  6 TPA  10.7 min
// =>  7 LAS  10.5 min ▲ 1
// =>  8 ORD  10.1 min ▼ 3
// =>  9 LGA  10.0 min ▲ 11
// => 10 PIT   9.0 min ▲ 2
// => after 8 days
// =>  1 JFK  31.5 min *
// =>  2 DCA  20.6 min ▼ 1
// =>  3 MIA  19.1 min
// =>  4 SEA  14.6 min ▼ 2
// =>  5 MCO  10.3 min ▼ 1
// =>  6 LGA  10.2 min ▲ 3
// =>  7 ORD   9.9 min ▲ 1
// =>  8 PDX   9.5 min ▲ 10
// =>  9 LAS   9.4 min ▼ 2
// => 10 PIT   8.4 min
