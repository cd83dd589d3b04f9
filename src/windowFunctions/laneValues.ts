import { Column } from '../admission/column.ts';
import { invalidValue, type Row } from './orderKeys.ts';
import type { Lane, PlannedWindow } from './plan.ts';
import type { SortedRows } from './sortedRows.ts';

/**
 * The values of a lane that are there, in the order of the sorted rows, without gaps: rows whose value is missing or that a
 * filter refuses have none.
 *
 *     position   0 1 2 3 4 5
 *     value      7 - - 2 5 -
 *     values     7 2 5
 *     before     0 1 1 1 2 3 3        how many stand before a position: a frame of rows becomes one of values
 */
export interface LaneValues {
  /** The values as they came, or pairs of them. None where rows are only counted. */
  readonly cells: ArrayLike<unknown>;
  /** The same where all are numbers. */
  readonly doubles: Float64Array | undefined;
  /** Absent where no row lacks a value. */
  readonly before: Int32Array | undefined;
  /** By value: the time of its row; absent where the window has no times. */
  readonly times: Float64Array | undefined;
}

/** The columns that a window's lanes read: they remember what type their values have. */
export const openColumns = ({ kinds }: PlannedWindow): ReadonlyMap<string, Column> => new Map(Array.from(kinds, ([name, of]) => [name, new Column(name, of)]));

/**
 * Reads a lane.
 *
 * @param times By row; NaN where a row has none.
 * @throws RollingWindowError `invalid-value` for a value that a column can't take.
 */
export function laneValues({ rows, order }: SortedRows, lane: Lane, columns: ReadonlyMap<string, Column>, times: Float64Array | undefined): LaneValues {
  const { predicate, times: use } = lane, count = order.length;
  const [first, second] = lane.columns.map((name) => columns.get(name)!);
  if (first === undefined && predicate === undefined) return { cells: [], doubles: undefined, before: undefined, times: undefined };
  const before = new Int32Array(count + 1), values = new Gathered(count), timesOf = times && use !== 'unused' ? new Float64Array(count) : undefined;
  for (let at = 0; at < count; at++) {
    before[at] = values.length;
    const row = rows[order[at]!]!, time = timesOf && times![order[at]!]!;
    if ((predicate !== undefined && !predicate(row as never)) || (use === 'required' && !Number.isFinite(time))) continue;
    const value = second === undefined ? single(row, first, lane) : pair(row, first!, second, lane);
    if (value === undefined) continue;
    if (timesOf) timesOf[values.length] = time!;
    values.add(value);
  }
  before[count] = values.length;
  const { cells, doubles, length } = values;
  return { cells: doubles ?? cells, doubles, before: length === count ? undefined : before, times: timesOf?.subarray(0, length) };
}

/** Values as doubles while they are numbers; from the first other one on as cells. */
class Gathered {
  length = 0;
  cells: unknown[] = [];
  private numbers: Float64Array | undefined;

  constructor(most: number) {
    this.numbers = new Float64Array(most);
  }

  add(value: unknown): void {
    if (this.numbers !== undefined && typeof value === 'number') this.numbers[this.length] = value + 0;
    else {
      if (this.numbers !== undefined) this.cells = Array.from(this.numbers.subarray(0, this.length));
      this.numbers = undefined;
      this.cells.push(value);
    }
    this.length++;
  }

  get doubles(): Float64Array | undefined {
    return this.numbers?.subarray(0, this.length);
  }
}

function single(row: Row, column: Column | undefined, { keepsNulls }: Lane): unknown {
  const value = column === undefined ? 0 : valueOf(row, column);
  return value === undefined && keepsNulls ? null : value;
}

function pair(row: Row, first: Column, second: Column, { nullable }: Lane): unknown {
  const x = valueOf(row, first), y = valueOf(row, second);
  return y === undefined || (x === undefined && !nullable) ? undefined : [x ?? null, y];
}

function valueOf(row: Row, column: Column): unknown {
  const value = row[column.name] ?? undefined;
  if (value === undefined) return undefined;
  if (!column.accepts(value)) throw invalidValue(column, value);
  if (column.isOpen) column.settles(value);
  return value;
}
