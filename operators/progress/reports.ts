import type { EngineStats } from '../../src/index.ts';
import type { StateOperatorProgress } from './queryProgress.ts';

/** A rate, or null where no time passed in which it could be one. */
export function perSecond(count: number, ms: number): number | null {
  return ms > 0 && ms < Infinity ? (count * 1000) / ms : null;
}

/** What happened to the state between two readings of its counters. */
export function stateBetween(before: EngineStats, after: EngineStats, numRowsRemoved: number): StateOperatorProgress {
  return {
    operatorName: 'rollingWindow',
    numRowsTotal: after.keys,
    numRowsUpdated: added(before.rows, after.rows),
    numRowsRemoved,
    memoryUsedBytes: after.bytes,
    numRowsDroppedByWatermark: added(before.late, after.late),
    pending: after.held,
    future: added(before.future, after.future),
    invalid: added(before.invalid, after.invalid),
    outside: added(before.outside, after.outside),
    evicted: added(before.evicted, after.evicted),
    limited: added(before.limited, after.limited),
  };
}

/** A snapshot restored meanwhile brings the counters of another time: fewer than before is nothing. */
const added = (before: number, after: number): number => Math.max(0, after - before);
