import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  asc,
  cumeDist,
  denseRank,
  desc,
  firstValue,
  lag,
  lastValue,
  lead,
  nthValue,
  ntile,
  percentRank,
  rank,
  rowNumber,
  unboundedFollowing,
  unboundedPreceding,
  Window,
  windowColumns,
  type AnyWindowColumn,
  type WindowSpec,
} from 'rxjs-rolling-window';
import { windowMeasureOf } from '../support/caseMeasures.ts';
import { naiveColumn, type Asked, type Row } from '../support/naiveWindow.ts';

const date = (epoch: number): Date => new Date(epoch);

/** What columns hold: few values, so that there are ties, and what is awkward. Sums of them are exact. */
const holdings = {
  small: [0, 1, 2, 3, -0, 1.5, -2],
  numbers: [null, 1, 2, undefined, 3, NaN, 7, Infinity, -5, -Infinity, 0.25],
  finite: [1, null, 2, 1024, -3.5, 0, 1e6],
  decimals: [0.1, 0.2, null, -0.7, 1e16, 1e-5, -1e16],
  huge: [1.5e308, 1.2e308, -1.4e308, 3, null, -1.7e308],
  bigints: [1n, 2n, null, 3n, -4n, 2n ** 70n, 2n ** 70n + 1n],
  texts: ['a', 'b', null, '', '😀', '\uE000', 'ab', undefined],
  dates: [date(0), date(10), null, date(10), date(25), date(-5)],
  booleans: [true, false, null],
};
type Holding = keyof typeof holdings;

const ofNumbers = ['sum', 'avg', 'min', 'max', 'count', 'var_samp', 'var_pop', 'stddev_samp', 'stddev_pop', 'pct:1/2', 'rough:1/2', 'histogram', 'ema', 'slope'];
const ofAll = ['count', 'first', 'last', 'lastThree', 'all', 'distinct', 'countDistinct', 'joined', 'evens', 'minBy', 'maxBy'];
const ofOrderables = ['min', 'max', 'mode', 'topTwo', ...ofAll];
const ofPairs = ['corr', 'covar_samp', 'covar_pop'];
const specsOf: Record<Holding, readonly string[]> = {
  small: [...ofNumbers, ...ofOrderables, ...ofPairs],
  numbers: [...ofNumbers, ...ofOrderables],
  finite: [...ofNumbers, ...ofOrderables, ...ofPairs],
  decimals: ['sum', 'avg', 'min', 'max', 'pct:1/2'],
  huge: ['sum', 'avg', 'min', 'max'],
  bigints: ['sum', 'avg', ...ofOrderables],
  texts: ofOrderables,
  dates: ofOrderables,
  booleans: ofOrderables,
};

/** A window drawn: order columns by name, and a frame of two bounds. */
interface Drawn {
  readonly partition: readonly string[];
  readonly order: readonly (readonly [column: string, descending: boolean, nulls: 'first' | 'last'])[];
  readonly frame: readonly [unit: 'rows' | 'range', start: number, end: number] | undefined;
}

const bound = (infinite: number): fc.Arbitrary<number> => fc.oneof(fc.constantFrom(infinite, 0), fc.integer({ min: -4, max: 4 }));
const window: fc.Arbitrary<Drawn> = fc.record({
  partition: fc.constantFrom([], ['k'], ['k', 'l']),
  order: fc.array(fc.tuple(fc.constantFrom('o', 'o', 'p'), fc.boolean(), fc.constantFrom('first', 'last')), { minLength: 0, maxLength: 2 }),
  frame: fc.option(fc.tuple(fc.constantFrom('rows', 'range'), bound(-Infinity), bound(Infinity)), { nil: undefined }),
});

const orderedAs: readonly Holding[] = ['small', 'numbers', 'bigints', 'texts', 'dates', 'booleans'];
const hasAmounts: readonly Holding[] = ['small', 'numbers', 'finite', 'bigints', 'dates'];

interface Table {
  readonly rows: readonly Row[];
  readonly order: Holding;
  readonly value: Holding;
}

const keys = [null, 'a', 1, '1', undefined, date(3), date(3)];
const table: fc.Arbitrary<Table> = fc.record({ order: fc.constantFrom(...orderedAs), value: fc.constantFrom(...(Object.keys(holdings) as Holding[])) }).chain(({ order, value }) => {
  const cell = (of: Holding): fc.Arbitrary<unknown> => fc.constantFrom<unknown>(...holdings[of]);
  const row = fc.record({ k: fc.constantFrom<unknown>(...keys), l: fc.boolean(), o: cell(order), p: cell('small'), v: cell(value), w: cell('small'), f: fc.boolean() });
  return fc.record({ rows: fc.oneof({ weight: 3, arbitrary: fc.array(row, { maxLength: 14, size: 'max' }) }, { weight: 1, arbitrary: fc.array(row, { maxLength: 45, size: 'max' }) }), order: fc.constant(order), value: fc.constant(value) });
});

