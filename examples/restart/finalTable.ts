import { createHash } from 'node:crypto';
import { jsonRow } from 'rxjs-rolling-window';
import type { AirportRow } from '../flights/measures.ts';

/** A row as it stands in a table somewhere else: as text. */
export function written(row: AirportRow): string {
  return JSON.stringify(jsonRow(row));
}

/**
 * What a table outside of the program holds: the newest row of each airport. A row that comes once more after a crash writes
 * over itself; one with an older frontier than what is there is left out.
 */
export class FinalTable {
  readonly #rows = new Map<string, { readonly asOf: string; readonly text: string }>();

  upsert(text: string): void {
    const { origin, as_of: asOf } = JSON.parse(text) as { origin: string; as_of: string };
    const before = this.#rows.get(origin);
    if (before === undefined || asOf >= before.asOf) this.#rows.set(origin, { asOf, text });
  }

  get size(): number {
    return this.#rows.size;
  }

  /** One line that says whether two tables are the same, to the last digit. */
  digest(): string {
    const rows = Array.from(this.#rows.values(), ({ text }) => text).sort();
    return createHash('sha256').update(rows.join('\n')).digest('hex');
  }
}
