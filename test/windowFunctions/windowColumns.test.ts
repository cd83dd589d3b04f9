import { describe, expect, test } from 'vitest';
import {
  asc,
  avg,
  collect,
  count,
  createEngine,
  currentRow,
  desc,
  ema,
  firstValue,
  lag,
  last,
  max,
  nthValue,
  ntile,
  preceding,
  range,
  rank,
  RollingWindowError,
  rowNumber,
  slope,
  sum,
  udaf,
  unboundedFollowing,
  unboundedPreceding,
  Window,
  windowColumns,
} from 'rxjs-rolling-window';

type Row = Record<string, unknown>;

/** Without the compiler. */
const unchecked = windowColumns as unknown as (rows: unknown, config: unknown) => Row[];

/** The column `answer` of each row. */
const answers = (rows: readonly object[], column: { as(name: string): unknown }): unknown[] => unchecked(rows, { columns: [column.as('answer')] }).map((row) => row['answer']);

/** The code of what a program throws. */
function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof RollingWindowError ? String(error.code) : String(error);
  }
  return 'nothing thrown';
}

const byAt = Window.orderBy('at');

describe('windows', () => {
  test('are frozen, and each step gives a new one', () => {
    const perKey = Window.partitionBy('k'), ordered = perKey.orderBy(desc('at')), framed = ordered.rowsBetween(-1, currentRow);

    for (const window of [Window, perKey, ordered, framed, framed.partitionColumns, framed.order, framed.order[0], framed.frame]) expect(window).toSatisfy(Object.isFrozen);
    expect([perKey.order, ordered.frame]).toEqual([[], undefined]);
    expect(framed).toMatchObject({ partitionColumns: ['k'], order: [{ column: 'at', descending: true, nulls: 'last' }], frame: { unit: 'rows', start: -1, end: 0 } });
  });

  test.each([
    ['a column that is no text', () => Window.partitionBy(5 as never)],
    ['no column to order by', () => Window.partitionBy('k').orderBy(...([] as unknown as ['k']))],
    ['an order that is none', () => Window.orderBy({ column: 'at' } as never)],
    ['nulls at no end', () => asc('at', { nulls: 'middle' as never })],
    ['a frame that begins behind its end', () => byAt.rowsBetween(1, currentRow)],
    ['a range that begins behind its end', () => byAt.rangeBetween({ following: 5 }, { following: 4 })],
    ['a frame that begins at the end', () => byAt.rowsBetween(unboundedFollowing as never, unboundedFollowing)],
    ['a frame that ends at the beginning', () => byAt.rowsBetween(unboundedPreceding, unboundedPreceding as never)],
    ['half a row', () => byAt.rowsBetween(-0.5, currentRow)],
    ['an offset that is no number', () => byAt.rangeBetween(NaN, currentRow)],
    ['an offset that is infinite', () => byAt.rangeBetween(-Infinity, currentRow)],
    ['a length of time in rows', () => byAt.rowsBetween({ preceding: '1 hour' } as never, currentRow)],
    ['a length of time in both directions', () => byAt.rangeBetween({ preceding: 1, following: 1 } as never, currentRow)],
    ['a range with an offset over two columns', () => Window.orderBy('at', 'v').rangeBetween(-1, currentRow)],
    ['a rank without an order', () => rank().over(Window.partitionBy('k') as never)],
    ['a rank over a frame', () => rank().over(byAt.rowsBetween(-1, currentRow) as never)],
    ['a rank over what is no window', () => rank().over(preceding(range(1)) as never)],
    ['a neighbour half a row away', () => lag('v', 0.5)],
    ['no share', () => ntile(0)],
    ['the row before the first', () => nthValue('v', 0)],
    ['the value of no column', () => firstValue(5 as never)],
    ['a name that is none', () => rank().over(byAt).as('')],
    ['no list of columns', () => unchecked([], { columns: rank().over(byAt) })],
    ['a function without its window', () => unchecked([], { columns: [rank()] })],
    ['a measure without its window', () => unchecked([], { columns: [sum('v').over(preceding(range(1)))] })],
    ['an average over time without an order', () => unchecked([], { columns: [ema('v', 5).over(Window.partitionBy())] })],
    ['an average over time backwards', () => unchecked([], { columns: [slope('v').over(Window.orderBy(desc('at')))] })],
    ['an average over texts', () => unchecked([{ at: 'a' }], { columns: [ema('v', 5).over(byAt)] })],
    ['texts with differences', () => unchecked([{ at: 'a' }], { columns: [count().over(byAt.rangeBetween(-1, currentRow))] })],
    ['booleans with differences', () => unchecked([{ at: true }], { columns: [count().over(byAt.rangeBetween(-1, currentRow))] })],
    ['bigints with lengths of time', () => unchecked([{ at: 1n }], { columns: [count().over(byAt.rangeBetween({ preceding: '1 hour' }, currentRow))] })],
  ])('%s is the error invalid-window', (_, run) => {
    expect(codeOf(run)).toBe('invalid-window');
  });

  test('a length of time that none can read is one as everywhere', () => {
    expect(codeOf(() => byAt.rangeBetween({ preceding: '1 houer' as never }, currentRow))).toBe('invalid-duration');
  });

  test('a measure takes a window once, and none beside a frame', () => {
    expect(codeOf(() => (sum('v').over(byAt) as never as ReturnType<typeof sum>).over(byAt))).toBe('invalid-measure');
    expect(codeOf(() => (sum('v').over(preceding(range(1))) as never as ReturnType<typeof sum>).over(byAt))).toBe('invalid-measure');
  });

  test('a column over a window is no measure of an engine', () => {
    expect(codeOf(() => createEngine<{ v: number; at: number }>()({ partitionBy: [], orderBy: 'at', measures: [sum('v').over(byAt)] as never }))).toBe('invalid-measure');
  });
});