/** The window as ours, with the frame left out or made sensible where the order does not fit it. */
function windowOf({ partition, order, frame }: Drawn, table: Table): WindowSpec {
  const ordered = order.map(([column, descending, nulls]) => (descending ? desc : asc)(column, { nulls }));
  const [first, ...rest] = ordered;
  const spec = first === undefined ? Window.partitionBy(...partition) : Window.partitionBy(...partition).orderBy(first, ...rest);
  if (frame === undefined || (frame[0] === 'range' && first === undefined)) return spec;
  const [unit, a, b] = frame, [start, end] = [Math.min(a, b), Math.max(a, b)];
  const offsets = [start, end].some((offset) => Number.isFinite(offset) && offset !== 0);
  const canAdd = ordered.length === 1 && (first!.column === 'p' || hasAmounts.includes(table.order));
  const bounds = (scale: number): [never, never] =>
    [start === -Infinity ? unboundedPreceding : start * scale, end === Infinity ? unboundedFollowing : end * scale].map((one) => (Object.is(one, -0) ? 0 : one)) as [never, never];
  if (unit === 'rows') return (spec as ReturnType<typeof Window.partitionBy>).rowsBetween(...bounds(1));
  if (offsets && !canAdd) return spec;
  return (spec as ReturnType<typeof Window.orderBy>).rangeBetween(...bounds(table.order === 'dates' && first!.column === 'o' ? 10 : 1));
}

/** Our answers beside the naive ones. */
function compared(rows: readonly Row[], column: AnyWindowColumn, asked: Asked): void {
  const given = windowColumns(rows as object[], { columns: [column] as never }) as Row[];
  const expected = naiveColumn(rows, column, asked);
  given.forEach((row, i) => {
    if (isClose(row[column.name], expected[i], asked.fn)) return;
    expect(row[column.name], `row ${i}`).toEqual(expected[i]);
  });
  expect(given.map((row) => ({ ...row, answer: null }))).toEqual(rows.map((row) => ({ ...row, answer: null })));
}

/** Where another formula is used; and a sum is kept in two doubles, then rounded to one. */
function isClose(value: unknown, expected: unknown, spec: string): boolean {
  if (typeof value !== 'number' || typeof expected !== 'number' || !Number.isFinite(expected)) return false;
  const [relative, absolute] = spec === 'sum' || spec === 'avg' ? [2 ** -51, 2 ** -95 * 1e16] : /^(var|stddev|corr|ema)/.test(spec) ? [1e-12, spec === 'ema' ? 1e-9 : 0] : [0, 0];
  return Math.abs(value - expected) <= relative * Math.abs(expected) + absolute && !Object.is(value, -0);
}

const numRuns = Number(process.env['COURSES'] ?? 300);
const timeout = 60_000;

