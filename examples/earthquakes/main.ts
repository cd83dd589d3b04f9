// Earthquakes become known late and out of order. What does a watermark of 12 hours let pass, and what does it cost?
// Prints output.txt.
import { from } from 'rxjs';
import { count, eventTime, max, microBatch, preceding, range, rollingWindow, type Dropped } from 'rxjs-rolling-window';
import { endWithClosedPipe } from '../support/closedPipe.ts';
import { latenessOf } from './lateness.ts';
import { readQuakes, type Quake } from './quakes.ts';
import { largestLate, length, networkTable, utc, type NetworkRow } from './report.ts';

const day = 24 * 3_600_000;
const lastDay = preceding(range(day));

endWithClosedPipe();
const reports = readQuakes();
const late: Dropped<Quake>[] = [];
const last = new Map<string, NetworkRow>();
let rowCount = 0;
let frontier = -Infinity;

from(reports)
  .pipe(
    rollingWindow({
      partitionBy: 'net',
      orderBy: 'time',
      // It is as late as the last report says, so every run gives the same rows.
      clock: eventTime({ column: 'updated' }),
      trigger: microBatch('1 hour'),
      watermark: '12 hours',
      dropped: { next: (dropped: Dropped<Quake>) => late.push(dropped) },
      measures: [count().over(lastDay).as('quakes'), max('mag').over(lastDay).as('largest')],
    }),
  )
  .subscribe((row) => {
    last.set(row.net, row);
    rowCount += 1;
    frontier = row.__frontier;
  });

const { count: lateCount, median, longest } = latenessOf(late);
const withinTheDay = late.filter(({ event }) => event.time > event.updated - day).length;

console.log(`${reports.length} reports gave ${rowCount} rows; the last of each network, at ${utc(frontier)}:`);
console.log(networkTable(last.values(), reports, late));
console.log(`${lateCount} reports came behind the watermark, by ${length(median)} (median) to ${length(longest)}.`);
console.log(`${withinTheDay} of them were published within 24 hours and would have counted. The largest that were late:`);
console.log(largestLate(late, 5));
