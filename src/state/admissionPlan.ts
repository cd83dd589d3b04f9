import type { Dropped, Listener } from '../config.ts';
import { columnName, columnNames, drivenFields, invalidConfig, limitsOf, oneOf, watermarkOf, withMethods, type Fields, type PlannedLimits, type PlannedWatermark } from '../settings.ts';
import { durationMs } from '../time/duration.ts';
import { epochMilliseconds, type TimeAdapter } from '../time/timestamp.ts';
import type { AdmissionSettings } from './settings.ts';

export const admissionFields: Fields<AnyAdmissionSettings> = {
  orderBy: true, time: true, watermark: true, maxFutureSkew: true, onInvalid: true, limits: true, dropped: true, ...drivenFields,
};

const DEFAULT_SKEW = 300_000;

/** What admission needs to know, checked once. */
export interface AdmissionPlan {
  readonly keyColumns: readonly string[];
  /** `undefined`: events have no time but their arrival. */
  readonly orderBy: string | undefined;
  readonly time: TimeAdapter;
  /** How far the frontier stays behind the clock. */
  readonly delay: number;
  readonly watermark: PlannedWatermark | undefined;
  readonly maxFutureSkew: number | false;
  readonly onFuture: 'take' | 'drop' | 'error';
  readonly onInvalid: 'drop' | 'error';
  readonly limits: PlannedLimits | undefined;
  readonly dropped: Listener<Dropped<unknown, string>> | undefined;
}

/** The settings as they come from a caller, whatever the types of columns. */
export interface AnyAdmissionSettings extends AdmissionSettings<never> {
  readonly orderBy?: string | undefined;
  readonly time?: TimeAdapter | undefined;
}

/**
 * Checks what decides whether an event counts.
 *
 * @throws RollingWindowError for whatever is wrong with it.
 */
export function admissionPlanOf(
  settings: AnyAdmissionSettings,
  { columns, delay, onFuture }: { readonly columns: unknown; readonly delay: number; readonly onFuture: AdmissionPlan['onFuture'] },
): AdmissionPlan {
  const orderBy = settings.orderBy === undefined ? undefined : columnName(settings.orderBy, 'orderBy');
  const watermark = watermarkOf(settings.watermark);
  if (watermark && orderBy === undefined) {
    throw invalidConfig({ expected: 'orderBy with a watermark, or with within', given: 'none', remedy: 'Name the column of the event time in orderBy: late is what is behind it' });
  }
  return {
    keyColumns: columnNames(columns),
    orderBy,
    time: withMethods(settings.time, 'time', ['read']) ?? epochMilliseconds,
    delay,
    watermark,
    maxFutureSkew: settings.maxFutureSkew === false ? false : durationMs(settings.maxFutureSkew ?? DEFAULT_SKEW),
    onFuture,
    onInvalid: oneOf(settings.onInvalid, 'onInvalid', ['drop', 'error']),
    limits: limitsOf(settings.limits),
    dropped: withMethods(settings.dropped, 'dropped', ['next']),
  };
}
