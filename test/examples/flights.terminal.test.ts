import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findScript } from '../../scripts/surroundings.ts';
import { fromSources } from '../support/runExample.ts';
import { expectedRow, flightCount, lastTime } from './flightRecord.ts';
import { screenAfter, type Screen } from './screen.ts';

const script = findScript();

// vitest.config.ts says loudly that they are skipped, and fails in CI.
describe.skipIf(!script)('npm start on a terminal', { timeout: 60_000 }, () => {
  it('draws one table in place and ends with that of the last flight', async () => {
    const size = { columns: 100, rows: 40 };
    const { written, code } = await underTerminal(size, ['--speed', '4000000', '--airports', '10']);
    const screen = screenAfter(written, size);

    expect(code).toBe(0);
    expect(framesOf(written)).toBeGreaterThan(5);
    expect(screen).toMatchObject({ cursorShown: true, scrolled: 0, wrapped: 0 });
    await expect(withoutTimes(screen)).toMatchFileSnapshot('../fixtures/flightsTable.txt');
    expect(screen.lines[0]).toContain(new Date(lastTime).toISOString().slice(0, 10));
    expect(screen.lines.join('\n')).toMatch(new RegExp(`100 %\n${flightCount.toLocaleString('en-US')} flights, [\\d,]+ rows in \\d+\\.\\d s: [\\d,]+ events a second`));
    const airports = airportLines(screen);
    expect(airports).toHaveLength(10);
    for (const [origin = '', ...numbers] of airports) expect(numbers).toEqual(shown(expectedRow(origin, lastTime)));
  });

  it('fits a terminal of 80 by 24, as many airports as it is asked for', async () => {
    const size = { columns: 80, rows: 24 };
    const { written } = await underTerminal(size, ['--speed', '20000000', '--airports', '220']);
    const screen = screenAfter(written, size);

    expect(screen).toMatchObject({ scrolled: 0, wrapped: 0 });
    expect(screen.lines[0]).toMatch(/^US flights/);
    expect(screen.lines[1]).toMatch(/^┌─.*─┐$/);
    expect(airportLines(screen)).toHaveLength(16);
    expect(screen.lines.slice(2, 20).filter((line) => line.startsWith('│') && line.endsWith('│'))).toHaveLength(18);
  });

  it('gives the cursor back when it is interrupted', async () => {
    const size = { columns: 60, rows: 24 };
    const { written, code } = await underTerminal(size, [], { keys: '\x03', afterFrame: 4 });
    const screen = screenAfter(written, size);

    expect(code).toBe(130);
    expect(written).toContain('\x1b[?25l');
    expect(screen).toMatchObject({ cursorShown: true, scrolled: 0, wrapped: 0 });
    expect(screen.lines.filter((line) => line.startsWith('│'))).toHaveLength(14);
  });
});

function underTerminal(
  { columns, rows }: { columns: number; rows: number },
  options: string[],
  press = { keys: '', afterFrame: Infinity },
): Promise<{ written: string; code: number | null }> {
  const program = ['exec', process.execPath, ...fromSources, 'examples/flights/main.ts', ...options].join(' ');
  // Vitest asks for colours, or for none, of whatever it starts.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !['CI', 'NO_COLOR', 'FORCE_COLOR'].includes(name)));
  return new Promise((resolve, reject) => {
    const terminal = spawn(script ?? 'script', ['-qec', `stty cols ${String(columns)} rows ${String(rows)}; ${program}`, '/dev/null'], { env: { ...env, TERM: 'xterm-256color' } });
    let written = '';
    let pressed = false; // once: the terminal echoes keys, and the echo is output too
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text;
      if (pressed || framesOf(written) < press.afterFrame) return;
      pressed = true;
      terminal.stdin.write(press.keys);
    });
    terminal.on('error', reject);
    terminal.on('close', (code) => resolve({ written, code }));
  });
}

/** Each frame is written at once, between the marks of a synchronized update. */
function framesOf(written: string): number {
  return written.split('\x1b[?2026l').length - 1;
}

/** The cells of each airport's line: its name and twelve numbers. */
function airportLines({ lines }: Screen): string[][] {
  return lines.filter((line) => /^│ [A-Z]{3} /.test(line)).map((line) => line.split('│').slice(1, 5).flatMap((cell) => cell.trim().split(/ +/)));
}

function shown(row: Record<string, unknown>): string[] {
  return Object.values(row).slice(1).map((value) => (value === null ? '–' : String(Math.round(value as number) + 0)).replace(/(\d)(\d{3})$/, '$1,$2'));
}

function withoutTimes({ lines }: Screen): string {
  return `${lines
    .join('\n')
    .trimEnd()
    .replace(/in \d.*/, 'in ... s')}\n`;
}
