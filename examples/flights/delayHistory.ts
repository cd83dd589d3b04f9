import type { AirportRow } from './measures.ts';

/** More than fit into a line of the widest terminal. */
const kept = 80;

/** How the average delay of each airport went, frame by frame: what the sparklines draw. */
export class DelayHistory {
  readonly #delays = new Map<string, (number | null)[]>();

  add(rows: Iterable<AirportRow>): void {
    for (const { origin, avg_24h } of rows) {
      const delays = this.#delays.get(origin) ?? [];
      delays.push(avg_24h);
      this.#delays.set(origin, delays.slice(-kept));
    }
  }

  /** The newest last; null where no flight had left for a day. */
  of(origin: string): readonly (number | null)[] {
    return this.#delays.get(origin) ?? [];
  }
}