describe('windows are as their definition says', () => {
  test('measures', { timeout }, () => {
    fc.assert(
      fc.property(table, window, fc.nat(100), fc.boolean(), (drawn, spec, at, filtered) => {
        const specs = specsOf[drawn.value], fn = specs[at % specs.length]!;
        const over = windowOf(spec, drawn);
        if ((fn === 'ema' || fn === 'slope') && (over.order.length !== 1 || over.order[0]!.descending || (over.order[0]!.column === 'o' && !['small', 'numbers', 'dates'].includes(drawn.order)))) return;
        compared(drawn.rows, windowMeasureOf('answer', fn, 'v', over, filtered ? ({ f }) => f === true : undefined, 'w'), { fn });
      }),
      { numRuns: numRuns * 4 },
    );
  });

  // Above some seventy distinct values the most frequent ones are no longer looked for among all of them.
  test('the most frequent of many values', { timeout }, () => {
    const columns: readonly ((i: number) => unknown)[] = [(i) => i / 4, (i) => BigInt(i), (i) => `text ${i}`, date];
    const rows = fc.tuple(fc.constantFrom(...columns), fc.array(fc.record({ k: fc.constantFrom(null, 'a', 'a', 'a', 'a', 'a'), o: fc.nat(300), i: fc.oneof(fc.nat(30), fc.nat(1000), fc.nat(1000), fc.nat(1000)), f: fc.boolean() }), { minLength: 110, maxLength: 150, size: 'max' }));
    const frame = fc.tuple(fc.constantFrom('rows' as const, 'range' as const), fc.constantFrom(-Infinity, -100, -90, -80), fc.constantFrom(0, 3, -2, Infinity));
    fc.assert(
      fc.property(rows, fc.constantFrom([], ['k']), frame, fc.constantFrom('mode', 'topTwo'), fc.boolean(), ([valueOf, drawn], partition, [unit, start, end], fn, filtered) => {
        const table = drawn.map(({ i, ...row }) => ({ ...row, v: valueOf(i) })), window = Window.partitionBy(...partition).orderBy('o');
        const [from, to] = [start === -Infinity ? unboundedPreceding : start, end === Infinity ? unboundedFollowing : end];
        compared(table, windowMeasureOf('answer', fn, 'v', unit === 'rows' ? window.rowsBetween(from, to) : window.rangeBetween(from, to), filtered ? ({ f }) => f === true : undefined), { fn });
      }),
      { numRuns: numRuns / 10 },
    );
  });

  test('measures that read times', { timeout }, () => {
    const spec = window.map((one): Drawn => ({ ...one, order: [['o', false, 'last']] }));
    fc.assert(
      fc.property(table.filter(({ order, value }) => order === 'numbers' || order === 'dates' ? specsOf[value].includes('ema') : false), spec, fc.constantFrom('ema', 'slope', 'joined'), (drawn, one, fn) => {
        compared(drawn.rows, windowMeasureOf('answer', fn, 'v', windowOf(one, drawn)), { fn });
      }),
      { numRuns },
    );
  });

  test('columns together are what they are alone', { timeout }, () => {
    const filters = [undefined, ({ f }: Row) => f === true, ({ f }: Row) => f === false];
    const column = fc.record({ spec: window, at: fc.nat(100), filter: fc.nat(2), of: fc.constantFrom('v', 'w'), ignoreNulls: fc.option(fc.boolean(), { nil: undefined }) });
    fc.assert(
      fc.property(table, fc.array(column, { minLength: 2, maxLength: 6 }), fc.boolean(), (drawn, asked, oneWindow) => {
        const columns = asked.map(({ spec, at, filter, of, ignoreNulls }, i) => {
          const specs = specsOf[of === 'v' ? drawn.value : 'small'].filter((fn) => fn !== 'ema' && fn !== 'slope'), over = windowOf(oneWindow ? { ...asked[0]!.spec, frame: spec.frame } : spec, drawn);
          if (ignoreNulls !== undefined) return firstValue(of, { ignoreNulls }).over(over).as(`${i}`);
          return windowMeasureOf(`${i}`, specs[at % specs.length]!, of, over, filters[filter], 'w');
        });
        const together = windowColumns(drawn.rows as object[], { columns: columns as never }) as Row[];
        columns.forEach((one) => {
          const alone = windowColumns(drawn.rows as object[], { columns: [one] as never }) as Row[];
          expect(together.map((row) => row[one.name])).toEqual(alone.map((row) => row[one.name]));
        });
      }),
      { numRuns },
    );
  });

  test('functions', { timeout }, () => {
    const functions = ['rank', 'denseRank', 'percentRank', 'cumeDist', 'rowNumber', 'ntile', 'lag', 'lead', 'firstValue', 'lastValue', 'nthValue'];
    fc.assert(
      fc.property(table, window, fc.constantFrom(...functions), fc.integer({ min: -3, max: 4 }), fc.constantFrom(undefined, null, 'none'), fc.boolean(), (drawn, spec, fn, n, otherwise, ignoreNulls) => {
        const framed = fn.endsWith('Value'), over = windowOf(framed ? spec : { ...spec, frame: undefined }, drawn);
        if (!framed && over.order.length === 0) return;
        const asked: Asked = { fn, column: 'v', n: fn.startsWith('l') ? n : Math.abs(n) + 1, otherwise, ignoreNulls };
        compared(drawn.rows, functionColumn(asked, over), asked);
      }),
      { numRuns: numRuns * 2 },
    );
  });
});

function functionColumn({ fn, n = 1, otherwise, ignoreNulls }: Asked, over: WindowSpec): AnyWindowColumn {
  const options = { ignoreNulls };
  const made = {
    rank,
    denseRank,
    percentRank,
    cumeDist,
    rowNumber,
    ntile: () => ntile(n),
    lag: () => lag('v', n, otherwise, options),
    lead: () => lead('v', n, otherwise, options),
    firstValue: () => firstValue('v', options),
    lastValue: () => lastValue('v', options),
    nthValue: () => nthValue('v', n, options),
  }[fn]!();
  return (made as unknown as { over(window: WindowSpec): { as(name: string): AnyWindowColumn } }).over(over).as('answer');
}
