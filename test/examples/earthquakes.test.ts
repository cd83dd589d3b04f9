import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from '../support/runExample.ts';

test('the earthquakes print output.txt', { timeout: 60_000 }, async () => {
  const { code, stdout, stderr } = await run('examples/earthquakes/main.ts');

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(readFileSync('examples/earthquakes/output.txt', 'utf8'));
});

test('output.txt says what a plain loop finds', () => {
  const hour = 3_600_000;
  const { features } = JSON.parse(readFileSync('node_modules/vega-datasets/data/earthquakes.json', 'utf8')) as {
    features: { properties: { time: number; updated: number; net: string; mag: number } }[];
  };
  const reports = features.map(({ properties }) => properties).sort((a, b) => a.updated - b.updated);

  const admitted: typeof reports = [];
  let late = 0;
  let watermark = -Infinity;
  let batch = NaN;
  for (const report of reports) {
    if (Math.floor(report.updated / hour) !== batch) {
      batch = Math.floor(report.updated / hour);
      watermark = Math.max(...admitted.map(({ time }) => time)) - 12 * hour;
    }
    if (report.time <= watermark) late += 1;
    else admitted.push(report);
  }
  const end = reports.at(-1)?.updated ?? NaN;
  const output = readFileSync('examples/earthquakes/output.txt', 'utf8');

  expect(output).toContain(`\n${String(late)} reports came behind the watermark`);
  for (const net of new Set(admitted.map((report) => report.net))) {
    const lastDay = admitted.filter(({ time, net: from }) => from === net && time > end - 24 * hour);
    const largest = lastDay.length > 0 ? Math.max(...lastDay.map(({ mag }) => mag)).toFixed(1) : '–';
    expect(output).toMatch(new RegExp(`│ ${net} +│ +${String(lastDay.length)} │ +${largest} │`));
  }
});
