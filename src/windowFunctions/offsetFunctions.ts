import { ownValue } from '../aggregates/ownValue.ts';
import { CellAnswers } from './answers.ts';
import type { LaneValues } from './laneValues.ts';
import { invalidWindow } from './invalidWindow.ts';
import { ignoresNulls } from './nullsIgnored.ts';
import type { SortedRows } from './sortedRows.ts';
import { windowFunction, type AnyOrderedWindow, type WindowFunctionBuilder } from './windowFunction.ts';
import type { NullsIgnored, OffsetAnswer, OffsetName, ValuesLike } from './windowRow.ts';

/** A value of a row at a distance. */
type OffsetFunction<Name extends string, Column extends string, Offset extends number, Default> = WindowFunctionBuilder<
  Column,
  ValuesLike<Default>,
  OffsetName<Name, Column, Offset>,
  OffsetAnswer<Default>,
  AnyOrderedWindow
>;

/**
 * The value of a column so many rows before the current one in its partition.
 *
 * Where there is no such row it is the default, which must be of the column's type, and without one null. A null of that row
 * is an answer; with `ignoreNulls`, only rows with a value are counted, from 1 on, and of the current row for 0.
 *
 * @param offset A whole number; below 0 it looks behind the current row.
 * @throws RollingWindowError `invalid-window` for another offset.
 * @example lag('price').over(Window.partitionBy('symbol').orderBy('at')) // named lag(price)
 */
export function lag<const Column extends string, const Offset extends number = 1, Default = null>(
  column: Column,
  offset?: Offset,
  otherwise?: Default,
  options?: NullsIgnored,
): OffsetFunction<'lag', Column, Offset, Default> {
  return offsetFunction('lag', column, offset, -1, otherwise, options);
}

/**
 * The value of a column so many rows behind the current one in its partition: `lag` in the other direction.
 *
 * @param offset A whole number; below 0 it looks before the current row.
 * @throws RollingWindowError `invalid-window` for another offset.
 * @example lead('at', 1, Infinity).over(Window.partitionBy('user').orderBy('at')) // named lead(at)
 */
export function lead<const Column extends string, const Offset extends number = 1, Default = null>(
  column: Column,
  offset?: Offset,
  otherwise?: Default,
  options?: NullsIgnored,
): OffsetFunction<'lead', Column, Offset, Default> {
  return offsetFunction('lead', column, offset, 1, otherwise, options);
}

function offsetFunction<Name extends 'lag' | 'lead', Column extends string, Offset extends number, Default>(
  name: Name,
  column: Column,
  given: Offset | undefined,
  direction: 1 | -1,
  otherwise: Default | undefined,
  options: NullsIgnored | undefined,
): OffsetFunction<Name, Column, Offset, Default> {
  const offset = given ?? 1;
  if (!Number.isSafeInteger(offset)) throw invalidWindow(`a whole number of rows as the offset of ${name}`, offset);
  const shown = offset === 1 ? `${name}(${column})` : `${name}(${column}, ${String(offset)})`;
  const answers = (rows: SortedRows, values: LaneValues | undefined): CellAnswers => valuesAt(rows, values!, direction * offset, ownValue(otherwise ?? null));
  return windowFunction({ name: shown, needsOrder: true, framed: false, ignoreNulls: ignoresNulls(options), answers }, [column]);
}

/** The values at a distance of each row, counted in rows that have one. */
function valuesAt({ order, starts }: SortedRows, { cells, before }: LaneValues, distance: number, otherwise: unknown): CellAnswers {
  const answers = new Array<unknown>(order.length);
  for (let p = 1; p < starts.length; p++) {
    const first = before ? before[starts[p - 1]!]! : starts[p - 1]!, behind = before ? before[starts[p]!]! : starts[p]!;
    for (let at = starts[p - 1]!; at < starts[p]!; at++) {
      const place = before ? placeAt(before, at, distance) : at + distance;
      answers[order[at]!] = Number.isNaN(place) ? null : ownValue(place < first || place >= behind ? otherwise : cells[place]);
    }
  }
  return new CellAnswers(answers);
}

/** The place of a value among those that are there; NaN where the row itself was asked for, and has none. */
function placeAt(before: Int32Array, at: number, distance: number): number {
  const next = before[at + 1]!, own = before[at]!;
  if (distance > 0) return next + distance - 1;
  return distance < 0 ? own + distance : next > own ? own : NaN;
}
