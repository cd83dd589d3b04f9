import type { DropReason, PlainTime } from '../config.ts';
import type { ColumnHolding, KeyValue } from '../measures/columns.ts';
import { invalidConfig, oneOf, requireObject, watermarkOf, type Fields } from '../settings.ts';
import { durationMs, type Duration } from '../time/duration.ts';
import type { TimeAdapter } from '../time/timestamp.ts';
import { admissionFields, admissionPlanOf, type AdmissionPlan, type AnyAdmissionSettings } from './admissionPlan.ts';
import { codecOf, type StateCodec } from './stateCodec.ts';
import type { AdmissionSettings, AdmissionStats } from './settings.ts';

/** Why an event did not pass. */
export type DuplicateReason = DropReason | 'duplicate';

/** What makes an event a duplicate, and for how long. */
export interface DeduplicatorConfig<E, Time = PlainTime> extends AdmissionSettings<NoInfer<E>, DuplicateReason> {
  /** The key column, or the list of them: of events with the same key, the first passes. */
  readonly by: ColumnHolding<E, KeyValue> | readonly ColumnHolding<E, KeyValue>[];
  /** The column of the event time. `within` and `watermark` need it. */
  readonly orderBy?: ColumnHolding<E, NoInfer<Time>> | undefined;
  /** How times are read. Default: numbers are epoch milliseconds, and `Date`. */
  readonly time?: TimeAdapter<Time> | undefined;
  /**
   * An event is a duplicate if its time is less than this away from that of one with the same key that passed, before or
   * after. Default: the watermark's delay; without a watermark, for ever.
   */
  readonly within?: Duration | undefined;
  /** What becomes of an event further ahead of the clock than `maxFutureSkew`. Default `'pass'`. */
  readonly onFuture?: 'pass' | 'drop' | 'error' | undefined;
  /** How an event is saved that passed and has not left yet, where it is no plain value; `decodeEvent` undoes it. */
  readonly encodeEvent?: ((event: NoInfer<E>) => unknown) | undefined;
  readonly decodeEvent?: ((saved: unknown) => NoInfer<E>) | undefined;
}

/** Counts since it was made, restored ones included; `keys` is of this moment. */
export interface DeduplicatorStats extends AdmissionStats {
  readonly passed: number;
  readonly duplicates: number;
}

export interface DeduplicatorPlan {
  readonly admission: AdmissionPlan;
  /** `undefined`: for ever. */
  readonly within: number | undefined;
  readonly event: StateCodec;
  readonly fingerprint: object;
}

export interface AnyDeduplicatorConfig extends AnyAdmissionSettings {
  readonly by: unknown;
  readonly within?: Duration | undefined;
  readonly onFuture?: 'pass' | 'drop' | 'error' | undefined;
  readonly encodeEvent?: unknown;
  readonly decodeEvent?: unknown;
}

const fields: Fields<AnyDeduplicatorConfig> = { by: true, within: true, onFuture: true, encodeEvent: true, decodeEvent: true, ...admissionFields };

/**
 * Checks a configuration. Of `within` and `watermark` each stands for the other where it is missing: the one without the
 * other would either drop late events for nothing, or remember for ever.
 *
 * @throws RollingWindowError for whatever is wrong with it.
 */
export function deduplicatorPlanOf(config: AnyDeduplicatorConfig): DeduplicatorPlan {
  requireObject(config, 'a configuration object', fields);
  const within = config.within === undefined ? watermarkOf(config.watermark)?.delay : durationMs(config.within, { positive: true });
  const watermark = config.watermark ?? config.within;
  const onFuture = oneOf(config.onFuture, 'onFuture', ['pass', 'drop', 'error']);
  const admission = admissionPlanOf({ ...config, watermark }, { columns: config.by, delay: 0, onFuture: onFuture === 'pass' ? 'take' : onFuture });
  if (within === 0) {
    throw invalidConfig({ expected: 'within, where the watermark has no delay', given: 'none', remedy: 'Say within what time an event is a duplicate: within: ...' });
  }
  const { keyColumns, orderBy } = admission;
  return {
    admission,
    within,
    event: codecOf('encodeEvent', config.encodeEvent, 'decodeEvent', config.decodeEvent),
    fingerprint: { dropDuplicates: keyColumns, orderBy: orderBy ?? null, forEver: within === undefined, watermarkBy: admission.watermark?.by ?? null },
  };
}