describe('rows', () => {
  test('that came in are not changed, and those that leave are new', () => {
    const rows = [Object.freeze({ v: 1, at: 2 }), Object.freeze({ v: 2, at: 1 })], given = windowColumns(rows, { columns: [rowNumber().over(byAt).as('n')] });

    expect(given).toEqual([{ v: 1, at: 2, n: 2 }, { v: 2, at: 1, n: 1 }]);
    expect(given[0]).not.toBe(rows[0]);
  });

  test('may be none', () => {
    expect(windowColumns([] as { at: number }[], { columns: [rank().over(byAt), count().over(Window.partitionBy())] })).toEqual([]);
  });

  test('may have columns of their own each; what they lack is null', () => {
    expect(windowColumns([{ at: 1, v: 5 }, { at: 2, w: 7 } as never, { v: 1 } as never], { columns: [lag('v').over(byAt), sum('v').over(byAt)] })).toEqual([
      { at: 1, v: 5, 'lag(v)': 1, 'sum(v)': 6 },
      { at: 2, w: 7, 'lag(v)': 5, 'sum(v)': 6 },
      { v: 1, 'lag(v)': null, 'sum(v)': 1 },
    ]);
  });

  test('may have a column that objects have a prototype by', () => {
    const [row] = windowColumns([JSON.parse('{"__proto__":{"stolen":1},"at":1}') as { at: number }], { columns: [rank().over(byAt)] });

    expect(Object.keys(row!)).toEqual(['__proto__', 'at', 'rank()']);
    expect(row).not.toHaveProperty('stolen');
  });

  test.each([
    ['a name that a row has already', 'duplicate-column', () => unchecked([{ at: 1 }, { at: 2, n: 5 }], { columns: [rank().over(byAt).as('n')] })],
    ['two columns of one name', 'duplicate-column', () => unchecked([], { columns: [rank().over(byAt), rank().over(byAt)] })],
    ['what is no list', 'invalid-value', () => unchecked({}, { columns: [rank().over(byAt)] })],
    ['what is no row', 'invalid-value', () => unchecked([{ at: 1 }, null], { columns: [rank().over(byAt)] })],
    ['what is no configuration', 'invalid-config', () => unchecked([], null)],
    ['what has no order', 'invalid-value', () => unchecked([{ at: {} }], { columns: [rank().over(byAt)] })],
    ['an invalid date', 'invalid-value', () => unchecked([{ at: new Date(NaN) }], { columns: [rank().over(byAt)] })],
    ['two types in an order', 'invalid-value', () => unchecked([{ at: 1 }, { at: '1' }], { columns: [rank().over(byAt)] })],
    ['a date among numbers', 'invalid-value', () => unchecked([{ at: 1 }, { at: new Date(1) }], { columns: [rank().over(byAt)] })],
    ['what is no key', 'invalid-key', () => unchecked([{ k: {} }], { columns: [count().over(Window.partitionBy('k'))] })],
    ['a text in a sum', 'invalid-value', () => unchecked([{ v: '1' }], { columns: [sum('v').over(Window.partitionBy())] })],
    ['bigints among numbers', 'invalid-value', () => unchecked([{ v: 1 }, { v: 1n }], { columns: [sum('v').over(Window.partitionBy())] })],
  ])('%s is the error %s', (_, code, run) => {
    expect(codeOf(run)).toBe(code);
  });
});

