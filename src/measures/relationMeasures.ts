import {
  corr as corrAggregate,
  covarPop as covarPopAggregate,
  covarSamp as covarSampAggregate,
  ema as emaAggregate,
  maxBy as maxByAggregate,
  minBy as minByAggregate,
  slope as slopeAggregate,
} from '../aggregates/index.ts';
import { durationMs, type CheckedDuration, type Duration } from '../time/duration.ts';
import type { OfNamedColumn, OrderedBy } from './measure.ts';
import { measure, type MeasureBuilder } from './measureBuilder.ts';

/**
 * The value of a column in the event where another column is smallest; of several such events, in the earliest.
 *
 * What is ordered by compares as in `min`: NaN is larger than every number, text goes by code point. As in SQL, an event
 * without a value to order by is skipped, and a null in the first column is an answer; null for an empty window.
 *
 * @example minBy('shop', 'price').over(preceding(range('1 day'))) // named min_by(shop, price)
 */
export function minBy<const C extends string, const By extends string>(
  column: C,
  by: By,
): MeasureBuilder<C | By, OrderedBy<By>, `min_by(${C}, ${By})`, OfNamedColumn<C>> {
  return measure(minByAggregate, 'any', [column, by], { secondKind: 'orderable' });
}

/**
 * The value of a column in the event where another column is largest; of several such events, in the earliest.
 *
 * What is ordered by compares as in `max`: NaN is larger than every number, text goes by code point. As in SQL, an event
 * without a value to order by is skipped, and a null in the first column is an answer; null for an empty window.
 *
 * @example maxBy('player', 'score') // named max_by(player, score)
 */
export function maxBy<const C extends string, const By extends string>(
  column: C,
  by: By,
): MeasureBuilder<C | By, OrderedBy<By>, `max_by(${C}, ${By})`, OfNamedColumn<C>> {
  return measure(maxByAggregate, 'any', [column, by], { secondKind: 'orderable' });
}

/**
 * Pearson's correlation of two columns, from -1 to 1.
 *
 * Events that lack one of the two are skipped; null for fewer than two, and where a column is constant; NaN where there is a
 * NaN or an infinity.
 *
 * @example corr('price', 'units').over(preceding(range('1 day'))) // named corr(price, units)
 */
export function corr<const X extends string, const Y extends string>(x: X, y: Y): MeasureBuilder<X | Y, number, `corr(${X}, ${Y})`, number | null> {
  return measure(corrAggregate, 'number', [x, y]);
}

/**
 * The covariance of two columns of a sample, divided by n - 1.
 *
 * Events that lack one of the two are skipped; null for fewer than two; NaN where there is a NaN or an infinity.
 *
 * @example covarSamp('price', 'units') // named covar_samp(price, units)
 */
export function covarSamp<const X extends string, const Y extends string>(x: X, y: Y): MeasureBuilder<X | Y, number, `covar_samp(${X}, ${Y})`, number | null> {
  return measure(covarSampAggregate, 'number', [x, y]);
}

/**
 * The covariance of two columns of a whole population, divided by n.
 *
 * Events that lack one of the two are skipped; null for an empty window; NaN where there is a NaN or an infinity.
 *
 * @example covarPop('price', 'units') // named covar_pop(price, units)
 */
export function covarPop<const X extends string, const Y extends string>(x: X, y: Y): MeasureBuilder<X | Y, number, `covar_pop(${X}, ${Y})`, number | null> {
  return measure(covarPopAggregate, 'number', [x, y]);
}

/**
 * How fast a column rises: the slope of the line of least squares through its values over event time, per second.
 *
 * Null values are skipped; null for fewer than two values, and where all are of one instant; NaN where there is a NaN or an
 * infinity.
 *
 * @example slope('temperature').over(preceding(range('10 minutes'))) // named slope(temperature)
 */
export function slope<const C extends string>(column: C): MeasureBuilder<C, number, `slope(${C})`, number | null> {
  return measure(slopeAggregate, 'number', [column]);
}

/**
 * The exponential moving average: the mean in which a value counts half as much for each half-life that it is older.
 *
 * The weights are `2^-((F - t) / halfLife)` over their sum, in which the frontier F cancels out: the average stands still
 * while nothing enters or leaves. Null values are skipped; null for an empty window; NaN where there is a NaN or both
 * infinities, else the infinity.
 *
 * @param halfLife A length of time, as in `range`.
 * @throws RollingWindowError `invalid-duration` for a half-life that is zero, negative, infinite or unreadable.
 * @example ema('price', '10 minutes') // named ema(price)
 */
export function ema<const C extends string, const Length>(column: C, halfLife: CheckedDuration<Length>): MeasureBuilder<C, number, `ema(${C})`, number | null> {
  return measure(emaAggregate(durationMs(halfLife as Duration, { positive: true })), 'number', [column]);
}
