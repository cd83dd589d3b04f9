import type { EngineStats } from 'rxjs-rolling-window/engine';
import { counted, timeOfDay } from './numbers.ts';
import { element } from './controls.ts';

/** What the line of the state says. */
export interface Status {
  readonly frontier: number;
  readonly watermark: number;
  readonly stats: EngineStats;
}

export function showStatus({ frontier, watermark, stats }: Status): void {
  const texts = { frontier: timeOfDay(frontier), watermark: timeOfDay(watermark), late: counted(stats.late), held: counted(stats.held), keys: counted(stats.keys), events: counted(stats.events), bytes: `${counted(stats.bytes / 1024)} KiB` };
  for (const [id, text] of Object.entries(texts)) element(`status-${id}`, HTMLElement).textContent = text;
}
