import { RollingWindowError, shown } from '../errors.ts';
import type { PercentileAnswer } from '../aggregates/approxPercentile.ts';
import type { DDSketchBins } from '../aggregates/ddSketchBins.ts';
import type { PercentileMethod } from '../aggregates/percentileMethod.ts';
import type { Orderable } from '../aggregates/order.ts';
import type { UserAggregate } from '../aggregates/udaf.ts';
import type { CheckedDuration } from '../time/duration.ts';
import type { ColumnHolding, ColumnOf, KeyValue } from './columns.ts';
import type { CountsOfColumn, ListOfColumn, OfColumn, OfNamedColumn, OrderedBy, SumOfColumn } from './measure.ts';
import type { MeasureBuilder } from './measureBuilder.ts';
import type * as measures from './measures.ts';
import type { PercentileText } from './measures.ts';
import type * as relationMeasures from './relationMeasures.ts';
import type * as valueMeasures from './valueMeasures.ts';

/** The measures of one event type: an editor completes the columns, and `.filter` knows the event. */
export interface MeasuresFor<E> {
  count(): MeasureBuilder<never, unknown, 'count(*)', number, E>;
  count<const C extends ColumnOf<E>>(column: C): MeasureBuilder<C & string, unknown, `count(${C & string})`, number, E>;
  sum<const C extends ColumnHolding<E, number | bigint>>(column: C): MeasureBuilder<C & string, number | bigint, `sum(${C & string})`, SumOfColumn, E>;
  avg<const C extends ColumnHolding<E, number | bigint>>(column: C): MeasureBuilder<C & string, number | bigint, `avg(${C & string})`, number | null, E>;
  min<const C extends ColumnHolding<E, Orderable>>(column: C): MeasureBuilder<C & string, Orderable, `min(${C & string})`, OfColumn, E>;
  max<const C extends ColumnHolding<E, Orderable>>(column: C): MeasureBuilder<C & string, Orderable, `max(${C & string})`, OfColumn, E>;
  varSamp<const C extends ColumnHolding<E, number>>(column: C): MeasureBuilder<C & string, number, `var_samp(${C & string})`, number | null, E>;
  variance<const C extends ColumnHolding<E, number>>(column: C): MeasureBuilder<C & string, number, `var_samp(${C & string})`, number | null, E>;
  varPop<const C extends ColumnHolding<E, number>>(column: C): MeasureBuilder<C & string, number, `var_pop(${C & string})`, number | null, E>;
  stddevSamp<const C extends ColumnHolding<E, number>>(column: C): MeasureBuilder<C & string, number, `stddev_samp(${C & string})`, number | null, E>;
  stddev<const C extends ColumnHolding<E, number>>(column: C): MeasureBuilder<C & string, number, `stddev_samp(${C & string})`, number | null, E>;
  stddevPop<const C extends ColumnHolding<E, number>>(column: C): MeasureBuilder<C & string, number, `stddev_pop(${C & string})`, number | null, E>;
  approxCountDistinct<const C extends ColumnHolding<E, KeyValue>>(
    column: C,
    rsd?: number,
  ): MeasureBuilder<C & string, KeyValue, `approx_count_distinct(${C & string})`, number, E>;
  approxPercentile<const C extends ColumnHolding<E, number>, const P extends number | readonly number[]>(
    column: C,
    p: P,
    how?: PercentileMethod,
  ): MeasureBuilder<C & string, number, `approx_percentile(${C & string}, ${PercentileText<P>})`, PercentileAnswer<P>, E>;
  ddSketch<const C extends ColumnHolding<E, number>>(
    column: C,
    options?: { readonly relativeAccuracy?: number | undefined },
  ): MeasureBuilder<C & string, number, `ddsketch(${C & string})`, DDSketchBins | null, E>;
  countDistinct<const C extends ColumnHolding<E, KeyValue>>(column: C): MeasureBuilder<C & string, KeyValue, `count_distinct(${C & string})`, number, E>;
  first<const C extends ColumnHolding<E, unknown>>(column: C): MeasureBuilder<C & string, unknown, `first(${C & string})`, OfColumn, E>;
  last<const C extends ColumnHolding<E, unknown>>(column: C): MeasureBuilder<C & string, unknown, `last(${C & string})`, OfColumn, E>;
  minBy<const C extends ColumnHolding<E, unknown>, const By extends ColumnHolding<E, Orderable>>(
    column: C,
    by: By,
  ): MeasureBuilder<(C | By) & string, OrderedBy<By & string>, `min_by(${C & string}, ${By & string})`, OfNamedColumn<C & string>, E>;
  maxBy<const C extends ColumnHolding<E, unknown>, const By extends ColumnHolding<E, Orderable>>(
    column: C,
    by: By,
  ): MeasureBuilder<(C | By) & string, OrderedBy<By & string>, `max_by(${C & string}, ${By & string})`, OfNamedColumn<C & string>, E>;
  mode<const C extends ColumnHolding<E, Orderable>>(column: C): MeasureBuilder<C & string, Orderable, `mode(${C & string})`, OfColumn, E>;
  topK<const C extends ColumnHolding<E, Orderable>, const K extends number>(
    column: C,
    k: K,
  ): MeasureBuilder<C & string, Orderable, `top_k(${C & string}, ${K})`, CountsOfColumn, E>;
  histogram<const C extends ColumnHolding<E, number>>(
    column: C,
    edges: readonly number[],
  ): MeasureBuilder<C & string, number, `histogram(${C & string})`, number[], E>;
  collect<const C extends ColumnHolding<E, unknown>>(column: C, limit: number): MeasureBuilder<C & string, unknown, `collect_list(${C & string})`, ListOfColumn, E>;
  ema<const C extends ColumnHolding<E, number>, const Length>(
    column: C,
    halfLife: CheckedDuration<Length>,
  ): MeasureBuilder<C & string, number, `ema(${C & string})`, number | null, E>;
  slope<const C extends ColumnHolding<E, number>>(column: C): MeasureBuilder<C & string, number, `slope(${C & string})`, number | null, E>;
  corr<const X extends ColumnHolding<E, number>, const Y extends ColumnHolding<E, number>>(
    x: X,
    y: Y,
  ): MeasureBuilder<(X | Y) & string, number, `corr(${X & string}, ${Y & string})`, number | null, E>;
  covarSamp<const X extends ColumnHolding<E, number>, const Y extends ColumnHolding<E, number>>(
    x: X,
    y: Y,
  ): MeasureBuilder<(X | Y) & string, number, `covar_samp(${X & string}, ${Y & string})`, number | null, E>;
  covarPop<const X extends ColumnHolding<E, number>, const Y extends ColumnHolding<E, number>>(
    x: X,
    y: Y,
  ): MeasureBuilder<(X | Y) & string, number, `covar_pop(${X & string}, ${Y & string})`, number | null, E>;
  udaf<In, State, Out, const Name extends string>(
    aggregate: UserAggregate<In, State, Out> & { readonly name: Name },
  ): <const C extends ColumnHolding<E, In>>(column: C) => MeasureBuilder<C & string, In, `${Name}(${C & string})`, Out, E>;
}

