import { expect } from 'vitest';
import type { LatencyPercentiles, QueryProgress } from '../../operators/progress/queryProgress.ts';

/** Nearest ranks of weighted values, by sorting them. */
function sorted(values: readonly (readonly [ms: number, count: number])[]): LatencyPercentiles | null {
  const rising = values.map(([ms, n]) => [ms > 1e-9 ? ms : 0, n] as const).toSorted(([a], [b]) => a - b);
  const total = rising.reduce((sum, [, n]) => sum + n, 0);
  if (total === 0) return null;
  const at = (share: number): number => {
    let rest = Math.max(1, Math.ceil(share * total));
    return rising.find(([, n]) => (rest -= n) <= 0)![0];
  };
  return { P0: at(0), P50: at(0.5), P90: at(0.9), P95: at(0.95), P99: at(0.99) };
}

function expectNear(found: LatencyPercentiles | null, right: LatencyPercentiles | null): void {
  if (found === null || right === null) return expect(found).toBe(right);
  expect(found.P0).toBe(right.P0);
  for (const rank of ['P50', 'P90', 'P95', 'P99'] as const) expect(Math.abs(found[rank] - right[rank])).toBeLessThanOrEqual(right[rank] * 0.0101);
}

/** Keeps the times of every event, and sorts them. */
export class NaiveReads {
  waiting: { readAt: number; time: number; since: number; count: number }[] = [];
  times: [number, number][] = [];
  processing: [number, number][] = [];
  queuing: [number, number][] = [];
  e2e: [number, number][] = [];

  add(readAt: number, time: number, since: number, count: number): void {
    this.waiting.push({ readAt, time, since, count });
    if (Number.isFinite(since)) this.queuing.push([readAt - since, count]);
  }

  leave(at: number): void {
    for (const { readAt, time, since, count } of this.waiting.splice(0)) {
      this.processing.push([at - readAt, count]);
      if (Number.isFinite(time)) this.times.push([time, count]);
      if (Number.isFinite(since)) this.e2e.push([at - since, count]);
    }
  }

  /** What came since the last time is what was said of it. */
  check({ eventTime, rtmMetrics }: Pick<QueryProgress, 'eventTime' | 'rtmMetrics'>): void {
    const times = this.times.map(([time]) => time), total = this.times.reduce((sum, [, n]) => sum + n, 0);
    expect(eventTime.min).toBe(total === 0 ? null : Math.min(...times));
    expect(eventTime.max).toBe(total === 0 ? null : Math.max(...times));
    if (total > 0) expect(eventTime.avg! - times[0]!).toBeCloseTo(this.times.reduce((sum, [time, n]) => sum + ((time - times[0]!) * n) / total, 0), 2);
    expectNear(rtmMetrics.processingLatencyMs, sorted(this.processing));
    expectNear(rtmMetrics.sourceQueuingLatencyMs, sorted(this.queuing));
    expectNear(rtmMetrics.e2eLatencyMs, sorted(this.e2e));
    this.times = [];
    this.processing = [];
    this.queuing = [];
    this.e2e = [];
  }
}
