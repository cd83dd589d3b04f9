import fc from 'fast-check';
import initSqlJs, { type Database } from 'sql.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  asc,
  avg,
  count,
  cumeDist,
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
  rowNumber,
  sum,
  unboundedFollowing,
  unboundedPreceding,
  Window,
  windowColumns,
  type OrderedWindow,
  type WindowSpec,
} from 'rxjs-rolling-window';

let database: Database;
beforeAll(async () => {
  database = new (await initSqlJs()).Database();
});
afterAll(() => database.close());

interface Row {
  readonly id: number;
  readonly k: string | null;
  readonly o: number | null;
  readonly v: number | null;
}

const rows: fc.Arbitrary<Row[]> = fc
  .array(fc.record({ k: fc.constantFrom('a', 'b', null), o: fc.constantFrom(null, -3, 0, 1, 1.5, 2, 4, 10), v: fc.constantFrom(null, 0, 1, 2, -7, 0.5, 1024) }), { maxLength: 30, size: 'max' })
  .map((some) => some.map((row, id) => ({ id, ...row })));

type Bound = number | 'unbounded';
interface Drawn {
  readonly partitioned: boolean;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last';
  readonly frame: readonly [unit: 'rows' | 'range', start: Bound, end: Bound] | undefined;
}

const bound: fc.Arbitrary<Bound> = fc.oneof(fc.constant('unbounded' as const), fc.integer({ min: -4, max: 4 }));
const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    partitioned: fc.boolean(),
    descending: fc.boolean(),
    nulls: fc.constantFrom('first' as const, 'last' as const),
    frame: fc.option(fc.tuple(fc.constantFrom('rows' as const, 'range' as const), bound, bound), { nil: undefined }),
  })
  .filter(({ frame }) => frame === undefined || frame[1] === 'unbounded' || frame[2] === 'unbounded' || frame[1] <= frame[2]);

/** The window in SQL. Rows are told apart by their id, in which they came: SQLite leaves the order of peers open. */
function inSql({ partitioned, descending, nulls, frame }: Drawn, unit: 'rows' | 'range' = frame?.[0] ?? 'range'): string {
  const tie = unit === 'range' ? '' : ', id';
  const text = (offset: Bound, end: 'preceding' | 'following'): string =>
    offset === 'unbounded' ? `unbounded ${end}` : offset === 0 ? 'current row' : `${Math.abs(offset)} ${offset < 0 ? 'preceding' : 'following'}`;
  const between = frame === undefined ? '' : `${frame[0]} between ${text(frame[1], 'preceding')} and ${text(frame[2], 'following')}`;
  return `(${partitioned ? 'partition by k' : ''} order by o ${descending ? 'desc' : 'asc'} nulls ${nulls}${tie} ${between})`;
}

function ours({ partitioned, descending, nulls, frame }: Drawn): { readonly framed: WindowSpec<'k', 'o', 'o'>; readonly plain: OrderedWindow<'k', 'o', 'o'> } {
  const plain = Window.partitionBy(...(partitioned ? (['k'] as const) : [])).orderBy((descending ? desc : asc)('o', { nulls }));
  if (frame === undefined) return { framed: plain, plain };
  const [unit, start, end] = frame;
  const [from, to] = [start === 'unbounded' ? unboundedPreceding : start, end === 'unbounded' ? unboundedFollowing : end];
  return { framed: unit === 'rows' ? plain.rowsBetween(from, to) : plain.rangeBetween(from, to), plain };
}

/** What a query answers, by id. */
function asked(table: readonly Row[], columns: Readonly<Record<string, string>>): unknown[][] {
  database.run('create temp table t (id integer, k text, o real, v real)');
  try {
    for (const { id, k, o, v } of table) database.run('insert into t values (?, ?, ?, ?)', [id, k, o, v]);
    const names = Object.entries(columns).map(([name, text]) => `${text} as ${name}`);
    return database.exec(`select ${names.join(', ')} from t order by id`)[0]?.values ?? [];
  } finally {
    database.run('drop table t');
  }
}

const numRuns = Number(process.env['COURSES'] ?? 150);
const timeout = 60_000;

test('frames are those of SQLite', { timeout }, () => {
  fc.assert(
    fc.property(rows, drawn, (table, one) => {
      const { framed } = ours(one), over = inSql(one);
      const given = windowColumns(table, {
        columns: [
          count().over(framed).as('c'),
          count('v').over(framed).as('cv'),
          sum('v').over(framed).as('s'),
          avg('v').over(framed).as('a'),
          min('v').over(framed).as('mn'),
          max('v').over(framed).as('mx'),
          firstValue('v').over(framed).as('fv'),
          lastValue('v').over(framed).as('lv'),
          nthValue('v', 2).over(framed).as('nv'),
        ],
      });
      // Of peers SQLite may show any first.
      const names = { c: 'count(*)', cv: 'count(v)', s: 'sum(v)', a: 'avg(v)', mn: 'min(v)', mx: 'max(v)', ...(one.frame?.[0] === 'rows' && { fv: 'first_value(v)', lv: 'last_value(v)', nv: 'nth_value(v, 2)' }) };
      const expected = asked(table, Object.fromEntries(Object.entries(names).map(([name, text]) => [name, `${text} over ${over}`])));

      expect(given.map((row) => Object.keys(names).map((name) => row[name as keyof typeof row]))).toEqual(expected);
    }),
    { numRuns },
  );
});

test('ranks and neighbours are those of SQLite', { timeout }, () => {
  fc.assert(
    fc.property(rows, drawn, fc.integer({ min: 1, max: 5 }), (table, drawn, n) => {
      const one = { ...drawn, frame: undefined }, { plain } = ours(one), peers = inSql(one, 'range'), single = inSql(one, 'rows');
      const given = windowColumns(table, {
        columns: [
          rank().over(plain).as('r'),
          denseRank().over(plain).as('d'),
          percentRank().over(plain).as('p'),
          cumeDist().over(plain).as('cd'),
          rowNumber().over(plain).as('rn'),
          ntile(n).over(plain).as('nt'),
          lag('v').over(plain).as('l1'),
          lag('v', n, -1).over(plain).as('ln'),
          lead('v', n).over(plain).as('fn'),
          sum('v').over(plain).as('s'),
        ],
      });
      const names = { r: `rank() over ${peers}`, d: `dense_rank() over ${peers}`, p: `percent_rank() over ${peers}`, cd: `cume_dist() over ${peers}`, rn: `row_number() over ${single}`, nt: `ntile(${n}) over ${single}`, l1: `lag(v) over ${single}`, ln: `lag(v, ${n}, -1) over ${single}`, fn: `lead(v, ${n}) over ${single}`, s: `sum(v) over ${peers}` };

      expect(given.map((row) => Object.keys(names).map((name) => row[name as keyof typeof names]))).toEqual(asked(table, names));
    }),
    { numRuns },
  );
});
