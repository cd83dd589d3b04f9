import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { from, lastValueFrom, tap } from 'rxjs';
import { eventTime, jsonRow, rollingWindow } from 'rxjs-rolling-window';
import type { Flight } from './flights.ts';
import { perOrigin } from './measures.ts';

export interface Written {
  readonly rows: number;
  readonly seconds: number;
}

/**
 * Writes every row as a line of JSON, as fast as the output takes them.
 *
 * The flights themselves are the clock, so that the rows are the same at any pace. The trigger is the default, real
 * time: each flight is an evaluation, which gives its airport's row and those that it found expired.
 */
export async function writeRows(flights: readonly Flight[], output: Writable): Promise<Written> {
  const started = performance.now();
  let rows = 0;
  const rows$ = from(asTaken(flights, output)).pipe(
    rollingWindow({ ...perOrigin, clock: eventTime() }),
    tap((row) => {
      output.write(`${JSON.stringify(jsonRow(row))}\n`);
      rows += 1;
    }),
  );
  await lastValueFrom(rows$, { defaultValue: undefined });
  return { rows, seconds: (performance.now() - started) / 1000 };
}

/** Hands out the next flight once the output took the rows of those before: a slow reader does not fill the memory. */
async function* asTaken(flights: readonly Flight[], output: Writable): AsyncGenerator<Flight> {
  for (const flight of flights) {
    if (output.writableNeedDrain) await once(output, 'drain');
    yield flight;
  }
}
