import Table from 'cli-table3';
import type { Dropped } from 'rxjs-rolling-window';
import { latenessOf } from './lateness.ts';
import type { Quake } from './quakes.ts';

/** What one network's row says. */
export interface NetworkRow {
  readonly net: string;
  readonly quakes: number;
  readonly largest: number | null;
}

/** Each network with its last row and how much of what it reported was late. */
export function networkTable(rows: Iterable<NetworkRow>, reports: readonly Quake[], late: readonly Dropped<Quake>[]): string {
  const lines = Array.from(rows)
    .sort((a, b) => b.quakes - a.quakes || (a.net < b.net ? -1 : 1))
    .map(({ net, quakes, largest }) => {
      const { count, median, longest } = latenessOf(late.filter(({ event }) => event.net === net));
      const reported = reports.filter((report) => report.net === net).length;
      return [net, quakes, largest?.toFixed(1) ?? '–', reported, count, length(median), length(longest)];
    });
  return drawn(['network', 'last 24 h', 'largest', 'reports', 'late', 'median late by', 'longest'], 'lrrrrrr', lines);
}

/** The largest of the late ones, with what they missed. */
export function largestLate(late: readonly Dropped<Quake>[], count: number): string {
  const lines = [...late]
    .sort((a, b) => b.event.mag - a.event.mag || a.eventTime - b.eventTime)
    .slice(0, count)
    .map(({ event, lateBy }) => [event.mag.toFixed(1), utc(event.time), utc(event.updated), length(lateBy), event.place]);
  return drawn(['mag', 'happened', 'published', 'late by', 'where'], 'rlrrl', lines);
}

/** `2018-02-07 01:45` */
export function utc(time: number): string {
  return new Date(time).toISOString().replace('T', ' ').slice(0, 16);
}

/** `12 min`, `3.4 h` or `6.7 d`; a dash where there is none. */
export function length(ms: number | null): string {
  if (ms === null) return '–';
  const hours = ms / 3_600_000;
  return hours < 1 ? `${Math.round(hours * 60)} min` : hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} d`;
}

function drawn(head: string[], aligned: string, lines: (string | number)[][]): string {
  const colAligns = Array.from(aligned, (letter) => (letter === 'l' ? 'left' : 'right'));
  const table = new Table({ head, colAligns, chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' }, style: { head: [], border: [] } });
  table.push(...lines);
  return table.toString();
}
