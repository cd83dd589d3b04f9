import Table from 'cli-table3';
import pc from 'picocolors';
import sparkly from 'sparkly';
import type { DelayHistory } from './delayHistory.ts';
import type { AirportRow } from './measures.ts';

/** One window of the table: its four measures share a column, so that lines stand between windows only. */
interface Group {
  readonly title: string;
  readonly width: number;
  readonly cells: (row: AirportRow) => readonly [count: number, avg: number | null, p95: number | null, worst: number | null];
}

const lastDay: Group = { title: 'last 24 hours', width: 17, cells: (row) => [row.flights_24h, row.avg_24h, row.p95_24h, row.worst_24h] };
const lastWeek: Group = { title: 'last 7 days', width: 17, cells: (row) => [row.flights_7d, row.avg_7d, row.p95_7d, row.worst_7d] };
const sinceStart: Group = { title: 'since 1 January', width: 19, cells: (row) => [row.flights, row.avg, row.p95, row.worst] };

const originWidth = 6;
const narrowestTrend = 8;
const widestTrend = 60;

/** A table of these airports in at most `width` columns: the week goes first where they don't fit, then the trend. */
export function table(rows: readonly AirportRow[], history: DelayHistory, width: number): string {
  const groups = [lastDay, lastWeek, sinceStart].filter((group) => group !== lastWeek || width >= 70);
  const taken = originWidth + 2 + groups.reduce((sum, group) => sum + group.width + 1, 0);
  const trend = Math.min(width - taken - 3, widestTrend);
  const hasTrend = trend >= narrowestTrend;

  const drawn = new Table({
    head: [pc.bold(' from'), ...groups.map(heading), ...(hasTrend ? [pc.bold(' avg, 24 h')] : [])],
    colWidths: [originWidth, ...groups.map((group) => group.width), ...(hasTrend ? [trend + 2] : [])],
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: pc.isColorSupported ? ['gray'] : [] },
  });
  for (const row of rows) {
    drawn.push([` ${row.origin}`, ...groups.map((group) => numbers(group, row)), ...(hasTrend ? [` ${sparkline(history.of(row.origin), trend)}`] : [])]);
  }
  return drawn.toString();
}

function heading({ title, width }: Group): string {
  return `${pc.bold(` ${title}`)}\n${pc.dim(['n', 'avg', 'p95', 'max'].map((name, at) => name.padStart(columnWidth(at, width))).join(''))}`;
}

function numbers({ cells, width }: Group, row: AirportRow): string {
  return cells(row)
    .map((value, at) => {
      const text = (value === null ? '–' : whole(value)).padStart(columnWidth(at, width));
      return at === 1 ? coloured(text, value) : text;
    })
    .join('');
}

/** A number takes five columns with the space before it, the average one less; what a group has more is for its count. */
function columnWidth(at: number, group: number): number {
  return [group - 13, 4, 4, 4][at] ?? 0;
}

function coloured(text: string, delay: number | null): string {
  if (delay === null) return pc.dim(text);
  return delay < 5 ? pc.green(text) : delay < 15 ? pc.yellow(text) : pc.red(text);
}

/** Adding 0 makes 0 of -0, which would be shown with its sign. */
export function whole(value: number): string {
  return (Math.round(value) + 0).toLocaleString('en-US');
}

/** All on one scale, from on time to this many minutes late, so that airports compare. */
const fullBar = 40;

function sparkline(delays: readonly (number | null)[], width: number): string {
  const shown = delays.slice(-width).map((delay) => (delay === null ? '' : Math.min(Math.max(delay, 0), fullBar)));
  return pc.cyan(sparkly(shown, { minimum: 0, maximum: fullBar }).padStart(width));
}
