import type { RowChange } from '../../src/liveTable/index.ts';

/** What a consumer keeps of the changes: it finds rows by the very object that it got before. */
export class TableOfChanges<Row extends object> {
  private readonly kept = new Map<number, Row>();
  private readonly places = new Map<Row, number>();
  private next = 0;

  take(changes: readonly RowChange<Row>[]): void {
    for (const change of changes) {
      const place = change.kind === 'insert' ? this.next++ : this.placeOf(change.before);
      if (change.kind !== 'insert') this.places.delete(change.before);
      if (change.kind === 'delete') this.kept.delete(place);
      else {
        this.kept.set(place, change.after);
        this.places.set(change.after, place);
      }
    }
  }

  get rows(): Row[] {
    return [...this.kept.values()];
  }

  private placeOf(before: Row): number {
    const place = this.places.get(before);
    if (place === undefined) throw new Error(`${JSON.stringify(before)} was not there`);
    return place;
  }
}