type AllFunctions = typeof measures & typeof valueMeasures & typeof relationMeasures;

/** Any of the measure functions, by their names. */
export type MeasureFunctions = { readonly [Name in keyof AllFunctions]?: AllFunctions[Name] };

/**
 * The measure functions that you name, for one event type: columns are completed as you type, and `.filter` knows the event.
 *
 * Only the functions that you name are bundled.
 *
 * @throws RollingWindowError `invalid-measure` at the use of a function that was not named.
 * @example
 * const m = measuresFor<Purchase>({ sum, count });
 * m.sum('revenue').filter((purchase) => purchase.region === 'eu')
 */
export function measuresFor<E>(functions: MeasureFunctions): MeasuresFor<E> {
  // The compiler can't let E be given and the functions be inferred, so it takes all of them to be there.
  return new Proxy(functions, {
    get(named, name, receiver) {
      const found: unknown = Reflect.get(named, name, receiver);
      if (found === undefined && typeof name === 'string') {
        throw new RollingWindowError('invalid-measure', {
          expected: `one of the functions given to measuresFor: ${Object.keys(named).join(', ')}`,
          given: shown(name),
          remedy: `Name it: measuresFor<Event>({ ${name}, ... })`,
        });
      }
      return found;
    },
  }) as MeasuresFor<E>;
}