describe('measures over windows', () => {
  test('a date that leaves is nobody else’s', () => {
    const at = new Date(5), [row] = windowColumns([{ at }], { columns: [max('at').over(byAt), lag('at', 0).over(byAt), firstValue('at').over(byAt)] });
    at.setTime(7);

    expect(Object.values(row!).slice(1)).toEqual([new Date(5), new Date(5), new Date(5)]);
  });

  test('lists are of each row alone', () => {
    const given = windowColumns([{ v: 1 }, { v: 2 }], { columns: [collect('v', 5).over(Window.partitionBy())] });
    given[0]!['collect_list(v)'].push(3);

    expect(given[1]!['collect_list(v)']).toEqual([1, 2]);
  });

  test.each([['taken out', true], ['only merged', false]])('a list that a user finishes with is of each row alone, where values are %s', (_how, retracts) => {
    const listed = udaf({
      name: 'listed',
      zero: (): number[] => [],
      reduce: (state, value: number) => (state.push(value), state),
      merge: (into, from) => (into.push(...from), into),
      finish: (state) => state,
      ...(retracts && { retract: (state: number[]) => (state.shift(), state) }),
    });
    const rows = windowColumns([1, 2, 3, 3].map((at) => ({ at })), { columns: [listed('at').over(byAt.rowsBetween(-1, currentRow)).as('two'), listed('at').over(byAt).as('all')] });

    expect(rows.map(({ two }) => two)).toEqual([[1], [1, 2], [2, 3], [3, 3]]);
    expect(rows.map(({ all }) => all)).toEqual([[1], [1, 2], [1, 2, 3, 3], [1, 2, 3, 3]]);
    expect(rows[2]!.all).not.toBe(rows[3]!.all);
  });

  test.each([['taken out', true], ['only merged', false]])('a frame that many rows have is answered once, where values are %s', (_how, retracts) => {
    let asked = 0;
    const counted = udaf({
      name: 'counted',
      zero: (): number => 0,
      reduce: (state, value: number) => state + value,
      merge: (into, from) => into + from,
      finish: (state) => (asked++, state),
      ...(retracts && { retract: (state: number, value: number) => state - value }),
    });
    const rows = Array.from({ length: 100 }, (_, at) => ({ one: 1, k: at % 4 }));

    expect(new Set(answers(rows, counted('one').over(Window.partitionBy('k'))))).toEqual(new Set([25]));
    expect(asked).toBe(4);
  });

  test('last goes by the order of rows, also where their times are equal', () => {
    expect(answers([{ at: 1, v: 'a' }, { at: 1, v: 'b' }, { at: 1, v: 'c' }], last('v').over(byAt.rowsBetween(unboundedPreceding, -1)))).toEqual([null, 'a', 'b']);
  });

  test('nothing is left of what went out: no infinity, no rounding', () => {
    const rows = [0.1, Infinity, 1e300, 0.1, 0.2].map((v, at) => ({ v, at }));

    expect(answers(rows, sum('v').over(byAt.rowsBetween(-1, currentRow)))).toEqual([0.1, Infinity, Infinity, 1e300, 0.1 + 0.2]);
    expect(answers(rows, avg('v').over(byAt.rowsBetween(1, 1)))).toEqual([Infinity, 1e300, 0.1, 0.2, null]);
  });

  test('sums beyond the largest double come back', () => {
    expect(answers([1.5e308, 1.2e308, -1.4e308].map((v, at) => ({ v, at })), sum('v').over(byAt))).toEqual([1.5e308, Infinity, Number(BigInt(1.5e308) + BigInt(1.2e308) - BigInt(1.4e308))]);
  });

  test('a range over bigints is exact, and takes offsets between them', () => {
    const rows = [2n ** 70n, 2n ** 70n + 1n, 2n ** 70n + 3n].map((at) => ({ at }));

    expect(answers(rows, count().over(byAt.rangeBetween(-1.5, currentRow)))).toEqual([1, 2, 1]);
    expect(answers(rows, count().over(byAt.rangeBetween(currentRow, 2)))).toEqual([2, 2, 1]);
  });

  test('a length of time goes over dates and epochs alike', () => {
    const hours = [0, 0.5, 1.5, 4].map((hour) => hour * 3_600_000), frame = byAt.rangeBetween({ preceding: '1 hour' }, { following: '30 minutes' });

    expect(answers(hours.map((at) => ({ at })), count().over(frame))).toEqual([2, 2, 2, 1]);
    expect(answers(hours.map((at) => ({ at: new Date(at) })), count().over(frame))).toEqual([2, 2, 2, 1]);
  });

  test('of a user sees times where the window has some, NaN of a row that has none, else places', () => {
    const times = udaf({ name: 'times', zero: (): readonly number[] => [], reduce: (state, _: unknown, time) => [...state, time], merge: (a, b) => [...a, ...b], finish: (state) => state });
    const rows = [{ at: 20, v: 1 }, { at: 10, v: 2 }];

    expect(answers(rows, times('v').over(byAt))).toEqual([[10, 20], [10]]);
    expect(answers(rows, times('v').over(Window.orderBy(desc('at'))))).toEqual([[0], [0, 1]]);
    expect(answers([{ at: null, v: 1 }, { at: NaN, v: 2 }], times('v').over(byAt))).toEqual([[NaN], [NaN, NaN]]);
  });

  test('of a user that expires lets go by its times in a range, and is merged in rows', () => {
    const calls: string[] = [];
    const newest = udaf({
      name: 'newest',
      zero: (): readonly number[] => [],
      reduce: (state, value: number, time) => [...state, time * 100 + value],
      merge: (a, b) => [...a, ...b],
      expire: (state, cutoff) => (calls.push('expire'), state.filter((one) => Math.floor(one / 100) > cutoff)),
      finish: (state) => state,
    });
    const rows = [{ at: 1, v: 1 }, { at: 1, v: 2 }, { at: 2, v: 3 }];

    expect(answers(rows, newest('v').over(byAt.rangeBetween(currentRow, currentRow)))).toEqual([[101, 102], [101, 102], [203]]);
    calls.length = 0;
    expect(answers(rows, newest('v').over(byAt.rowsBetween(-1, currentRow)))).toEqual([[101], [101, 102], [102, 203]]);
    expect(calls).toEqual([]);
  });

  test.each([
    ['merged', {}],
    ['taken out', { retract: (state: number, value: number) => state - value }],
  ])('a row costs a few calls, however many rows its frame has, where they are %s', (_, ability) => {
    let calls = 0;
    const total = udaf({ name: 'total', zero: () => 0, reduce: (state: number, value: number) => (calls++, state + value), merge: (a, b) => (calls++, a + b), finish: (state) => state, ...ability });
    const n = 4096, rows = Array.from({ length: n }, (_, at) => ({ at, v: 1 }));
    for (const width of [3, 100, 2000]) {
      calls = 0;
      expect(answers(rows, total('v').over(byAt.rowsBetween(-width, width))).slice(width, -width)).toEqual(Array(n - 2 * width).fill(2 * width + 1));
      expect(calls).toBeLessThan(12 * n);
    }
  });
});
