import type { EngineStats } from '../../src/index.ts';
import type { StateOperatorProgress } from './queryProgress.ts';

/** A rate, or null where no time passed in which it could be one. */
export function perSecond(count: number, ms: number): number | null {
  return ms > 0 && ms < Infinity ? (count * 1000) / ms : null;
}

/** What happened to the state between two readings of its counters. */
export function stateBetween(before: EngineStats, { keys, bytes, held, ...after }: EngineStats, numRowsRemoved: number): StateOperatorProgress {
  // A snapshot restored meanwhile brings the counters of another time: fewer than before is nothing.
  const added = (counter: keyof typeof after): number => Math.max(0, after[counter] - before[counter]);
  return {
    operatorName: 'rollingWindow',
    numRowsTotal: keys,
    numRowsUpdated: added('rows'),
    numRowsRemoved,
    memoryUsedBytes: bytes,
    numRowsDroppedByWatermark: added('late'),
    pending: held,
    future: added('future'),
    invalid: added('invalid'),
    outside: added('outside'),
    evicted: added('evicted'),
    limited: added('limited'),
  };
}
