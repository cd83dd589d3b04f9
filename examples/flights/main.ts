import process from 'node:process';
import { readFlights } from './flights.ts';
import { showTable } from './live.ts';
import { readOptions } from './options.ts';
import { writeRows } from './plain.ts';

const options = readOptions(process.argv.slice(2));
// `| head` closes the pipe when it has enough, and that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const flights = readFlights();
if (options.plain || !process.stdout.isTTY) {
  const { rows, seconds } = await writeRows(flights, process.stdout);
  console.error(`${flights.length} flights, ${rows} rows in ${seconds.toFixed(1)} s: ${Math.round(flights.length / seconds)} events a second`);
} else {
  await showTable(flights, options, process.stdout);
}
