import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { collect, count, max, sum } from '../../../operators/index.ts';
import { asc, createLiveTable, currentRow, denseRank, desc, firstValue, lag, liveTable, ntile, rank, rowNumber, unboundedFollowing, unboundedPreceding, Window, windowColumns, windowFunctions, type RowChange, type TableInput } from '../../../operators/windowFunctions/index.ts';
import { TableOfChanges } from '../../support/tableOfChanges.ts';

interface Standing {
  readonly id: number;
  readonly team: string | null;
  readonly points: number | null;
  readonly at: number;
}

const perTeam = Window.partitionBy('team').orderBy(desc('points'));
const overall = Window.orderBy(desc('points'), 'at');
const columns = [
  rank().over(perTeam),
  denseRank().over(overall),
  rowNumber().over(perTeam).as('place'),
  ntile(2).over(Window.partitionBy('team', 'at').orderBy(asc('points', { nulls: 'last' }))),
  lag('id', 1, -1).over(perTeam).as('ahead'),
  firstValue('points').over(Window.partitionBy('team').orderBy('at').rangeBetween(-1, 1)),
  sum('points').over(perTeam),
  max('points').over(Window.partitionBy('team').orderBy('at').rowsBetween(-1, currentRow)),
  count().over(Window.partitionBy('at')).filter<Standing>(({ points }) => points !== 1),
  collect('id', 9).over(Window.partitionBy('team').rowsBetween(unboundedPreceding, unboundedFollowing)),
] as const;

const standing: fc.Arbitrary<Standing> = fc.record(
  { id: fc.nat(9), team: fc.constantFrom('a', 'b', null), points: fc.constantFrom(0, 1, 2, 2, 3, null, NaN), at: fc.nat(2) },
  { noNullPrototype: true },
);
const batch = fc.record({ rows: fc.array(standing, { maxLength: 6 }), removed: fc.array(fc.record({ id: fc.nat(9) }), { maxLength: 3 }) });
const step = fc.oneof({ weight: 9, arbitrary: batch }, { weight: 1, arbitrary: fc.constant('restart' as const) });

test('what a consumer keeps of the changes is windowFunctions of the whole table, and each change is one', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25, size: 'max' }), fc.constantFrom(undefined, 4), (steps, maxKeys) => {
      const open = () => createLiveTable<Standing>()({ key: 'id', limits: { maxKeys, onLimit: 'evict-idle' } });
      const begin = (table = open()) => {
        const consumer = new TableOfChanges<object>(), rows$ = new Subject<TableInput<Standing, { readonly id: number }>>(), emitted: (readonly RowChange<object>[])[] = [];
        rows$.pipe(liveTable(table), windowFunctions({ columns })).subscribe((changes) => emitted.push(changes));
        return { table, consumer, rows$, emitted };
      };
      let run = begin();
      for (const given of steps) {
        if (given === 'restart') {
          const restored = open();
          restored.restore(run.table.snapshot());
          run = begin(restored);
        } else run.rows$.next(given);
        const { table, consumer, emitted } = run;
        expect(emitted.length).toBeLessThanOrEqual(1);
        for (const changes of emitted.splice(0)) {
          expect(changes).not.toEqual([]);
          for (const change of changes) if (change.kind === 'update') expect(change.after).not.toEqual(change.before);
          consumer.take(changes);
        }
        expect(consumer.rows).toEqual(windowColumns(table.rows, { columns }));
      }
    }),
    { numRuns: 400 },
  );
}, 120_000);
