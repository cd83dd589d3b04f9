import { copied } from '../emission/sameValue.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A plain copy of a row that shares nothing with it: whoever made the row may use it again for the next. */
export function ownRow(given: object): Row {
  const row: Record<string, unknown> = { ...given };
  for (const name of Object.keys(row)) {
    const value = row[name];
    if (typeof value === 'object' && value !== null) row[name] = copied(value);
  }
  return row;
}
