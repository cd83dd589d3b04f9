import type { KindRow } from '../engines/plans.ts';
import type { Kind } from '../measurement.ts';

/** How many samples a kind has at most: two minutes of two a second. */
const LENGTH = 240;

export interface Sample {
  /** Epoch milliseconds. */
  readonly at: number;
  /** `undefined`: nothing of the kind was in any window. */
  readonly row: KindRow | undefined;
}

/** What the rows were, kind by kind, at regular instants. Rows are not copied: an update row never changes. */
export class History {
  private readonly samples = new Map<Kind, Sample[]>();

  take(at: number, rows: Iterable<KindRow>): void {
    const byKind = new Map(Array.from(rows, (row) => [row.kind, row]));
    for (const kind of byKind.keys()) if (!this.samples.has(kind)) this.samples.set(kind, []);
    for (const [kind, samples] of this.samples) {
      samples.push({ at, row: byKind.get(kind) });
      if (samples.length > LENGTH) samples.shift();
    }
  }

  of(kind: Kind): readonly Sample[] {
    return this.samples.get(kind) ?? [];
  }
}
