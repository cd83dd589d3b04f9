import type { Row } from './ownRow.ts';
import type { RowChange } from './rowChange.ts';

/** What one input came to: at most one change of each key. A row that has to make room again within it, leaves no trace. */
export class Changes {
  private readonly list: (RowChange<Row> | undefined)[] = [];
  /** By slot, where in the list its change is. */
  private readonly places = new Map<number, number>();

  add(slot: number, change: RowChange<Row>): void {
    this.places.set(slot, this.list.length);
    this.list.push(change);
  }

  /** The row in a slot goes; the slot may be another key's after that. */
  delete(slot: number, row: Row): void {
    const earlier = this.takeBack(slot);
    if (earlier?.kind !== 'insert') this.list.push({ kind: 'delete', before: earlier?.before ?? row });
  }

  made(): readonly RowChange<Row>[] {
    return this.list.filter((change) => change !== undefined);
  }

  private takeBack(slot: number): RowChange<Row> | undefined {
    const place = this.places.get(slot);
    if (place === undefined) return undefined;
    const earlier = this.list[place];
    this.list[place] = undefined;
    this.places.delete(slot);
    return earlier;
  }
}
