import type { OrderColumn } from '../measures/windowSpec.ts';
import { invalidWindow } from './invalidWindow.ts';

/** Where rows go that have no value to be ordered by. */
export interface NullsPlace {
  readonly nulls?: 'first' | 'last' | undefined;
}

/**
 * A column in ascending order.
 *
 * NaN is larger than every number, text goes by code point. Rows without a value come first, or where `nulls` says.
 *
 * @throws RollingWindowError `invalid-window` where the column is no text, or `nulls` neither `'first'` nor `'last'`.
 * @example Window.orderBy(asc('price', { nulls: 'last' }))
 */
export function asc<const Column extends string>(column: Column, { nulls = 'first' }: NullsPlace = {}): OrderColumn<Column> {
  return orderColumn(column, false, nulls);
}

/**
 * A column in descending order.
 *
 * NaN is larger than every number, and so comes first. Rows without a value come last, or where `nulls` says.
 *
 * @throws RollingWindowError `invalid-window` where the column is no text, or `nulls` neither `'first'` nor `'last'`.
 * @example Window.partitionBy('category').orderBy(desc('revenue'))
 */
export function desc<const Column extends string>(column: Column, { nulls = 'last' }: NullsPlace = {}): OrderColumn<Column> {
  return orderColumn(column, true, nulls);
}

function orderColumn<Column extends string>(column: Column, descending: boolean, nulls: 'first' | 'last'): OrderColumn<Column> {
  if (typeof column !== 'string') throw invalidWindow('the name of a column to order by', column);
  if (!['first', 'last'].includes(nulls)) throw invalidWindow("nulls to be 'first' or 'last'", nulls);
  return Object.freeze({ column, descending, nulls });
}
