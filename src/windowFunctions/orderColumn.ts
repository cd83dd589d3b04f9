import type { OrderColumn } from '../measures/windowSpec.ts';
import { requireObject, type Fields } from '../settings.ts';
import { invalidWindow } from './invalidWindow.ts';

/** Where rows go that have no value to be ordered by. */
export interface NullsPlace {
  readonly nulls?: 'first' | 'last' | undefined;
}

const fields: Fields<NullsPlace> = { nulls: true };

/**
 * A column in ascending order.
 *
 * NaN is larger than every number, text goes by code point. Rows without a value come first, or where `nulls` says.
 *
 * @throws RollingWindowError `invalid-window` where the column is no text, or `nulls` neither `'first'` nor `'last'`.
 * @example Window.orderBy(asc('price', { nulls: 'last' }))
 */
export function asc<const Column extends string>(column: Column, options?: NullsPlace): OrderColumn<Column> {
  return orderColumn(column, false, options);
}

/**
 * A column in descending order.
 *
 * NaN is larger than every number, and so comes first. Rows without a value come last, or where `nulls` says.
 *
 * @throws RollingWindowError `invalid-window` where the column is no text, or `nulls` neither `'first'` nor `'last'`.
 * @example Window.partitionBy('category').orderBy(desc('revenue'))
 */
export function desc<const Column extends string>(column: Column, options?: NullsPlace): OrderColumn<Column> {
  return orderColumn(column, true, options);
}

function orderColumn<Column extends string>(column: Column, descending: boolean, options: NullsPlace = {}): OrderColumn<Column> {
  if (typeof column !== 'string') throw invalidWindow('the name of a column to order by', column);
  requireObject(options, 'an object of options', fields);
  const { nulls = descending ? 'last' : 'first' } = options;
  if (!['first', 'last'].includes(nulls)) throw invalidWindow("nulls to be 'first' or 'last'", nulls);
  return Object.freeze({ column, descending, nulls });
}
