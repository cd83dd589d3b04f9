import { assert, constantFrom, integer, oneof, property, record, array, type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Instants, narrow, roomPerEvent, wide } from '../../../operators/progress/instants.ts';
import { Latency } from '../../../operators/progress/latency.ts';
import { Notes } from '../../../operators/progress/notes.ts';
import type { LatencyPercentiles } from '../../../operators/progress/queryProgress.ts';
import { Reads } from '../../../operators/progress/reads.ts';

const today = 1_700_000_000_000;

/** Where counting by the millisecond ends, and what lies on either side of it. */
const borders = [narrow - 1, narrow, narrow + 1, 2 * narrow, wide - 1, wide, wide + 1, 1e9];
const distance = oneof({ weight: 5, arbitrary: integer({ min: 0, max: 60 }) }, constantFrom(...borders, 0.25, 7.5, narrow - 0.5));
const instant: Arbitrary<number> = oneof(
  { weight: 20, arbitrary: distance.map((ms) => today - ms) },
  { weight: 3, arbitrary: distance.map((ms) => today + ms) },
  { weight: 3, arbitrary: distance.map((ms) => 0 - ms) },
  constantFrom(NaN, Infinity, -Infinity),
);
const count = oneof({ weight: 3, arbitrary: integer({ min: 1, max: 3 }) }, constantFrom(200, 10_000));
const step = record({ after: distance, time: instant, since: oneof({ weight: 2, arbitrary: constantFrom(undefined) }, instant), count, then: constantFrom('wait', 'wait', 'wait', 'leave', 'left', 'take'), took: constantFrom(0, 0, 3, 0.25, 0.1) });

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

/** Keeps everything. */
class NaiveReads {
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

  check(reads: Reads): void {
    const { eventTime, rtmMetrics } = reads.take(-Infinity);
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

describe('times that are counted by the millisecond', () => {
  it('say what all of them said, kept one by one', () => {
    assert(
      property(array(step, { maxLength: 60 }), (steps) => {
        const reads = new Reads(), naive = new NaiveReads();
        let now = today;
        for (const { after, time, since = time, count: n, then, took } of steps) {
          now += after;
          if (then === 'left') {
            for (const each of [reads, naive]) each.leave(now);
            reads.addLeft(now, time, now + took, n);
            naive.add(now, time, time, n);
          } else {
            for (const each of [reads, naive]) each.add(now, time, since, n);
          }
          if (then !== 'wait') for (const each of [reads, naive]) each.leave(now + took);
          if (then === 'take') naive.check(reads);
        }
        for (const each of [reads, naive]) each.leave(now + 1);
        naive.check(reads);
        naive.check(reads); // everything is gone
      }),
      { numRuns: 1000 },
    );
  });
});

describe('events that were noted', () => {
  const noted = array(record({ after: constantFrom(0, 0, 0, 1, 7), time: oneof({ weight: 4, arbitrary: integer({ min: 0, max: 3 }).map((ms) => today - ms) }, instant) }), { maxLength: 40 });

  it('are the same events as one by one', () => {
    assert(
      property(array(noted, { minLength: 1, maxLength: 3 }), (batches) => {
        const reads = new Reads(), naive = new NaiveReads(), notes = new Notes();
        let now = today;
        for (const batch of batches) {
          for (const { after, time } of batch) {
            notes.add((now += after), time);
            naive.add(now, time, time, 1);
          }
          reads.addNoted(notes);
          expect(notes.count).toBe(0);
          for (const each of [reads, naive]) each.leave(now + 2);
        }
        naive.check(reads);
      }),
      { numRuns: 1000 },
    );
  });

  it('left one by one, the first of them, and the rest a moment later', () => {
    assert(
      property(noted, integer({ min: 0, max: 40 }), (events, most) => {
        const reads = new Reads(), naive = new NaiveReads(), notes = new Notes(), first = Math.min(most, events.length);
        let now = today;
        events.forEach(({ after, time }, i) => {
          notes.add((now += after), time);
          naive.add(now, time, time, 1);
          naive.leave(now + (i < first ? 0 : 0.5));
        });
        reads.addNotedAsLeft(notes, first, 0);
        expect(notes.count).toBe(events.length - first);
        reads.addNotedAsLeft(notes, notes.count, 0.5);
        naive.check(reads);
      }),
      { numRuns: 500 },
    );
  });
});

describe('Instants', () => {
  const drained = (instants: Instants): [number, number][] => {
    const found: [number, number][] = [];
    instants.drain((at, n) => found.push([at, n]));
    return found;
  };

  it('has room for what lies close together, on either side', () => {
    const instants = new Instants();
    for (const at of [today, today - narrow + 2, today + 1]) {
      expect(instants.fits(at)).toBe(true);
      instants.add(at, 2);
    }
    expect([today + 2, today - narrow + 1, today + 0.5, NaN, Infinity, -Infinity].map((at) => instants.fits(at))).toEqual(Array(6).fill(false));
    expect(drained(instants)).toEqual([[today - narrow + 2, 2], [today, 2], [today + 1, 2]]);
    expect(instants.isEmpty).toBe(true);
    expect(instants.fits(0)).toBe(true);
  });

  it('keeps the first and the last apart where they are one row of places apart', () => {
    const instants = new Instants();
    instants.fits(today);
    instants.add(today, 1000);
    expect(instants.fits(today + narrow)).toBe(true);
    instants.add(today + narrow, 1);
    expect(drained(instants)).toEqual([[today, 1000], [today + narrow, 1]]);
  });

  it('has as much more as its events are worth', () => {
    const instants = new Instants();
    expect(instants.fits(-5)).toBe(true);
    instants.add(-5, 1000);
    expect(instants.fits(-5 + 1000 * roomPerEvent)).toBe(false);
    expect(instants.fits(-6 + 1000 * roomPerEvent)).toBe(true);
    instants.add(-6 + 1000 * roomPerEvent, 1e6);
    expect(instants.fits(-5 + wide)).toBe(false);
    expect(instants.fits(-6 + wide)).toBe(true);
    instants.add(-6 + wide, 1);
    expect(drained(instants)).toEqual([[-5, 1000], [-6 + 1000 * roomPerEvent, 1e6], [-6 + wide, 1]]);
  });
});

describe('Latency', () => {
  it('is exact to the millisecond where all have a fraction in common', () => {
    const latency = new Latency();
    for (let ms = 1; ms <= 1000; ms++) latency.add(ms + 0.25, 3);
    expect(latency.take()).toEqual({ P0: 1.25, P50: 500.25, P90: 900.25, P95: 950.25, P99: 990.25 });
    expect(latency.take()).toBeNull();
  });

  it('begins anew with another fraction', () => {
    const latency = new Latency();
    for (const fraction of [0, 0.5, 0.125]) {
      latency.add(-3, 1);
      latency.add(900 + fraction, 1);
      expect(latency.take()).toEqual({ P0: 0, P50: 0, P90: 900 + fraction, P95: 900 + fraction, P99: 900 + fraction });
    }
  });
});
