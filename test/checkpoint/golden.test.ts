import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { describeSnapshot } from '../../src/index.ts';
import { formatPlans, partsOf, rowsAfter } from '../support/formatPlans.ts';

/** Written once by the version that brought the format, and never edited: parts in base64, and the rows after a restore. */
const golden = JSON.parse(readFileSync('test/fixtures/snapshots.format1.json', 'utf8')) as Record<string, { readonly parts: string[]; readonly rows: string[] }>;

const shownRows = (rows: readonly object[]): string[] => rows.map((row) => inspect(row, { depth: 9, breakLength: Infinity })).sort();

describe.each(Object.keys(formatPlans))('format 1, %s', (name) => {
  const parts = golden[name]!.parts.map((part) => new Uint8Array(Buffer.from(part, 'base64')));

  test('what was written then is read, and goes on as it did', () => {
    expect(parts.map((part) => describeSnapshot(part).base)).toEqual([true, false]);
    expect(shownRows(rowsAfter(name, parts))).toEqual(golden[name]!.rows);
  });

  test('what is written today goes on alike', () => {
    expect(shownRows(rowsAfter(name, partsOf(name)))).toEqual(golden[name]!.rows);
  });
});
