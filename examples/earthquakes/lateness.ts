import type { Dropped } from 'rxjs-rolling-window';
import type { Quake } from './quakes.ts';

export interface Lateness {
  readonly count: number;
  /** Milliseconds behind the watermark; null where nothing was late. */
  readonly median: number | null;
  readonly longest: number | null;
}

export function latenessOf(late: readonly Dropped<Quake>[]): Lateness {
  const sorted = late.map(({ lateBy }) => lateBy).sort((a, b) => a - b);
  return { count: sorted.length, median: sorted[Math.floor((sorted.length - 1) / 2)] ?? null, longest: sorted.at(-1) ?? null };
}
