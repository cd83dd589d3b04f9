import process from 'node:process';
import { endWithClosedPipe } from '../support/closedPipe.ts';
import { readFlights } from './flights.ts';
import { showTable } from './live.ts';
import { readOptions } from './options.ts';
import { writeRows } from './plain.ts';

const options = readOptions(process.argv.slice(2));
endWithClosedPipe();

const flights = readFlights();
if (options.plain || !process.stdout.isTTY) {
  const { rows, seconds } = await writeRows(flights, process.stdout);
  console.error(`${flights.length} flights, ${rows} rows in ${seconds.toFixed(1)} s: ${Math.round(flights.length / seconds)} events a second`);
} else {
  await showTable(flights, options, process.stdout);
}
