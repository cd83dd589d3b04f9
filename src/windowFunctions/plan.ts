import type { ValueKind } from '../admission/column.ts';
import type { AnyAggregate } from '../aggregates/aggregate.ts';
import { RollingWindowError, shown } from '../errors.ts';
import type { AnyWindowColumn } from '../measures/windowMeasure.ts';
import type { WindowFrame, WindowSpec } from '../measures/windowSpec.ts';
import { asLiteral, columnName, requireObject } from '../settings.ts';
import { currentRow, frameBetween, unboundedFollowing, unboundedPreceding } from './frameBound.ts';
import { invalidWindow } from './invalidWindow.ts';
import type { WindowFunction } from './windowFunction.ts';

/** What is read of the rows, once for all columns that want the same. */
export interface Lane {
  /** None for `count(*)`, two for an aggregate of pairs. */
  readonly columns: readonly string[];
  /** The first of a pair may be null. */
  readonly nullable: boolean;
  /** A row without a value is there all the same, as null. */
  readonly keepsNulls: boolean;
  /** Whether times are read, where the window has some; where they are required, a row without one is not there. */
  readonly times: 'unused' | 'used' | 'required';
  readonly predicate: ((row: never) => boolean) | undefined;
}

/** A column with its place among the new columns of a row. What is equal in two columns of a window is one object. */
export interface PlannedColumn {
  readonly place: number;
  readonly column: AnyWindowColumn;
  /** What its window has, or what it is by default. */
  readonly frame: WindowFrame;
  /** Absent where it reads no values. */
  readonly lane: Lane | undefined;
}

/** Columns whose rows are in the same partitions and the same order. */
export interface PlannedWindow {
  readonly partitionColumns: WindowSpec['partitionColumns'];
  readonly order: WindowSpec['order'];
  readonly columns: readonly PlannedColumn[];
  /** What the columns that are read may hold. */
  readonly kinds: ReadonlyMap<string, readonly ValueKind[]>;
}

/** The configuration, checked once and frozen: everything behind it trusts it. */
export interface WindowPlan {
  /** The new columns, in order. */
  readonly names: readonly string[];
  readonly windows: readonly PlannedWindow[];
}

/**
 * Checks a configuration and finds out which columns share partitions and order, frames, and what they read.
 *
 * @throws RollingWindowError `invalid-config` where there is no configuration, `invalid-window` for what is no column over a
 * window, or no measure for its window, `duplicate-column` for two of one name.
 */
export function windowPlan(config: { readonly columns: readonly unknown[] }): WindowPlan {
  requireObject(config, 'a configuration object with columns', { columns: true });
  const columns = columnsOf(config.columns), names = columns.map(({ name }) => name);
  checkNames(names);
  const planned = columns.map((column, place) => ({ place, column, frame: frameOf(column), lane: laneOf(column) }));
  const windows = new Map<string, PlannedColumn[]>();
  for (const one of planned) {
    const { partitionColumns, order } = one.column.window, text = JSON.stringify([partitionColumns, order]);
    windows.set(text, [...(windows.get(text) ?? []), one]);
  }
  return Object.freeze({ names: Object.freeze(names), windows: Object.freeze(Array.from(windows.values(), windowOf)) });
}

function columnsOf(columns: unknown): readonly AnyWindowColumn[] {
  if (!Array.isArray(columns)) throw invalidWindow('a list of columns', columns, "For instance columns: [rank().over(Window.orderBy('price'))]");
  return (columns as readonly (Partial<AnyWindowColumn> | null)[]).map((column) => {
    if (typeof column !== 'object' || column?.window?.kind !== 'window') {
      throw invalidWindow("columns over a window, such as rank().over(Window.orderBy('price'))", column, 'Each function and each measure needs .over(window)');
    }
    return { ...(column as AnyWindowColumn), name: columnName(column.name, 'columns'), columns: column.columns!.map(asLiteral) };
  });
}

