import { beforeAll, describe, expect, it, test } from 'vitest';
import { ended, run, type Ended } from '../support/runExample.ts';
import { expectedRow, flightCount, lastTime, origins } from './flightRecord.ts';

type Row = Record<string, string | number | null> & { origin: string; as_of: string; flights: number };

const main = 'examples/flights/main.ts';

describe('npm start where there is no terminal', () => {
  let written: Ended;
  let rows: Row[];

  beforeAll(async () => {
    written = await run(main);
    rows = written.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  }, 60_000);

  it('writes nothing but rows to standard output, and its notes to standard error', () => {
    expect(written.code).toBe(0);
    expect(Object.keys(rows[0] ?? {})).toEqual(['origin', 'as_of', ...['_24h', '_7d', ''].flatMap((over) => ['flights', 'avg', 'p95', 'worst'].map((name) => name + over))]);
    expect(written.stderr).toMatch(new RegExp(`^${String(flightCount)} flights, ${String(rows.length)} rows in \\d+\\.\\d s: \\d+ events a second\n$`));
  });

  it('gives a row for each flight, in the order of their times', () => {
    const counted = new Map<string, number>();
    const ofFlights = rows.filter(({ origin, flights }) => flights > (counted.get(origin) ?? 0) && counted.set(origin, flights));

    expect(ofFlights).toHaveLength(flightCount);
    expect(rows.map((row) => row.as_of)).toEqual(rows.map((row) => row.as_of).sort());
  });

  it.each([0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.999])('has the right row on the way, at %d of all', (part) => {
    const row = rows[Math.floor(part * rows.length)];
    if (!row) throw new Error('There is no such row');
    expectRow(row, expectedRow(row.origin, Date.parse(row.as_of), row.flights));
  });

  it('leaves each airport with the row of the end', () => {
    const last = new Map(rows.map((row) => [row.origin, row]));

    expect([...last.keys()].sort()).toEqual([...origins].sort());
    for (const [origin, row] of last) expectRow(row, expectedRow(origin, lastTime));
  });

  /** Means to nine digits after the point, and the percentile since the start to a minute: it is an approximate one. */
  function expectRow(row: Row, right: Record<string, unknown>): void {
    const approximately = (value: unknown): unknown => (typeof value === 'number' && !Number.isInteger(value) ? (expect.closeTo(value, 9) as unknown) : value);
    const { p95, ...exact } = Object.fromEntries(Object.entries(right).map(([column, value]) => [column, approximately(value)]));
    expect(row).toEqual({ as_of: row.as_of, ...exact, p95: expect.closeTo(p95 as number, 0) as unknown });
  }
});

test('a reader that has enough ends it quietly', { timeout: 60_000 }, async () => {
  const { code, stdout, stderr } = await ended('bash', ['-o', 'pipefail', '-c', 'npm start --silent -- --plain | head -3']);

  expect({ code, stderr, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, stderr: '', lines: 3 });
});

describe('the command line', { timeout: 60_000 }, () => {
  it.concurrent('explains itself', async ({ expect }) => {
    const { code, stdout, stderr } = await run(main, '--help');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const option of ['--speed <n>', '--airports <n>', '--plain', '--help']) expect(stdout).toContain(option);
  });

  it.concurrent.each([
    ['--airports', 'x', 'a whole number from 1 to 220'],
    ['--speed', '-1', 'a number from 1 to 1,000,000,000'],
    ['--nope', '', '--speed <n>'],
  ])('ends with 2 at `%s %s` and says what is accepted', async (option, value, accepted) => {
    const { code, stdout, stderr } = await run(main, option, ...(value ? [value] : []));

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(accepted);
  });
});
