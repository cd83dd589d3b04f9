import type { AnyWindowColumn } from '../../src/measures/windowMeasure.ts';
import type { OrderColumn, WindowSpec } from '../../src/measures/windowSpec.ts';
import { compare, identity, naiveAnswer, shownValue } from '../../src/testing/naiveAnswer.ts';

export type Row = Readonly<Record<string, unknown>>;

/** What a window function was asked for: what stands in its call. */
export interface Asked {
  readonly fn: string;
  readonly column?: string;
  readonly n?: number;
  readonly otherwise?: unknown;
  readonly ignoreNulls?: boolean;
}

/** What a column over a window holds, row by row: each row looks at all others, as the definition says. */
export function naiveColumn(rows: readonly Row[], column: AnyWindowColumn, asked: Asked): unknown[] {
  const { window } = column;
  return rows.map((row) => {
    const key = keyOf(row, window), partition = rows.filter((other) => keyOf(other, window) === key);
    const sorted = partition.toSorted((a, b) => before(a, b, window)); // stable
    const at = sorted.indexOf(row), frame = sorted.filter((_, other) => isInFrame(sorted, other, at, window));
    return column.aggregate === undefined ? functionAnswer(asked, sorted, at, frame, window) : aggregateAnswer(column, sorted, frame);
  });
}

const keyOf = (row: Row, { partitionColumns }: WindowSpec): string => JSON.stringify(partitionColumns.map((column) => identity(row[column])));

/** The order of two rows in their window: 0 for peers. */
function before(a: Row, b: Row, { order }: WindowSpec): number {
  for (const by of order) {
    const difference = beforeBy(a[by.column] ?? null, b[by.column] ?? null, by);
    if (difference !== 0) return difference;
  }
  return 0;
}

function beforeBy(a: unknown, b: unknown, { descending, nulls }: OrderColumn): number {
  if (a === null || b === null) return a === b ? 0 : (a === null) === (nulls === 'first') ? -1 : 1;
  return descending ? compare(b, a) : compare(a, b);
}

function isInFrame(sorted: readonly Row[], other: number, at: number, window: WindowSpec): boolean {
  const { unit, start, end } = window.frame ?? { unit: 'range', start: -Infinity, end: window.order.length === 0 ? Infinity : 0 };
  if (unit === 'rows') return other - at >= start && other - at <= end;
  const [row, one] = [sorted[at]!, sorted[other]!];
  return isAtOrBehind(one, row, start, 1, window) && isAtOrBehind(one, row, end, -1, window);
}

/** Whether one row is not before what lies `offset` from another; with the other direction, not behind it. */
function isAtOrBehind(one: Row, row: Row, offset: number, direction: 1 | -1, window: WindowSpec): boolean {
  if (!Number.isFinite(offset)) return true;
  const [a, b] = [amount(one, window), amount(row, window)];
  // What has no amount has peers, and lies before or behind whatever has one.
  if (offset === 0 || a === undefined || b === undefined) return direction * before(one, row, window) >= 0;
  const bound = typeof b === 'bigint' ? b + BigInt(offset) : b + offset;
  return direction > 0 ? a >= bound : a <= bound;
}

/** What offsets are added to. */
function amount(row: Row, { order }: WindowSpec): number | bigint | undefined {
  const { column, descending } = order[0]!;
  const value = row[column] instanceof Date ? row[column].getTime() : row[column];
  if (typeof value === 'bigint') return descending ? -value : value;
  return typeof value !== 'number' || Number.isNaN(value) ? undefined : descending ? -value : value;
}

function aggregateAnswer({ columns, aggregate, predicate, window }: AnyWindowColumn, sorted: readonly Row[], frame: readonly Row[]): unknown {
  const [only] = window.order, hasTimes = window.order.length === 1 && !only!.descending && sorted.every((row) => row[only!.column] == null || isTime(row[only!.column]));
  const events = frame.flatMap((row) => {
    if (predicate && !predicate(row as never)) return [];
    const [value = 0, other] = columns.map((column) => row[column] ?? null);
    const time = hasTimes ? (amount(row, window) ?? NaN) : sorted.indexOf(row);
    if (aggregate!.readsTimes && !Number.isFinite(time)) return [];
    if (columns.length === 2) return other === null || (value === null && aggregate!.nullable !== true) ? [] : [{ time: time as number, value: [value, other] }];
    return value === null ? [] : [{ time: time as number, value }];
  });
  return naiveAnswer(aggregate!, events);
}

const isTime = (value: unknown): boolean => typeof value === 'number' || value instanceof Date;

function functionAnswer({ fn, column = '', n = 1, otherwise = null, ignoreNulls = false }: Asked, sorted: readonly Row[], at: number, frame: readonly Row[], window: WindowSpec): unknown {
  const row = sorted[at]!, valueOf = (of: Row | undefined): unknown => (of === undefined ? null : shownValue(of[column] ?? null));
  const hasValue = (of: Row): boolean => !ignoreNulls || (of[column] ?? null) !== null;
  const earlier = sorted.filter((other) => before(other, row, window) < 0), peers = sorted.filter((other) => before(other, row, window) === 0);
  const inFrame = frame.filter(hasValue);
  switch (fn) {
    case 'rank':
      return earlier.length + 1;
    case 'denseRank':
      return new Set(earlier.map((other) => JSON.stringify(window.order.map((by) => identity(other[by.column]))))).size + 1;
    case 'percentRank':
      return sorted.length === 1 ? 0 : earlier.length / (sorted.length - 1);
    case 'cumeDist':
      return (earlier.length + peers.length) / sorted.length;
    case 'rowNumber':
      return at + 1;
    case 'ntile':
      return shares(sorted.length, n)[at];
    case 'firstValue':
      return valueOf(inFrame[0]);
    case 'lastValue':
      return valueOf(inFrame.at(-1));
    case 'nthValue':
      return valueOf(inFrame[n - 1]);
    case 'lag':
    case 'lead': {
      const distance = fn === 'lag' ? -n : n;
      if (distance === 0) return valueOf(row);
      const others = distance < 0 ? sorted.slice(0, at).filter(hasValue).toReversed() : sorted.slice(at + 1).filter(hasValue);
      const found = others[Math.abs(distance) - 1];
      return found === undefined ? otherwise : valueOf(found);
    }
    default:
      throw new Error(`the naive window knows no ${fn}`);
  }
}

/** Dealt out one by one, then put in order. */
function shares(rows: number, n: number): number[] {
  return Array.from({ length: rows }, (_, i) => (i % n) + 1).sort((a, b) => a - b);
}
