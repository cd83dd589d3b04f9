import type { WriteStream } from 'node:tty';
import cliProgress from 'cli-progress';
import { createLogUpdate } from 'log-update';
import pc from 'picocolors';
import { lastValueFrom, startWith, tap } from 'rxjs';
import { eventTime, fastForward, latestByKey, microBatch, rollingBatches } from 'rxjs-rolling-window';
import { DelayHistory } from './delayHistory.ts';
import { replay, type Flight } from './flights.ts';
import { perOrigin, type AirportRow } from './measures.ts';
import type { Options } from './options.ts';
import { table, whole } from './table.ts';

const frameMs = 100;
/** Lines of a frame that are not airports: title, top line, two of the heading, bottom line, two below, and the cursor's. */
const otherLines = 8;

/**
 * One table, drawn again in place for each frame, until the last flight has left.
 *
 * The trigger is a micro-batch, as long as the stream time that passes in a frame: each batch is one frame, and a key
 * changes at most once in it, where real time would give rows that nobody sees. The length is of the stream and the
 * clock is the flights', so the scheduler only sets the pace: where the table ends does not depend on it.
 */
export async function showTable(flights: readonly Flight[], { speed, airports }: Options, screen: WriteStream): Promise<void> {
  const draw = createLogUpdate(screen);
  const scheduler = fastForward({ from: flights[0]?.time ?? 0, speed });
  const history = new DelayHistory();
  const started = performance.now();
  let seen = 0;
  let rowCount = 0;
  let asOf = flights[0]?.time ?? 0;

  const tables$ = replay(flights, scheduler).pipe(
    tap(() => (seen += 1)),
    rollingBatches({ ...perOrigin, clock: eventTime(), trigger: microBatch(speed * frameMs) }),
    tap(({ rows, frontier }) => {
      rowCount += rows.length;
      asOf = frontier;
    }),
    latestByKey(),
    startWith(new Map<string, AirportRow>()),
    tap((latest) => {
      history.add(latest.values());
      const { columns: width, rows: height } = screen;
      const shown = busiest(latest.values(), Math.min(airports, Math.max(height - otherLines, 1)));
      draw([title(asOf, width), table(shown, history, width), progressLine(seen, flights.length, width), ...summary()].join('\n'));
    }),
  );
  await lastValueFrom(tables$);
  draw.done();

  function summary(): string[] {
    const seconds = (performance.now() - started) / 1000;
    const counts = `${whole(seen)} flights, ${whole(rowCount)} rows`;
    return [seen < flights.length ? counts : `${counts} in ${seconds.toFixed(1)} s: ${whole(seen / seconds)} events a second`];
  }
}

function busiest(rows: Iterable<AirportRow>, count: number): AirportRow[] {
  return Array.from(rows)
    .sort((a, b) => b.flights - a.flights || (a.origin < b.origin ? -1 : 1))
    .slice(0, count);
}

function title(asOf: number, width: number): string {
  const now = new Date(asOf).toISOString().replace('T', ' ').slice(0, 16);
  const text = ['US flights, delays in minutes, busiest airports', 'US flights, delays in minutes', ''].find((choice) => choice.length + now.length + 2 <= width) ?? '';
  return `${pc.bold(text)}  ${now}`;
}

function progressLine(seen: number, total: number, width: number): string {
  const barsize = Math.max(Math.min(width, 80) - 6, 1);
  const progress = total === 0 ? 1 : seen / total;
  const bar = cliProgress.Format.BarFormat(progress, { barsize, barCompleteString: '█'.repeat(barsize), barIncompleteString: '░'.repeat(barsize), barGlue: '' });
  return `${pc.cyan(bar)} ${Math.floor(progress * 100)} %`;
}