function checkNames(names: readonly string[]): void {
  const double = names.find((name, i) => names.indexOf(name) < i);
  if (double === undefined) return;
  throw new RollingWindowError('duplicate-column', { expected: 'columns with different names', given: `two that are named ${shown(double)}`, remedy: "Rename one with .as('name')" });
}

const upToPeers = (): WindowFrame => frameBetween('range', unboundedPreceding, currentRow);
const wholePartition = (): WindowFrame => frameBetween('range', unboundedPreceding, unboundedFollowing);

const frameOf = ({ window: { frame, order } }: AnyWindowColumn): WindowFrame => frame ?? (order.length > 0 ? upToPeers() : wholePartition());

function laneOf({ columns, aggregate, compute, predicate }: AnyWindowColumn): Lane | undefined {
  if (aggregate === undefined && columns.length === 0) return undefined;
  const keepsNulls = aggregate === undefined && !(compute as WindowFunction).ignoreNulls;
  return { columns, nullable: aggregate?.nullable === true, keepsNulls, times: timesOf(aggregate), predicate };
}

/**
 * Built-in aggregates go by the order of rows, which their places say better than times that may be equal, but for those
 * that compute with times. A user's aggregate may be of either kind: it gets times where there are some.
 */
function timesOf(aggregate: AnyAggregate | undefined): Lane['times'] {
  if (aggregate?.readsTimes === true) return 'required';
  return aggregate !== undefined && isUsers(aggregate) ? 'used' : 'unused';
}

/** Of these abilities a user's aggregate has none. */
const isUsers = ({ builtIn, numeric, lifetime, extremes }: AnyAggregate): boolean => !builtIn && numeric === undefined && lifetime === undefined && !extremes;

function windowOf(columns: readonly PlannedColumn[]): PlannedWindow {
  const { window: spec } = columns[0]!.column, frames: WindowFrame[] = [], lanes: Lane[] = [];
  for (const { column } of columns) checkTimes(column);
  return {
    partitionColumns: spec.partitionColumns.map(asLiteral),
    order: spec.order.map((by) => ({ ...by, column: asLiteral(by.column) })),
    columns: columns.map((column) => ({ ...column, frame: shared(frames, column.frame, isSameFrame), lane: column.lane && shared(lanes, column.lane, isSameLane) })),
    kinds: kindsOf(columns),
  };
}

function checkTimes({ aggregate, window: { order } }: AnyWindowColumn): void {
  if (aggregate?.readsTimes !== true || (order.length === 1 && !order[0]!.descending)) return;
  throw invalidWindow(`one ascending order column of numbers or dates for ${aggregate.name}, which reads times`, order.map(({ column }) => column), 'Order by a column of times');
}

/** The one of a list that is the same; else this one, which joins the list. */
function shared<T>(list: T[], one: T, isSame: (a: T, b: T) => boolean): T {
  const known = list.find((other) => isSame(one, other));
  if (known === undefined) list.push(one);
  return known ?? one;
}

const isSameFrame = (a: WindowFrame, b: WindowFrame): boolean => a.unit === b.unit && a.start === b.start && a.end === b.end && a.timed === b.timed;

const isSameLane = (a: Lane, b: Lane): boolean =>
  a.columns.length === b.columns.length &&
  a.columns.every((column, i) => column === b.columns[i]) &&
  a.nullable === b.nullable &&
  a.keepsNulls === b.keepsNulls &&
  a.times === b.times &&
  a.predicate === b.predicate;

function kindsOf(columns: readonly PlannedColumn[]): Map<string, readonly ValueKind[]> {
  const kinds = new Map<string, readonly ValueKind[]>();
  for (const { column: { columns: read, kind, secondKind = kind } } of columns) {
    read.forEach((name, i) => kinds.set(name, [...(kinds.get(name) ?? []), i === 0 ? kind : secondKind]));
  }
  return kinds;
}
