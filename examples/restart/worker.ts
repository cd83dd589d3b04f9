import { openSync, writeSync } from 'node:fs';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { eventTime, rollingWindowFrom } from 'rxjs-rolling-window';
import { fileStore } from 'rxjs-rolling-window/checkpoint/node';
import { readFlights, type Flight } from '../flights/flights.ts';
import { perOrigin } from '../flights/measures.ts';
import { written } from './finalTable.ts';

/** What the worker tells of itself: with which flight it begins, and how far it is. */
export interface Report {
  readonly from?: number;
  readonly at: number;
}

const [checkpoints = '', table = ''] = process.argv.slice(2);

// Rows are in the file before the next flight comes, and so before any checkpoint that counts them as written.
const file = openSync(table, 'a');
writeSync(file, '\n'); // the line before may be torn

const flights = readFlights();
rollingWindowFrom(({ events }) => after(events), {
  ...perOrigin,
  clock: eventTime(),
  checkpoint: { store: fileStore(checkpoints), every: '10 milliseconds' },
}).subscribe({
  next: (row) => writeSync(file, `${written(row)}\n`),
  complete: () => process.disconnect(),
});

/** The flights that come after so many; a few at a time, since checkpoints are taken between them. */
async function* after(count: number): AsyncGenerator<Flight> {
  tell({ from: count, at: count });
  for (let at = count; at < flights.length; at++) {
    yield flights[at]!;
    if (at % 50 > 0) continue;
    tell({ at });
    await setImmediate();
  }
}

function tell(report: Report): void {
  process.send?.(report);
}
