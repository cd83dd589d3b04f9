import { readFileSync } from 'node:fs';
import { inspect, isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { describeSnapshot } from '../../src/index.ts';
import type { Columns } from '../support/duel.ts';
import { formatPlans, partsOf, rowsAfter, rowsByTheRules } from '../support/formatPlans.ts';

/** Written once by the version that brought the format, and never edited: parts in base64, and the rows after a restore. */
const golden = JSON.parse(readFileSync('test/fixtures/snapshots.format1.json', 'utf8')) as Record<string, { readonly parts: string[]; readonly rows: string[] }>;

const shownRows = (rows: readonly object[]): string[] => rows.map((row) => inspect(row, { depth: 9, breakLength: Infinity })).sort();

/** Exactly, but for what is computed by another formula, in its last digits, and for sketches, as far off as they may be. */
function close(column: string, value: unknown, expected: unknown): boolean {
  const tolerance = { ever: 0.01, distinct: 0.15, stddev: 1e-9, ema: 1e-9, corr: 1e-9 }[column];
  if (tolerance === undefined) return isDeepStrictEqual(value, expected);
  if (Array.isArray(value) && Array.isArray(expected)) return value.every((one, i) => close(column, one, expected[i]));
  if (column === 'stddev' && value === Infinity) return Number(expected) > 1e154; // its square is beyond doubles
  return Object.is(value, expected) || Math.abs(Number(value) - Number(expected)) <= tolerance * Math.abs(Number(expected));
}

describe.each(Object.keys(formatPlans))('format 1, %s', (name) => {
  const parts = golden[name]!.parts.map((part) => new Uint8Array(Buffer.from(part, 'base64')));

  test('what was written then is read, and goes on as it did', () => {
    expect(parts.map((part) => describeSnapshot(part).base)).toEqual([true, false]);
    expect(shownRows(rowsAfter(name, parts))).toEqual(golden[name]!.rows);
  });

  test('and that is what the naive engine gives, which was never at rest', () => {
    const key = (row: Columns): string => inspect([row['__frontier'], row['k'], row['l']]);
    const inOrder = (rows: readonly Columns[]): Columns[] => rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
    const [rows, expected] = [rowsAfter(name, parts), rowsByTheRules(name)].map(inOrder) as [Columns[], Columns[]];
    expect(rows.map(key)).toEqual(expected.map(key));
    rows.forEach((row, i) => {
      for (const [column, value] of Object.entries(expected[i]!)) expect(close(column, row[column], value), `${key(row)} ${column}: ${inspect(row[column])} for ${inspect(value)}`).toBe(true);
    });
  });

  test('what is written today goes on alike', () => {
    expect(shownRows(rowsAfter(name, partsOf(name)))).toEqual(golden[name]!.rows);
  });
});
