import type { OperatorFunction } from 'rxjs';
import type { ColumnHolding, ColumnOf, KeyValue, PlainTime } from '../../src/index.ts';
import { createKeyedState, type KeyedState, type KeyedStateConfig, type KeyedStateStats } from '../../src/state/index.ts';
import { drive } from '../drive.ts';
import { eachRow } from '../eachRow.ts';
import type { StateOptions } from './stateOptions.ts';
import { stateSource } from './stateSource.ts';

/** What is kept per key, what happens with events and timers, and what time it is. */
export interface TransformWithStateConfig<
  E,
  PartitionBy extends ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[],
  State,
  FromEvent = never,
  FromTimer = never,
  Time = PlainTime,
>
  extends KeyedStateConfig<E, PartitionBy, State, FromEvent, FromTimer, Time>, StateOptions<KeyedStateStats, ColumnOf<NoInfer<E>>> {}

/**
 * A state of your own per key, with timers: each event and each timer may change its key's state, and emit any number of
 * values.
 *
 * With `orderBy`, events wait until the frontier (the clock less `delay`) reaches their time, and so come in order of time;
 * one that is behind the frontier already is taken at once, unless a `watermark` says that it is late. Timers are of the same
 * time, and fire at their instant, also when no event comes. Without `orderBy`, both go by the clock. At one
 * instant timers come first, by key in the order in which keys came and then by name; then keys whose `ttl` ran out go; then
 * come events, in order of arrival. What was due while nobody looked happens in that order too, so that neither a trigger nor
 * a machine that slept changes the outcome.
 *
 * The whole operator has one timer. A callback that throws ends the stream with `user-code`, and names itself; nothing of what
 * it would have emitted leaves, and its key is dropped. When the source completes there is one last evaluation: events and
 * timers beyond the frontier are not waited for.
 *
 * @throws RollingWindowError at once for a wrong configuration. What goes wrong later is an error of the stream.
 * @example
 * clicks$.pipe(
 *   transformWithState({
 *     partitionBy: 'user',
 *     orderBy: 'at',
 *     init: () => ({ clicks: 0 }),
 *     onEvent(state, _click, context) {
 *       state.clicks += 1;
 *       context.setTimer(context.now + 1_800_000);
 *     },
 *     onTimer(state, _timer, context) {
 *       context.clear();
 *       return [{ ...context.key, clicks: state.clicks }];
 *     },
 *   }),
 * ) // Observable<{ clicks: number; user: string }>
 */
export function transformWithState<
  E,
  const PartitionBy extends ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[],
  State,
  FromEvent = never,
  FromTimer = never,
  Time = PlainTime,
>(config: TransformWithStateConfig<E, PartitionBy, State, FromEvent, FromTimer, Time>): OperatorFunction<E, FromEvent | FromTimer>;
/** The same over a core that the caller owns, so that `state`, `snapshot`, `restore` and `stats` work beside the pipe. */
export function transformWithState<E, Out, State, Key>(core: KeyedState<E, Out, State, Key>, options: StateOptions<KeyedStateStats>): OperatorFunction<E, Out>;
export function transformWithState<E, Out>(given: object, options?: object): OperatorFunction<E, Out> {
  return drive(stateSource<E, Out>(given, options, createKeyedState<E>() as never), eachRow);
}
