import { from, Subject } from 'rxjs';
import { count, createEngine, preceding, range, rollingWindowFrom, sum } from 'rxjs-rolling-window';
import { memoryStore } from 'rxjs-rolling-window/checkpoint';
import { manualScheduler } from 'rxjs-rolling-window/testing';
import { expect, test } from 'vitest';
import { rowsFrom, tableFrom } from '../../../examples/recipes/restored.ts';

interface Sale {
  readonly region: string;
  readonly revenue: number;
  readonly at: number;
}
const minute = preceding(range('1 minute'));
const open = () => createEngine<Sale>()({ partitionBy: 'region', orderBy: 'at', measures: [sum('revenue').over(minute).as('revenue'), count().over(minute).as('sales')] });

const sales: readonly Sale[] = [
  { region: 'eu', revenue: 20, at: 1000 },
  { region: 'us', revenue: 7, at: 2000 },
  { region: 'eu', revenue: 1, at: 3000 },
  { region: 'asia', revenue: 5, at: 4000 },
];
const shown = (row: { readonly region: string; readonly revenue: number | null; readonly sales: number }): string => `${row.region}: ${String(row.revenue)} from ${String(row.sales)}`;

test('after a restart all rows of the checkpoint come, then those that change', async () => {
  const scheduler = manualScheduler(4000), store = memoryStore();
  await new Promise<void>((complete) => rollingWindowFrom(() => from(sales.slice(0, 3)), open(), { scheduler, checkpoint: { store } }).subscribe({ complete }));

  const rows: string[] = [], positions: number[] = [];
  const later$ = new Subject<Sale>();
  const sourceAt = ({ events }: { readonly events: number }) => {
    positions.push(events);
    return later$;
  };
  const subscription = rowsFrom(sourceAt, open(), { scheduler, checkpoint: { store } }).subscribe((row) => rows.push(shown(row)));
  await new Promise((turn) => setTimeout(turn));
  expect([positions, rows]).toEqual([[3], ['eu: 21 from 2', 'us: 7 from 1']]);
  later$.next(sales[3]!);
  expect(rows.splice(0)).toEqual(['eu: 21 from 2', 'us: 7 from 1', 'asia: 5 from 1']);
  scheduler.moveTo(61_000);
  expect(rows).toEqual(['eu: 1 from 1']);
  let hasEnded = false;
  subscription.add(() => (hasEnded = true));
  later$.complete();
  await new Promise((turn) => setTimeout(turn));
  expect(hasEnded).toBe(true);
});

test('where nothing was saved there are only changes', async () => {
  const rows: string[] = [];
  await new Promise<void>((complete) => rowsFrom(() => from(sales), open(), { scheduler: manualScheduler(4000), checkpoint: { store: memoryStore() } }).subscribe({ next: (row) => rows.push(shown(row)), complete }));
  expect(rows).toEqual(['eu: 20 from 1', 'us: 7 from 1', 'eu: 21 from 2', 'asia: 5 from 1']);
});

test('a table of what was restored by hand is there at once, and loses the keys that go', () => {
  const scheduler = manualScheduler(4000), before = open(), engine = open();
  before.pushAll(sales.slice(0, 3), 3000);
  before.advance(3000);
  engine.restore(before.snapshot());

  const tables: string[][] = [];
  const later$ = new Subject<Sale>();
  const subscription = tableFrom(later$, engine, ['region'], { scheduler }).subscribe((table) => tables.push(Array.from(table.values(), shown)));
  expect(tables.splice(0)).toEqual([['eu: 21 from 2', 'us: 7 from 1']]);
  later$.next(sales[3]!);
  expect(tables.splice(0)).toEqual([['eu: 21 from 2', 'us: 7 from 1', 'asia: 5 from 1']]);
  scheduler.moveTo(62_000);
  expect(tables).toEqual([['eu: 1 from 1', 'us: 7 from 1', 'asia: 5 from 1'], ['eu: 1 from 1', 'asia: 5 from 1']]);
  subscription.unsubscribe();
});
