import type { PlainTime } from '../config.ts';
import type { ColumnHolding, KeyValue } from '../measures/columns.ts';
import type { KeyOf } from '../measures/rowType.ts';
import { invalidConfig, oneOf, requireObject, type Fields } from '../settings.ts';
import { shown } from '../errors.ts';
import { durationMs, type Duration } from '../time/duration.ts';
import type { TimeAdapter } from '../time/timestamp.ts';
import { admissionFields, admissionPlanOf, type AdmissionPlan, type AnyAdmissionSettings } from './admissionPlan.ts';
import type { AdmissionSettings, AdmissionStats } from './settings.ts';
import { codecOf, type StateCodec } from './stateCodec.ts';

/** What a callback gives: any number of values to emit, in order, or nothing. A text is no list of letters here. */
// TypeScript 5.9 takes a method without `return` for one that returns void only.
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
export type Emitted<Out> = (Iterable<Out> & object) | undefined | void;

/** A timer that fires. */
export interface StateTimer {
  /** `''` where it was set without a name. */
  readonly name: string;
  /** The time that it was set to, in milliseconds. It never fires before it. */
  readonly at: number;
}

/** What a callback can see and do, for its key, while it runs. Its functions may be taken out: `{ now, setTimer }`. */
export interface StateContext<State, Key> {
  readonly key: Key;
  /**
   * The operator's now, in epoch milliseconds. In event time the frontier: the time of the event or the timer, or where the
   * frontier was when an event came that was behind it. In processing time the clock reading at which the event came or the
   * timer was due. It does not depend on when the operator got round to it.
   */
  readonly now: number;
  /** Events at or before it are late; minus infinity without a `watermark`. */
  readonly watermark: number;
  /** Puts another state in the place of this one. */
  readonly replace: (state: State) => void;
  /**
   * Sets the timer of this name, or moves it. One that is set for now or before fires right after this callback.
   *
   * @param at Milliseconds, on the time line of `now`.
   * @throws RollingWindowError `invalid-time` where it is no finite number, `invalid-config` without `onTimer`.
   */
  readonly setTimer: (at: number, name?: string) => void;
  /** Cancels the timer of this name. Whether there was one. */
  readonly cancelTimer: (name?: string) => boolean;
  /** When the timer of this name fires; `undefined` where none is set. */
  readonly timer: (name?: string) => number | undefined;
  /** Forgets the key when this callback has returned: its state, and every timer. Its next event begins anew. */
  readonly clear: () => void;
}

/** What is kept per key, and what happens with each event and each timer. */
export interface KeyedStateConfig<
  E,
  PartitionBy extends ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[],
  State,
  FromEvent = never,
  FromTimer = never,
  Time = PlainTime,
> extends AdmissionSettings<NoInfer<E>> {
  /** The key column, or the list of them; `[]` is one state for all events. */
  readonly partitionBy: PartitionBy;
  /** The column of the event time: epoch milliseconds or dates, or what the adapter in `time` reads. */
  readonly orderBy?: ColumnHolding<E, NoInfer<Time>> | undefined;
  /** How times are read. Default: numbers are epoch milliseconds, and `Date`. */
  readonly time?: TimeAdapter<Time> | undefined;
  /**
   * What timers, `ttl` and `now` go by. `'eventTime'`, the default with `orderBy`: the frontier, which is the clock less
   * `delay`; events wait until it reaches them, and come in order. `'processingTime'`, the default without: the clock;
   * events come as they arrive.
   */
  readonly timeMode?: 'eventTime' | 'processingTime' | undefined;
  /** In event time: how far the frontier stays behind the clock. Default 0. */
  readonly delay?: Duration | undefined;
  /** A key's state and timers go so long after its last event or timer, at that very instant. Default: never. */
  readonly ttl?: Duration | undefined;
  /** What becomes of an event further ahead of the clock than `maxFutureSkew`. Default `'hold'`. */
  readonly onFuture?: 'hold' | 'drop' | 'error' | undefined;
  /** The state of a key at its first event. */
  readonly init: (key: KeyOf<NoInfer<E>, NoInfer<PartitionBy>>) => State;
  /** Takes an event. It may change the state in place. */
  readonly onEvent: (state: NoInfer<State>, event: NoInfer<E>, context: StateContext<NoInfer<State>, KeyOf<NoInfer<E>, NoInfer<PartitionBy>>>) => Emitted<FromEvent>;
  /** Takes a timer that is due. It may change the state in place. */
  readonly onTimer?:
    | ((state: NoInfer<State>, timer: StateTimer, context: StateContext<NoInfer<State>, KeyOf<NoInfer<E>, NoInfer<PartitionBy>>>) => Emitted<FromTimer>)
    | undefined;
  /** How a state is saved that is no plain value; `decode` undoes it. */
  readonly encode?: ((state: NoInfer<State>) => unknown) | undefined;
  readonly decode?: ((saved: unknown) => NoInfer<State>) | undefined;
  /** How an event is saved that waits for the frontier, where it is no plain value; `decodeEvent` undoes it. */
  readonly encodeEvent?: ((event: NoInfer<E>) => unknown) | undefined;
  readonly decodeEvent?: ((saved: unknown) => NoInfer<E>) | undefined;
}

