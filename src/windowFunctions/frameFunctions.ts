import { ownValue } from '../aggregates/ownValue.ts';
import type { OfColumn } from '../measures/measure.ts';
import type { WindowSpec } from '../measures/windowSpec.ts';
import { CellAnswers } from './answers.ts';
import type { FrameEdges } from './frameEdges.ts';
import { invalidWindow } from './invalidWindow.ts';
import { ignoresNulls } from './nullsIgnored.ts';
import type { LaneValues } from './laneValues.ts';
import type { SortedRows } from './sortedRows.ts';
import { windowFunction, type WindowFunctionBuilder } from './windowFunction.ts';
import type { NullsIgnored } from './windowRow.ts';

/** A value of one of the rows in the frame. */
type FrameFunction<Name extends string, Column extends string> = WindowFunctionBuilder<Column, unknown, Name, OfColumn, WindowSpec>;

/**
 * The value of a column in the first row of the frame.
 *
 * A null of that row is an answer; with `ignoreNulls` it is the first value that is there. Null for an empty frame.
 *
 * @example firstValue('price').over(Window.partitionBy('symbol').orderBy('at')) // named first_value(price)
 */
export function firstValue<const Column extends string>(column: Column, options?: NullsIgnored): FrameFunction<`first_value(${Column})`, Column> {
  return frameFunction(`first_value(${column})`, column, options, (from) => from);
}

/**
 * The value of a column in the last row of the frame. By default that is the last peer of the current row: for the last row
 * of the partition give the frame `rowsBetween(currentRow, unboundedFollowing)`.
 *
 * A null of that row is an answer; with `ignoreNulls` it is the last value that is there. Null for an empty frame.
 *
 * @example lastValue('price').over(Window.orderBy('at').rowsBetween(currentRow, unboundedFollowing)) // named last_value(price)
 */
export function lastValue<const Column extends string>(column: Column, options?: NullsIgnored): FrameFunction<`last_value(${Column})`, Column> {
  return frameFunction(`last_value(${column})`, column, options, (_from, to) => to - 1);
}

/**
 * The value of a column in the nth row of the frame, from 1.
 *
 * A null of that row is an answer; with `ignoreNulls` it is the nth value that is there. Null where the frame has fewer.
 *
 * @throws RollingWindowError `invalid-window` where n is no whole number from 1.
 * @example nthValue('product', 2).over(Window.orderBy(desc('revenue'))) // named nth_value(product, 2)
 */
export function nthValue<const Column extends string, const N extends number>(column: Column, n: N, options?: NullsIgnored): FrameFunction<`nth_value(${Column}, ${N})`, Column> {
  if (!(Number.isSafeInteger(n) && n >= 1)) throw invalidWindow('a whole number of rows from 1', n);
  return frameFunction(`nth_value(${column}, ${n})`, column, options, (from) => from + n - 1);
}

/** The place of the value where the frame's values are at [from, to); outside of them there is none. */
type PlaceOf = (from: number, to: number) => number;

function frameFunction<Name extends string, Column extends string>(
  name: Name,
  column: Column,
  options: NullsIgnored | undefined,
  placeOf: PlaceOf,
): FrameFunction<Name, Column> {
  const answers = (rows: SortedRows, values: LaneValues | undefined, edges: FrameEdges | undefined): CellAnswers => valuesOf(rows, values!, edges!, placeOf);
  return windowFunction({ name, needsOrder: false, framed: true, ignoreNulls: ignoresNulls(options), answers }, [column]);
}

function valuesOf({ order }: SortedRows, { cells, before }: LaneValues, edges: FrameEdges, placeOf: PlaceOf): CellAnswers {
  const answers = new Array<unknown>(order.length);
  for (let at = 0; at < order.length; at++) {
    const from = before ? before[edges.from[at]!]! : edges.from[at]!, to = before ? before[edges.to[at]!]! : edges.to[at]!;
    const place = placeOf(from, to);
    answers[order[at]!] = place >= from && place < to ? ownValue(cells[place]) : null;
  }
  return new CellAnswers(answers);
}
