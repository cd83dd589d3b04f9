import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { DrivenEngine } from '../src/drivenEngine.ts';
import { drivenFields, internalsOf, requireObject } from '../src/internals.ts';
import { RollingWindowError, type AnyEngineConfig, type Engine } from '../src/index.ts';
import { checkpointPlan, type CheckpointPlan } from './checkpoints/checkpointOptions.ts';
import type { Clock } from './clocks/clock.ts';
import { processingTime } from './clocks/processingTime.ts';
import { mustHave } from './mustHave.ts';
import type { OperatorOptions } from './options.ts';
import { isMeter } from './progress.ts';
import { realTime } from './triggers/realTime.ts';
import type { Trigger } from './triggers/trigger.ts';

/** Where the engine of a subscription comes from, and how it is driven. */
export interface EngineSource<E, Row, Key> {
  /** The caller's own engine, which serves one subscription at a time. */
  readonly owned: boolean;
  readonly open: () => Engine<E, Row, Key>;
  readonly options: DriveOptions;
}

/** The options with their defaults, checked. */
export interface DriveOptions extends Omit<OperatorOptions, 'checkpoint'> {
  readonly trigger: Trigger;
  readonly clock: Clock;
  readonly scheduler: SchedulerLike;
  readonly checkpoint: CheckpointPlan | undefined;
}

/**
 * Takes the argument of an operator apart, and checks it.
 *
 * @param given The caller's engine, or a configuration with the options in it.
 * @throws RollingWindowError for whatever is wrong with it, before anything is subscribed.
 */
export function engineSource<E, Row, Key>(given: unknown, options?: OperatorOptions): EngineSource<E, Row, Key> {
  if (!isEngine<E, Row, Key>(given)) return fromConfig(given);
  return checked({ owned: true, open: () => given, options: withDefaults(options) });
}

function isEngine<E, Row, Key>(given: unknown): given is Engine<E, Row, Key> {
  return typeof given === 'object' && given !== null && 'advance' in given;
}

function fromConfig<E, Row, Key>(given: unknown): EngineSource<E, Row, Key> {
  const { options, config } = apart<AnyEngineConfig>(given);
  // A drive pushes, advances and asks for the next boundary: of the rest of an engine it needs nothing.
  return checked({ owned: false, open: () => new DrivenEngine(config) as unknown as Engine<E, Row, Key>, options: withDefaults(options) });
}

/** The options of a configuration, and the rest of it. */
export function apart<Config extends object>(given: unknown): { readonly options: OperatorOptions; readonly config: Config } {
  const { trigger, clock, scheduler, progress, checkpoint, flush$, ...config } = Object(given) as Config & OperatorOptions;
  return { options: { trigger, clock, scheduler, progress, checkpoint, flush$ }, config: config as unknown as Config };
}

export function withDefaults(options: OperatorOptions = {}): DriveOptions {
  requireObject(options, 'an object of options', drivenFields);
  const { trigger = realTime(), clock = processingTime(), scheduler = asyncScheduler, checkpoint, ...rest } = options;
  mustHave('trigger', trigger, 'start');
  return { trigger, clock, scheduler, ...rest, checkpoint: checkpoint === undefined ? undefined : checkpointPlan(checkpoint, trigger.batch) };
}

function checked<Source extends EngineSource<never, unknown, unknown>>(source: Source): Source {
  const { trigger } = checkedOptions(source.options);
  // An engine made now shows what is wrong with the configuration now.
  if (internalsOf(source.open()).emit === 'every' && trigger.perEvent) throw everyRowWithEachEvent();
  return source;
}

/** @throws RollingWindowError `invalid-config` for an option that is not what it should be. */
export function checkedOptions(options: DriveOptions): DriveOptions {
  const { clock, scheduler, progress, flush$ } = options;
  mustHave('clock', clock, 'start');
  mustHave('scheduler', scheduler, 'now', 'schedule');
  if (progress !== undefined && !isMeter(progress)) mustHave('progress', progress, 'next');
  if (flush$ !== undefined) mustHave('flush$', flush$, 'subscribe');
  return options;
}

function everyRowWithEachEvent(): RollingWindowError {
  return new RollingWindowError('invalid-config', {
    expected: "a trigger that gathers events where `emit` is 'every'",
    given: 'realTime(), where each event would give a row of every key',
    remedy: "Take microBatch(...), realTime({ coalesce }), or `emit: 'changed'`.",
  });
}
