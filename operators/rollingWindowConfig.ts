import type { AnyMeasure, ColumnHolding, ColumnOf, EngineConfig, KeyValue, PlainTime } from '../src/index.ts';
import type { OperatorOptions } from './options.ts';

/** What to group by and what to measure, when to evaluate and what time it is. */
export interface RollingWindowConfig<
  E,
  PartitionBy extends ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[],
  Measures extends readonly AnyMeasure[],
  Alias extends string = '__frontier',
  Time = PlainTime,
  Frontier = number,
>
  extends EngineConfig<E, PartitionBy, Measures, Alias, Time, Frontier>, OperatorOptions<ColumnOf<NoInfer<E>>> {}
