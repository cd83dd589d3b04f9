import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLiveTable, type RowChange } from '../../src/liveTable/index.ts';
import { NaiveTable } from '../support/naiveTable.ts';
import { TableOfChanges } from '../support/tableOfChanges.ts';

interface Standing {
  readonly a: string | number | Date | null | undefined;
  readonly b: number | null;
  readonly v: unknown;
}
const part = fc.constantFrom('x', 'y', 1, '1', null, undefined, new Date(5), '5', NaN);
const standing: fc.Arbitrary<Standing> = fc.record({ a: part, b: fc.constantFrom(1, 0, -0, null), v: fc.oneof(fc.nat(2), fc.constantFrom(NaN, null, 'dead', 'dead'), fc.array(fc.nat(1), { maxLength: 2 })) }, { noNullPrototype: true });
const key = fc.record({ a: part.map((value) => value ?? null), b: fc.constantFrom(1, 0, null) }, { noNullPrototype: true });

const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('row' as const), standing) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('rows' as const), fc.array(standing, { maxLength: 6 })) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('batch' as const), fc.record({ rows: fc.array(standing, { maxLength: 5 }), removed: fc.array(key, { maxLength: 3 }) })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('delete' as const), fc.array(key, { maxLength: 3 })) },
  { weight: 1, arbitrary: fc.constant(['restart'] as const) },
);

const dead = ({ v }: Standing): boolean => v === 'dead';
const putOf = (row: Standing) => [row, dead(row) ? undefined : row] as const;
/** The changes without their order, which is no contract. */
const sorted = (changes: readonly RowChange<Standing>[]): unknown[] => changes.map((change) => inspect(change, { sorted: true })).sort();

test('changes, rows and what a consumer keeps are those of the plain list, across restarts', () => {
  fc.assert(
    fc.property(fc.constantFrom<('a' | 'b')[]>(['a', 'b'], ['a'], []), fc.array(step, { maxLength: 40, size: 'max' }), (columns, steps) => {
      const naive = new NaiveTable<Standing>(columns), open = () => createLiveTable<Standing>()({ key: columns, deleted: dead });
      let table = open(), consumer = new TableOfChanges<Standing>();
      for (const [what, given] of steps) {
        if (what === 'restart') {
          const bytes = table.snapshot();
          table = open();
          table.restore(bytes);
          expect(table.snapshot()).toEqual(bytes);
          consumer = new TableOfChanges();
          consumer.take(table.rows.map((after) => ({ kind: 'insert', after })));
          continue;
        }
        const puts = what === 'row' ? [putOf(given)] : what === 'rows' ? given.map(putOf) : what === 'batch' ? [...given.rows.map(putOf), ...given.removed.map((gone) => [gone, undefined] as const)] : given.map((gone) => [gone, undefined] as const);
        const expected = naive.put(puts), changes = what === 'delete' ? table.delete(given) : table.apply(given);
        expect(sorted(changes)).toEqual(sorted(expected));
        consumer.take(changes);
        expect(table.rows).toEqual(naive.rows);
        expect(consumer.rows).toEqual(naive.rows);
        expect(table.size).toBe(naive.rows.length);
      }
      for (const row of naive.rows) expect(table.get(row as never)).toEqual(row);
    }),
    { numRuns: 1500 },
  );
}, 120_000);

test('with limits, the rows are the newest by their last update, and nothing leaves of a row that came and went within one input', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(fc.array(fc.record({ k: fc.nat(6), v: fc.nat(2) }), { maxLength: 7 }), { maxLength: 25 }), (maxKeys, inputs) => {
      const table = createLiveTable<{ k: number; v: number }>()({ key: 'k', limits: { maxKeys, onLimit: 'evict-idle' } });
      const consumer = new TableOfChanges<{ k: number; v: number }>();
      let naive: { k: number; v: number }[] = []; // the idlest first
      for (const rows of inputs) {
        const keys = [...new Set(rows.map(({ k }) => k))], last = keys.map((k) => rows.findLast((row) => row.k === k)!);
        const known = last.filter(({ k }) => naive.some((row) => row.k === k)), fresh = last.filter((row) => !known.includes(row));
        naive = [...naive.filter(({ k }) => !keys.includes(k)), ...known, ...fresh].slice(-maxKeys);
        const before = consumer.rows, changes = table.apply(rows);
        consumer.take(changes);
        expect(new Set(table.rows)).toEqual(new Set(naive));
        expect(consumer.rows).toEqual(table.rows);
        for (const change of changes) if (change.kind === 'insert') expect(before.some(({ k }) => k === change.after.k)).toBe(false);
        expect(changes.filter((change) => change.kind !== 'insert').every((change) => before.includes(change.before))).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
}, 60_000);