/** Counts since it was made, restored ones included; `keys`, `timers` and `held` are of this moment. */
export interface KeyedStateStats extends AdmissionStats {
  /** Timers that wait. */
  readonly timers: number;
  /** Events that wait for the frontier. */
  readonly held: number;
  readonly emitted: number;
  readonly timersFired: number;
  /** Keys whose `ttl` ran out. */
  readonly expired: number;
}

type Callback = (state: unknown, what: unknown, context: unknown) => unknown;

export interface KeyedStatePlan {
  readonly admission: AdmissionPlan;
  readonly inEventTime: boolean;
  readonly ttl: number;
  readonly init: (key: unknown) => unknown;
  readonly onEvent: Callback;
  readonly onTimer: Callback | undefined;
  readonly state: StateCodec;
  readonly event: StateCodec;
  readonly fingerprint: object;
}

/** A configuration as it comes from a caller, whatever its types. */
export interface AnyKeyedStateConfig extends AnyAdmissionSettings {
  readonly partitionBy: unknown;
  readonly timeMode?: 'eventTime' | 'processingTime' | undefined;
  readonly delay?: Duration | undefined;
  readonly ttl?: Duration | undefined;
  readonly onFuture?: 'hold' | 'drop' | 'error' | undefined;
  readonly init: unknown;
  readonly onEvent: unknown;
  readonly onTimer?: unknown;
  readonly encode?: unknown;
  readonly decode?: unknown;
  readonly encodeEvent?: unknown;
  readonly decodeEvent?: unknown;
}

const fields: Fields<AnyKeyedStateConfig> = {
  partitionBy: true, timeMode: true, delay: true, ttl: true, onFuture: true, init: true, onEvent: true, onTimer: true,
  encode: true, decode: true, encodeEvent: true, decodeEvent: true, ...admissionFields,
};

/**
 * Checks a configuration.
 *
 * @throws RollingWindowError for whatever is wrong with it.
 */
export function keyedStatePlanOf(config: AnyKeyedStateConfig): KeyedStatePlan {
  requireObject(config, 'a configuration object', fields);
  const timeMode = oneOf(config.timeMode, 'timeMode', config.orderBy === undefined ? ['processingTime', 'eventTime'] : ['eventTime', 'processingTime']);
  const inEventTime = timeMode === 'eventTime';
  if (inEventTime && config.orderBy === undefined) throw invalidConfig({ expected: "orderBy with timeMode: 'eventTime'", given: 'none', remedy: 'Name the column of the event time in orderBy' });
  if (!inEventTime && config.delay !== undefined) throw invalidConfig({ expected: "delay only with timeMode: 'eventTime'", given: shown(config.delay), remedy: 'In processing time there is nothing to wait for' });
  const onFuture = oneOf(config.onFuture, 'onFuture', ['hold', 'drop', 'error']);
  const admission = admissionPlanOf(config, { columns: config.partitionBy, delay: durationMs(config.delay ?? 0), onFuture: onFuture === 'hold' ? 'take' : onFuture });
  const { keyColumns, orderBy } = admission;
  return {
    admission,
    inEventTime,
    ttl: config.ttl === undefined ? Infinity : durationMs(config.ttl, { positive: true }),
    init: functionOf(config.init, 'init'),
    onEvent: functionOf(config.onEvent, 'onEvent'),
    onTimer: config.onTimer === undefined ? undefined : functionOf(config.onTimer, 'onTimer'),
    state: codecOf('encode', config.encode, 'decode', config.decode),
    event: codecOf('encodeEvent', config.encodeEvent, 'decodeEvent', config.decodeEvent),
    fingerprint: { transformWithState: keyColumns, orderBy: orderBy ?? null, timeMode, watermarkBy: admission.watermark?.by ?? null },
  };
}

function functionOf(given: unknown, field: string): (...args: unknown[]) => unknown {
  if (typeof given !== 'function') throw invalidConfig({ expected: `a function in ${field}`, given: shown(given) });
  return given as (...args: unknown[]) => unknown;
}
