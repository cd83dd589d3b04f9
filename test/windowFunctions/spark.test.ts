import { describe, expect, test } from 'vitest';
import {
  count,
  cumeDist,
  currentRow,
  denseRank,
  desc,
  firstValue,
  lag,
  lastValue,
  lead,
  max,
  min,
  nthValue,
  ntile,
  percentRank,
  rank,
  sum,
  unboundedFollowing,
  unboundedPreceding,
  Window,
  windowColumns,
} from 'rxjs-rolling-window';
import fixture from '../fixtures/sparkWindows.json' with { type: 'json' };

type Cell = string | number | null;
type Row = Record<string, unknown>;

/** A table of the fixture as rows. */
const table = <T extends Row>(cells: readonly (readonly Cell[])[], ...names: (keyof T & string)[]): T[] => cells.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]!])) as T);

type Product = Record<'product' | 'category', string> & Record<'revenue', number>;
const products = table<Product>(fixture.tables.productRevenue, 'product', 'category', 'revenue');
type Value = Record<'val', number | null> & Record<'cate', string | null>;
const values = table<Value>(fixture.tables['testData(val,val_long,val_double,cate)'], 'val', 'val_long' as never, 'val_double' as never, 'cate');
type Content = Record<'content', string> & Record<'id', number> & Record<'v', string | null>;
const contents = table<Content>(fixture.tables['test_ignore_null(content,id,v)'], 'content', 'id', 'v');

const perCategory = Window.partitionBy('category');
const best = perCategory.orderBy(desc('revenue'));
const perCate = Window.partitionBy('cate');
const byId = Window.orderBy('id');
const ignoreNulls = { ignoreNulls: true };

/** The queries of the fixture, in our words. Each gives rows in any order. */
const queries: Record<keyof typeof fixture.window, () => readonly Row[]> = {
  blog_top2: () => windowColumns(products, { columns: [denseRank().over(best).as('rk')] }).filter(({ rk }) => rk <= 2),
  blog_diff: () =>
    windowColumns(products, { columns: [max('revenue').over(best.rangeBetween(unboundedPreceding, unboundedFollowing)).as('best')] }).map((row) => ({ ...row, revenue_difference: row.best! - row.revenue })),
  ranking: () => windowColumns(products, { columns: [rank().over(best).as('rk'), denseRank().over(best).as('drk'), percentRank().over(best).as('pr'), cumeDist().over(best).as('cd')] }),
  range_2000p_1000f: () => {
    const near = perCategory.orderBy('revenue').rangeBetween(-2000, 1000);
    return windowColumns(products, { columns: [count().over(near).as('c'), sum('revenue').over(near).as('s'), min('revenue').over(near).as('mn'), max('revenue').over(near).as('mx')] });
  },
  rows_1p_1f: () => windowColumns(products, { columns: [sum('revenue').over(perCategory.orderBy('revenue', 'product').rowsBetween(-1, 1)).as('s')] }),
  default_frame_running: () =>
    windowColumns(products, { columns: [sum('revenue').over(perCategory.orderBy('revenue')).as('s'), lastValue('product').over(perCategory.orderBy('revenue', 'product')).as('lv')] }),
  null_range_1p: () =>
    windowColumns(values, {
      columns: [
        count('val').over(perCate.orderBy('val').rangeBetween(-1, currentRow)).as('c'),
        sum('val').over(perCate.orderBy('val').rangeBetween(currentRow, 1)).as('s'),
        sum('val').over(perCate.orderBy(desc('val')).rangeBetween(currentRow, 1)).as('sd'),
      ],
    }),
  ignore_nulls: () =>
    windowColumns(contents, {
      columns: [
        lead('v', 0, null, ignoreNulls).over(byId).as('lead0'),
        lead('v', 1, null, ignoreNulls).over(byId).as('lead1'),
        lead('v', 2, null, ignoreNulls).over(byId).as('lead2'),
        lag('v', 0, null, ignoreNulls).over(byId).as('lag0'),
        lag('v', 1, null, ignoreNulls).over(byId).as('lag1'),
        lag('v', 2, null, ignoreNulls).over(byId).as('lag2'),
        nthValue('v', 2, ignoreNulls).over(byId).as('nth2'),
        firstValue('v', ignoreNulls).over(byId).as('fv'),
        lastValue('v', ignoreNulls).over(byId).as('lv'),
      ],
    }),
  ntile: () =>
    [[4, 2], [3, 10], [2, 5]].flatMap(([b = 0, length = 0]) => windowColumns(Array.from({ length }, (_, x) => ({ b, x })), { columns: [ntile(b).over(Window.orderBy('x')).as('n')] })),
};

describe("what Spark's own tests expect", () => {
  test.each(Object.entries(fixture.window))('%s', (name, { columns, rows }) => {
    const given = queries[name as keyof typeof queries]().map((row) => columns.map((column) => row[column]));

    expect(sorted(given)).toEqual(sorted(rows));
  });
});

/** In an order of its own: the queries say in which they want to be shown, which is not what is tested. */
const sorted = (rows: readonly unknown[][]): unknown[][] => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
