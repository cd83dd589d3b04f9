import { isDeepStrictEqual } from 'node:util';
import type { RowChange } from '../../src/liveTable/index.ts';

/** A table as a list of rows, searched from the start, with what it was before still at hand. */
export class NaiveTable<Row extends object> {
  rows: readonly Row[] = [];
  private readonly columns: readonly (keyof Row)[];

  constructor(columns: readonly (keyof Row)[]) {
    this.columns = columns;
  }

  /** Rows take their places one after the other, `undefined` for one that goes; then the changes are looked for. */
  put(puts: readonly (readonly [key: Partial<Row>, row: Row | undefined])[]): RowChange<Row>[] {
    const before = this.rows;
    const last = puts.filter(([key], i) => !puts.slice(i + 1).some(([later]) => this.sameKey(key, later)));
    this.rows = before.flatMap((row) => {
      const put = last.find(([key]) => this.sameKey(key, row));
      if (put === undefined) return [row];
      return put[1] === undefined ? [] : [same(row, put[1]) ? row : put[1]];
    });
    for (const [key] of puts) {
      const row = last.find(([other]) => this.sameKey(key, other))?.[1];
      if (row !== undefined && !this.rows.some((other) => this.sameKey(other, row))) this.rows = [...this.rows, row];
    }
    return [...before.flatMap((row) => this.goneOrChanged(row)), ...this.rows.filter((row) => !before.some((other) => this.sameKey(row, other))).map((after) => ({ kind: 'insert' as const, after }))];
  }

  find(key: Partial<Row>): Row | undefined {
    return this.rows.find((row) => this.sameKey(key, row));
  }

  private goneOrChanged(before: Row): RowChange<Row>[] {
    const after = this.find(before);
    if (after === undefined) return [{ kind: 'delete', before }];
    return same(before, after) ? [] : [{ kind: 'update', before, after }];
  }

  private sameKey(a: Partial<Row>, b: Partial<Row>): boolean {
    return this.columns.every((column) => isDeepStrictEqual(normal(a[column]), normal(b[column])));
  }
}

/** Of a key, missing is null, and -0 is 0. */
const normal = (value: unknown): unknown => (value === undefined ? null : plus(value));
const plus = (value: unknown): unknown => (value === 0 ? 0 : value);
const same = (a: object, b: object): boolean => isDeepStrictEqual(withoutSign(a), withoutSign(b));
const withoutSign = (row: object): object => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plus(value)]));
