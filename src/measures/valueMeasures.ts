import {
  collect as collectAggregate,
  countDistinct as countDistinctAggregate,
  first as firstAggregate,
  histogram as histogramAggregate,
  last as lastAggregate,
  mode as modeAggregate,
  topK as topKAggregate,
} from '../aggregates/index.ts';
import type { Orderable } from '../aggregates/order.ts';
import type { KeyValue } from './columns.ts';
import type { CountsOfColumn, ListOfColumn, OfColumn } from './measure.ts';
import { measure, type MeasureBuilder } from './measureBuilder.ts';

/**
 * The value of the earliest event, by event time, then arrival.
 *
 * Null values are skipped, so it is the earliest one that is there; null for an empty window. Any kind of value will do;
 * of objects only plain ones fit into a snapshot.
 *
 * @example first('price').over(preceding(range('1 day'))) // named first(price)
 */
export function first<const C extends string>(column: C): MeasureBuilder<C, unknown, `first(${C})`, OfColumn> {
  return measure(firstAggregate, 'any', [column]);
}

/**
 * The value of the latest event, by event time, then arrival: a late event does not replace it.
 *
 * Null values are skipped, so it is the latest one that is there; null for an empty window.
 *
 * @example last('price') // named last(price)
 */
export function last<const C extends string>(column: C): MeasureBuilder<C, unknown, `last(${C})`, OfColumn> {
  return measure(lastAggregate, 'any', [column]);
}

/**
 * How many distinct values a column has, exactly.
 *
 * Values compare by type and value: NaN is one value, -0 is 0, dates go by their epoch. Null values are skipped; 0 for an
 * empty window. Every distinct value in the window is kept; over a lifetime, every one there ever was. `approxCountDistinct`
 * keeps a bounded state.
 *
 * @example countDistinct('user').over(preceding(range('1 hour'))) // named count_distinct(user)
 */
export function countDistinct<const C extends string>(column: C): MeasureBuilder<C, KeyValue, `count_distinct(${C})`, number> {
  return measure(countDistinctAggregate, 'key', [column]);
}

/**
 * The most frequent value of a column of numbers, bigints, text, booleans or dates; of several, the smallest.
 *
 * NaN is one value and larger than every number; text goes by code point. Null values are skipped; null for an empty window.
 * Keeps every distinct value, as `countDistinct` does. An answer looks at all of them only where much has changed since the
 * last one; else it goes by an order that is kept.
 *
 * @example mode('status').over(preceding(range('5 minutes'))) // named mode(status)
 */
export function mode<const C extends string>(column: C): MeasureBuilder<C, Orderable, `mode(${C})`, OfColumn> {
  return measure(modeAggregate, 'orderable', [column]);
}

/**
 * The k most frequent values of a column with their counts, as `{ value, count }[]`: the most frequent first, the smallest
 * first where counts are equal.
 *
 * NaN is one value and larger than every number; text goes by code point. Null values are skipped; `[]` for an empty window.
 * Exact: keeps every distinct value, as `countDistinct` does. An answer looks at all of them only where much has changed since
 * the last one; else it goes by an order that is kept.
 *
 * @throws RollingWindowError `invalid-measure` where k is no whole number from 1.
 * @example topK('page', 3).over(preceding(range('1 hour'))) // named top_k(page, 3)
 */
export function topK<const C extends string, const K extends number>(column: C, k: K): MeasureBuilder<C, Orderable, `top_k(${C}, ${K})`, CountsOfColumn> {
  return measure(topKAggregate(k), 'orderable', [column], { name: `top_k(${column}, ${String(k)})` });
}

/**
 * How many values lie between edges: n edges give n + 1 counts, before the first edge, from each up to the next, and from
 * the last one on. A value on an edge lies above it.
 *
 * NaN lies above all edges. Null values are skipped; zeros for an empty window, so the counts always add up to `count`.
 *
 * @param edges Numbers, each larger than the one before.
 * @throws RollingWindowError `invalid-measure` where the edges are anything else, or none.
 * @example histogram('ms', [10, 100, 1000]).over(preceding(range('1 minute'))) // named histogram(ms): [3, 12, 5, 0]
 */
export function histogram<const C extends string>(column: C, edges: readonly number[]): MeasureBuilder<C, number, `histogram(${C})`, number[]> {
  return measure(histogramAggregate(edges), 'number', [column]);
}

/**
 * The values of a column as a list, in order of event time, then arrival; where there are more than `limit`, the latest.
 *
 * Null values are skipped; `[]` for an empty window.
 *
 * @param limit How many values the list may have.
 * @throws RollingWindowError `invalid-measure` where the limit is no whole number from 1.
 * @example collect('price', 20).over(preceding(range('1 minute'))) // named collect_list(price)
 */
export function collect<const C extends string>(column: C, limit: number): MeasureBuilder<C, unknown, `collect_list(${C})`, ListOfColumn> {
  return measure(collectAggregate(limit), 'any', [column]);
}
