// A program that is killed at random moments ends with the same table as one that runs in one piece.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { from } from 'rxjs';
import { eventTime, rollingWindow } from 'rxjs-rolling-window';
import { readFlights } from '../flights/flights.ts';
import { perOrigin } from '../flights/measures.ts';
import { endWithClosedPipe } from '../support/closedPipe.ts';
import { FinalTable, written } from './finalTable.ts';
import { momentsOf } from './moments.ts';
import { readOptions } from './options.ts';
import { progressOn } from './progressLine.ts';
import type { Report } from './worker.ts';

const { kills, seed } = readOptions(process.argv.slice(2));
endWithClosedPipe();

const flights = readFlights();
const folder = mkdtempSync(join(tmpdir(), 'rolling-window-restart-'));
try {
  const whole = new FinalTable();
  from(flights).pipe(rollingWindow({ ...perOrigin, clock: eventTime() })).subscribe((row) => whole.upsert(written(row)));

  const rows = join(folder, 'rows.jsonl');
  const progress = progressOn(process.stderr, flights.length);
  for (const moment of [...momentsOf(flights.length, kills, seed), Infinity]) await runUntil(moment, rows, progress);
  progress.done();

  const pieced = new FinalTable();
  const lines = readFileSync(rows, 'utf8').split('\n').filter((line) => line.endsWith('}'));
  for (const line of lines) pieced.upsert(line);

  console.log(`in one piece      ${whole.size} airports  ${whole.digest()}`);
  console.log(`killed ${String(kills).padStart(3)} times  ${pieced.size} airports  ${pieced.digest()}`);
  console.error(`${lines.length} rows were written`);
  process.exitCode = pieced.digest() === whole.digest() ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs the worker until it has taken the flight before the moment, and kills it; or until it is done. */
function runUntil(moment: number, rows: string, progress: ReturnType<typeof progressOn>): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [join(folder, 'checkpoints'), rows]);
    worker.on('message', ({ from: begin, at }: Report) => {
      if (begin !== undefined) progress.started(begin);
      progress.moved(at);
      if (at >= moment) worker.kill('SIGKILL');
    });
    worker.on('exit', (code, signal) => {
      if (signal === 'SIGKILL') progress.killed();
      if (code === 0 || signal === 'SIGKILL') resolve();
      else reject(new Error(`The worker ended with ${String(code ?? signal)}`));
    });
  });
}
