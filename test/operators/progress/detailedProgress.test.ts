import { EMPTY, NEVER, of, Subject, take, throwError, type SchedulerLike } from 'rxjs';
import { describe, expect, it, test } from 'vitest';
import {
  count,
  createEngine,
  epoch,
  eventTime,
  manual,
  microBatch,
  preceding,
  range,
  realTime,
  rollingBatches,
  rollingWindow,
  RollingWindowError,
  rollingWindowOf,
  type OperatorOptions,
} from '../../../operators/index.ts';
import { detailedProgress, type DetailedProgressOptions, type QueryEvent, type QueryProgress } from '../../../operators/progress/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { FakeStore, settled, type PendingSave } from '../../support/fakeStore.ts';
import { at, countHits, lastHits, row, type Hit, type HitOptions } from '../support.ts';

const silent = { idleAfter: false } as const;

/** A pipe of hits with detailed progress, and what it told. */
function followed(options: HitOptions, progress: DetailedProgressOptions<'k' | 't'> = silent, scheduler = manualScheduler()) {
  const told: QueryEvent[] = [];
  const rows: unknown[] = [];
  const errors: unknown[] = [];
  const events$ = new Subject<Hit>();
  const meter = detailedProgress<'k' | 't'>({ next: (event) => told.push(event) }, progress);
  const subscription = events$.pipe(countHits({ scheduler, ...options, progress: meter })).subscribe({ next: (given) => rows.push(given), error: (error: unknown) => errors.push(error) });
  const send = (when: number, ...hits: Hit[]): void => {
    scheduler.moveTo(when);
    for (const hit of hits) events$.next(hit);
  };
  return { told, rows, errors, events$, subscription, scheduler, send, reports: () => reportsOf(told) };
}

const reportsOf = (told: readonly QueryEvent[]): QueryProgress[] => told.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []));
const kinds = (told: readonly QueryEvent[]): string[] => told.map((event) => (event.kind === 'progress' ? 'progress' : `${event.kind} ${event.timestamp}`));
const all = (value: number) => ({ P0: value, P50: value, P90: value, P95: value, P99: value });

describe('a micro-batch', () => {
  it('is one report, with everything that Spark says of one', () => {
    const { send, reports } = followed({ trigger: microBatch(1000), watermark: 100, frontierSpec: { delay: 10 } }, { ...silent, name: 'hits' });
    send(100, at(40), at(90, 'b'));
    send(600, at(590));
    send(700, at(1050), { k: {} as string, t: 5 }); // the first is still held at 1000, the second has no valid key
    send(1000);
    send(1500, at(400), at(1499)); // the watermark is at 600
    send(2000);

    const [first, second] = reports();
    expect(first).toEqual({
      name: 'hits',
      batchId: 1,
      timestamp: 1000,
      frontier: 990,
      watermark: 600, // the event from 1050 counts for it with its arrival, at 700
      numInputRows: 5,
      numOutputRows: 0,
      numRemoved: 1,
      inputRowsPerSecond: 5,
      processedRowsPerSecond: null,
      durationMs: { triggerExecution: 0 },
      eventTime: { min: 5, max: 1050, avg: (40 + 90 + 590 + 1050 + 5) / 5, watermark: 600 },
      stateOperators: [
        {
          operatorName: 'rollingWindow',
          numRowsTotal: 1,
          numRowsUpdated: 0,
          numRowsRemoved: 1, // b
          memoryUsedBytes: first?.stats.bytes,
          numRowsDroppedByWatermark: 0,
          pending: 1,
          future: 0,
          invalid: 1,
          outside: 1, // the one from 40
          evicted: 0,
          limited: 0,
        },
      ],
      rtmMetrics: first?.rtmMetrics,
      stats: expect.anything() as unknown,
    });
    expect(second).toMatchObject({ batchId: 2, timestamp: 2000, numInputRows: 2, inputRowsPerSecond: 2, eventTime: { min: 400, max: 1499, avg: 949.5 } });
    expect(second?.stateOperators[0]).toMatchObject({ numRowsDroppedByWatermark: 1, invalid: 0, pending: 0 });
  });

  it('measures how long events were queued, how long they waited for it, and both', () => {
    const { send, reports } = followed({ trigger: microBatch(100) });
    send(10, at(9)); // 1 in the queue, then 90
    send(40, at(20), at(20), at(40)); // twice 20 and once 0, then 60
    send(100);

    const { processingLatencyMs, sourceQueuingLatencyMs, e2eLatencyMs } = reports()[0]!.rtmMetrics;
    const near = (value: number): unknown => expect.closeTo(value, -Math.log10(value * 0.02));
    expect(processingLatencyMs).toEqual({ P0: 60, P50: near(60), P90: near(90), P95: near(90), P99: near(90) });
    expect(sourceQueuingLatencyMs).toEqual({ P0: 0, P50: near(1), P90: near(20), P95: near(20), P99: near(20) });
    expect(e2eLatencyMs).toEqual({ P0: 60, P50: near(80), P90: near(91), P95: near(91), P99: near(91) });
  });

  it('counts events alike, across evaluations and reports', () => {
    const { send, reports } = followed({ trigger: microBatch(100) });
    send(10, at(10), at(10), at(10), at(6, 'b'));
    send(100, at(10), at(10));
    send(200, at(200));
    send(300);

    expect(reports().map(({ numInputRows, eventTime: { avg } }) => [numInputRows, avg])).toEqual([[4, 9], [2, 10], [1, 200]]);
  });

  it('tells events alike apart where an evaluation lies between them', () => {
    const flush$ = new Subject<void>();
    const { send, reports } = followed({ trigger: microBatch(100), flush$ });
    send(10, at(10), at(10));
    flush$.next();
    send(10, at(10), at(10), at(10));
    send(100);

    expect(reports().map(({ numInputRows, rtmMetrics: { processingLatencyMs } }) => [numInputRows, processingLatencyMs])).toEqual([[2, all(0)], [3, all(90)]]);
  });

  it('counts all of many events that have nothing in common, and tells times from what is none', () => {
    const { send, reports } = followed({ trigger: microBatch(10_000) }, { idleAfter: 50 });
    for (let t = 1; t <= 1500; t++) send(t, at(t), ...(t % 500 === 0 ? [at('noon' as never), at(t), at('noon' as never), at(t)] : []));
    send(10_000);

    const [report] = reports();
    expect(report).toMatchObject({ numInputRows: 1512, eventTime: { min: 1, max: 1500, avg: (750.5 * 1500 + 2 * 3000) / 1506 } });
    expect(report?.rtmMetrics).toMatchObject({ sourceQueuingLatencyMs: all(0), processingLatencyMs: { P0: 8500 } });
  });

  it('hears silence begin with the last of many events', () => {
    const { send, told } = followed({ trigger: microBatch(10_000) }, { idleAfter: 50 });
    for (let t = 1; t <= 40; t++) send(t, at(t));
    send(200);

    expect(kinds(told)).toEqual(['started 0', 'idle 90']);
  });

  it('keeps what has left apart from what comes at the same reading, where a report is of many evaluations', () => {
    const flush$ = new Subject<void>();
    const scheduler = manualScheduler();
    const coalesce: SchedulerLike = { now: () => scheduler.now(), schedule: (work: never, _: number, state: never) => scheduler.schedule(work, 40, state) } as never;
    const { send, reports, events$ } = followed({ trigger: realTime({ coalesce }), flush$ }, silent, scheduler);
    send(5, at(4)); // the first has its own way
    send(10, at(10), at(10));
    flush$.next();
    send(10, at(9));
    send(100);
    events$.complete();

    expect(reports().map(({ numInputRows, rtmMetrics: { processingLatencyMs } }) => [numInputRows, processingLatencyMs])).toEqual([[4, { P0: 0, P50: 0, P90: 40, P95: 40, P99: 40 }]]);
  });

  it('sees a date that was moved', () => {
    const scheduler = manualScheduler(1000);
    const told: QueryEvent[] = [];
    const events$ = new Subject<{ t: Date }>();
    events$.pipe(rollingWindow({ partitionBy: [], orderBy: 't', scheduler, trigger: microBatch(100), measures: [count()], progress: detailedProgress({ next: (event) => told.push(event) }) })).subscribe();
    const t = new Date(900);
    events$.next({ t });
    t.setTime(950);
    events$.next({ t });
    scheduler.moveTo(1100);

    expect(reportsOf(told)[0]?.eventTime).toMatchObject({ min: 900, max: 950, avg: 925 });
  });

  it('takes the time of queuing from another column, in the units of the time adapter', () => {
    const scheduler = manualScheduler(5000);
    const told: QueryEvent[] = [];
    const progress = detailedProgress({ next: (event) => told.push(event) }, { ...silent, queuedSince: 'appended' });
    const events$ = new Subject<{ t: number; appended: number | null }>();
    events$.pipe(rollingWindow({ partitionBy: [], orderBy: 't', time: epoch('seconds'), scheduler, trigger: microBatch(100), measures: [count()], progress })).subscribe();
    events$.next({ t: 2, appended: 4 });
    events$.next({ t: 3, appended: null });
    scheduler.moveTo(5100);

    const [report] = reportsOf(told);
    expect(report?.eventTime).toMatchObject({ min: 2000, max: 3000, avg: 2500 });
    expect(report?.rtmMetrics.sourceQueuingLatencyMs).toEqual(all(1000));
    expect(report?.rtmMetrics.processingLatencyMs).toEqual(all(100));
    expect(report?.rtmMetrics.e2eLatencyMs).toEqual(all(1100));
  });

  it('says nothing of what there is not: no NaN, no infinity, whatever came', () => {
    const { send, reports, events$ } = followed({ trigger: microBatch(100), onInvalid: 'drop' });
    for (const wrong of [null, undefined, 5, {}, { k: 'a', t: NaN }, { k: 'a', t: Infinity }, { k: 'a', t: 'noon' }]) events$.next(wrong as never);
    send(100);

    const [report] = reports();
    expect(report).toMatchObject({ numInputRows: 7, eventTime: { min: null, max: null, avg: null, watermark: null } });
    expect(report?.rtmMetrics).toEqual({ processingLatencyMs: all(100), sourceQueuingLatencyMs: null, e2eLatencyMs: null });
  });

  it('takes an event from a clock that is ahead as not queued at all', () => {
    const { send, reports } = followed({ trigger: microBatch(100) });
    send(10, at(60));
    send(100);

    expect(reports()[0]?.rtmMetrics).toMatchObject({ sourceQueuingLatencyMs: all(0), e2eLatencyMs: all(40) });
  });

  it('comes before its rows, and with its batch', () => {
    const scheduler = manualScheduler();
    const seen: unknown[] = [];
    const events$ = new Subject<Hit>();
    const progress = detailedProgress({ next: (event) => seen.push(event) }, silent);
    events$.pipe(rollingBatches({ ...lastHits, scheduler, trigger: microBatch(5), progress })).subscribe((batch) => seen.push(batch));
    events$.next(at(0));
    scheduler.moveTo(5);

    expect(seen).toEqual([expect.objectContaining({ kind: 'started' }), { kind: 'progress', progress: expect.anything() as unknown }, expect.objectContaining({ batchId: 1, rows: [row(5, 1)] })]);
    expect((seen[2] as { progress: unknown }).progress).toBe((seen[1] as { progress: unknown }).progress);
  });
});

describe('the stopwatch', () => {
  it('measures evaluations, to fractions of a millisecond', () => {
    let ms = 0;
    const { send, reports } = followed({ trigger: microBatch(100) }, { ...silent, now: () => (ms += 0.25) });
    send(60, at(60), at(60));
    send(100);

    expect(reports()[0]).toMatchObject({ durationMs: { triggerExecution: 0.25 }, processedRowsPerSecond: 8000 });
    expect(reports()[0]?.rtmMetrics.processingLatencyMs).toEqual(all(40.25));
  });

  it('begins with the event where each is an evaluation', () => {
    let ms = 0;
    const told: QueryEvent[] = [];
    const slow = count().filter(() => (ms += 3) > 0);
    const progress = detailedProgress({ next: (event) => told.push(event) }, { now: () => ms });
    of(at(0), at(0)).pipe(rollingWindowOf<Hit>()({ partitionBy: 'k', orderBy: 't', scheduler: manualScheduler(), measures: [slow], progress })).subscribe();

    expect(reportsOf(told)[0]).toMatchObject({ durationMs: { triggerExecution: 6 }, processedRowsPerSecond: 2000 / 6 });
    expect(reportsOf(told)[0]?.rtmMetrics.processingLatencyMs).toEqual(all(3));
  });

  it('is looked at now and then where each of many events is an evaluation: those stand for the others', () => {
    let ms = 0, looks = 0, each = 1;
    const told: QueryEvent[] = [];
    const scheduler = manualScheduler(), events$ = new Subject<Hit>();
    const slow = count().filter(() => (ms += each) > 0);
    const now = (): number => (looks++, ms);
    const progress = detailedProgress({ next: (event) => told.push(event) }, { ...silent, now });
    events$.pipe(rollingWindowOf<Hit>()({ partitionBy: 'k', orderBy: 't', scheduler, measures: [slow], progress })).subscribe();
    for (let i = 0; i < 1400; i++) {
      if (i === 1000) each = 4;
      scheduler.moveTo(i >> 5);
      events$.next(at((i >> 5) - 3));
    }
    expect(looks).toBeLessThan((1400 * 2) / 10);
    events$.complete();

    const [report] = reportsOf(told), { processingLatencyMs, sourceQueuingLatencyMs, e2eLatencyMs } = report!.rtmMetrics;
    expect(report).toMatchObject({ numInputRows: 1400, eventTime: { min: -3, max: (1399 >> 5) - 3 } });
    expect(Math.abs(report!.durationMs.triggerExecution - 2600)).toBeLessThanOrEqual(55 * 3);
    expect(sourceQueuingLatencyMs).toEqual(all(3));
    expect(processingLatencyMs).toEqual({ P0: 1, P50: 1, P90: 4, P95: 4, P99: 4 });
    expect(e2eLatencyMs).toEqual({ P0: 4, P50: 4, P90: 7, P95: 7, P99: 7 });
  });

  it('is looked at for what leaves a window by itself, too, which stands for no event', () => {
    let ms = 0;
    const told: QueryEvent[] = [];
    const scheduler = manualScheduler(), events$ = new Subject<Hit>();
    const slow = count().filter(() => (ms += 2) > 0).over(preceding(range(5)));
    const progress = detailedProgress({ next: (event) => told.push(event) }, { ...silent, now: () => ms });
    events$.pipe(rollingWindowOf<Hit>()({ partitionBy: 'k', orderBy: 't', scheduler, measures: [slow], progress })).subscribe();
    for (let i = 0; i < 40; i++) {
      scheduler.moveTo(i >> 2);
      events$.next(at(i >> 2));
    }
    scheduler.moveTo(100);
    events$.complete();

    expect(reportsOf(told)[0]).toMatchObject({ numInputRows: 40, durationMs: { triggerExecution: 80 } });
    expect(reportsOf(told)[0]?.rtmMetrics.processingLatencyMs).toEqual(all(2));
  });

  it('may go back: that took no time', () => {
    const readings = [10, 5];
    const { send, reports } = followed({ trigger: microBatch(100) }, { ...silent, now: () => readings.shift()! });
    send(60, at(60));
    send(100);

    expect(reports()[0]).toMatchObject({ durationMs: { triggerExecution: 0 }, processedRowsPerSecond: null });
  });
});

describe('realTime()', () => {
  const numbers = ({ timestamp, batchId, numInputRows, numOutputRows, numRemoved, inputRowsPerSecond }: QueryProgress) => ({ timestamp, batchId, numInputRows, numOutputRows, numRemoved, inputRowsPerSecond });

  it('reports every five minutes, on time without an event', () => {
    const { send, reports, scheduler } = followed({});
    send(100, at(100)); // the batch begins; the row of it, and one when it has left
    send(200_000, at(200_000));
    send(299_999);
    expect(reports()).toEqual([]);
    send(300_100);
    expect(reports().map(numbers)).toEqual([{ timestamp: 300_100, batchId: 4, numInputRows: 2, numOutputRows: 4, numRemoved: 2, inputRowsPerSecond: (2 * 1000) / 300_100 }]);
    expect(reports()[0]?.rtmMetrics.processingLatencyMs).toEqual(all(0));
    send(3_000_000); // nothing happened: nothing to tell, and no timer
    expect(reports()).toHaveLength(1);
    expect(scheduler.timers).toBe(0);
    send(3_000_000, at(3_000_000)); // a batch of its own
    send(3_299_999);
    expect(reports()).toHaveLength(1);
    send(3_300_000);
    expect(reports()).toHaveLength(2);
  });

  it('reports what its batch says, and the rest at the end', () => {
    const { send, reports, events$ } = followed({ trigger: realTime({ batch: 10 }) });
    for (const t of [0, 1, 12, 13]) send(t, at(t));
    events$.complete();

    expect(reports().map(numbers)).toEqual([
      { timestamp: 10, batchId: 4, numInputRows: 2, numOutputRows: 4, numRemoved: 1, inputRowsPerSecond: 200 },
      { timestamp: 13, batchId: 7, numInputRows: 2, numOutputRows: 2, numRemoved: 0, inputRowsPerSecond: (2 * 1000) / 3 },
    ]);
  });

  describe('where many events come in a millisecond, of which most are only noted', () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const crowd = (t: number): Hit[] => Array.from({ length: 20 }, (_, i) => at(t, keys[(t * 20 + i) % 7]));

    it('counts rows and removals as the rows themselves do, and each evaluation once', () => {
      for (const batch of [30, 1000]) {
        let looks = 0, removed = 0;
        const counting = { next: ({ numRemoved }: { numRemoved: number }) => (removed += numRemoved) };
        const base = manualScheduler(), twin$ = new Subject<Hit>();
        twin$.pipe(countHits({ scheduler: base, progress: counting })).subscribe();
        const { send, reports, rows, events$ } = followed({ trigger: realTime({ batch }) }, { ...silent, now: () => looks++ });
        for (const t of [...Array(40).keys()].flatMap((i) => (i % 10 < 6 ? [i] : []))) {
          send(t, ...crowd(t));
          base.moveTo(t);
          for (const hit of crowd(t)) twin$.next(hit);
        }
        send(90);
        base.moveTo(90);
        events$.complete();
        twin$.complete();

        const sum = (of: (report: QueryProgress) => number): number => reports().reduce((total, report) => total + of(report), 0);
        expect(sum(({ numInputRows }) => numInputRows)).toBe(24 * 20);
        expect(sum(({ numOutputRows }) => numOutputRows)).toBe(rows.length);
        expect(sum(({ numRemoved }) => numRemoved)).toBe(removed);
        expect(removed).toBeGreaterThan(0);
        // The stopwatch goes on by one with each look: what is timed took 1, and so did those for which it stands.
        expect(sum(({ durationMs }) => durationMs.triggerExecution)).toBe(reports().at(-1)!.batchId);
        expect(looks).toBeLessThan(24 * 20);
      }
    });

    it('looks at the stopwatch now and then, also for what leaves a window by itself', () => {
      let looks = 0;
      const { send, reports, events$ } = followed({}, { ...silent, now: () => looks++ });
      for (let t = 0; t < 1000; t++) send(t, ...crowd(t));
      events$.complete();
      // As many evaluations are of time alone as there are milliseconds, each of which would be two looks.
      expect(looks).toBeLessThan(1000);
      expect(reports()[0]?.durationMs.triggerExecution).toBe(reports()[0]?.batchId);
    });

    it('closes a batch, and drops keys, with the event that comes behind their end, where timers are late', () => {
      const punctual = manualScheduler();
      const late: SchedulerLike = { now: () => punctual.now(), schedule: (work: unknown, delay = 0) => punctual.schedule(work as () => void, delay + 500) };
      const told: QueryEvent[] = [], events$ = new Subject<Hit>();
      events$.pipe(countHits({ scheduler: late, trigger: realTime({ batch: 10 }), progress: detailedProgress({ next: (event) => told.push(event) }, silent) })).subscribe();
      for (let t = 0; t < 45; t++) {
        punctual.moveTo(t);
        for (const hit of t === 3 ? [...crowd(t), at(t, 'rare')] : crowd(t)) events$.next(hit);
      }
      expect(reportsOf(told).map(({ timestamp, numRemoved }) => [timestamp, numRemoved])).toEqual([[10, 0], [20, 1], [30, 0], [40, 0]]);
    });

    it('begins a batch with the first event after one in which nothing happened', () => {
      const { send, reports } = followed({ trigger: realTime({ batch: 10 }) });
      for (const t of [0, 1, 2]) send(t, ...crowd(t));
      send(103, ...crowd(103).slice(0, 3));
      send(120);
      expect(reports().map(({ timestamp, numInputRows }) => [timestamp, numInputRows])).toEqual([[10, 60], [20, 0], [113, 3]]);
    });

    it('times the first event after a silence', () => {
      let ms = 0, each = 1;
      const told: QueryEvent[] = [], scheduler = manualScheduler(), events$ = new Subject<Hit>();
      const slow = count().filter(() => (ms += each) > 0);
      const progress = detailedProgress({ next: (event) => told.push(event) }, { idleAfter: 50, now: () => ms });
      events$.pipe(rollingWindowOf<Hit>()({ partitionBy: 'k', orderBy: 't', scheduler, measures: [slow], progress })).subscribe();
      for (const t of [0, 1, 2, 3, 200]) {
        scheduler.moveTo(t);
        if (t === 200) each = 4;
        for (const hit of t === 200 ? [at(200)] : crowd(t)) events$.next(hit);
      }
      events$.complete();
      expect(reportsOf(told)[0]).toMatchObject({ numInputRows: 81, durationMs: { triggerExecution: 84 } });
    });
  });

  it('counts events alike that are evaluations of their own', () => {
    const { send, reports, events$ } = followed({});
    send(10, at(10), at(10), at(10), at(6, 'b'));
    events$.complete();

    expect(reports().map(({ numInputRows, eventTime: { avg } }) => [numInputRows, avg])).toEqual([[4, 9]]);
  });

  it('reports with coalesced turns, too, and counts what no turn has seen', () => {
    const scheduler = manualScheduler();
    const coalesce: SchedulerLike = { now: () => scheduler.now(), schedule: (work: never, _: number, state: never) => scheduler.schedule(work, 4, state) } as never;
    const { send, reports } = followed({ trigger: realTime({ batch: 10, coalesce }) }, silent, scheduler);
    send(1, at(1)); // the turn at 5 opens a batch up to 15
    send(14, at(14), at(14));
    send(20);

    expect(reports().map(numbers)).toMatchObject([{ timestamp: 15, numInputRows: 3, numOutputRows: 2 }]);
  });
});

describe('other clocks', () => {
  it('counts rates by the readings of manual, from its second on', () => {
    const clock$ = new Subject<number>();
    const { send, reports } = followed({ trigger: manual(clock$) });
    clock$.next(1000);
    send(7, at(900), at(950));
    send(19);
    clock$.next(1500);
    clock$.next(1500);

    expect(reports().map(({ inputRowsPerSecond }) => inputRowsPerSecond)).toEqual([null, 4, null]);
    expect(reports()[1]?.rtmMetrics.processingLatencyMs).toEqual(all(12)); // on the scheduler
  });

  it('counts rates in the time of the events, and latencies on the scheduler', () => {
    const { send, reports, events$ } = followed({ clock: eventTime(), trigger: microBatch(100) });
    send(7, at(10), at(20));
    send(9, at(150));
    send(12, at(310));
    events$.complete();

    expect(reports().map(({ timestamp, numInputRows, inputRowsPerSecond }) => [timestamp, numInputRows, inputRowsPerSecond])).toEqual([
      [100, 2, null],
      [300, 1, 5],
      [310, 1, 100],
    ]);
    expect(reports()[0]?.rtmMetrics.processingLatencyMs).toEqual(all(2));
  });

  it('goes back without a negative rate', () => {
    const clock$ = new Subject<number>();
    const { send, reports } = followed({ trigger: manual(clock$) });
    clock$.next(1000);
    send(1, at(900));
    clock$.next(500);

    expect(reports()[1]?.inputRowsPerSecond).toBeNull();
  });
});

test('a restored engine goes on counting batches, and its counters are differences', () => {
  const config = { ...lastHits, watermark: 10 } as const;
  const before = createEngine<Hit>()(config);
  before.push(at(50), 50);
  before.advance(50);
  before.advance(51);
  before.push(at(40), 52); // late
  before.push({ k: 'a', t: NaN }, 52);
  const engine = createEngine<Hit>()(config);
  engine.restore(before.snapshot());

  const scheduler = manualScheduler(1000);
  const told: QueryEvent[] = [];
  const events$ = new Subject<Hit>();
  events$.pipe(rollingWindow(engine, { scheduler, trigger: microBatch(100), progress: detailedProgress({ next: (event) => told.push(event) }, silent) })).subscribe();
  events$.next(at(30));
  scheduler.moveTo(1100);

  expect(told[0]).toMatchObject({ kind: 'started', batchId: 2 });
  expect(reportsOf(told)[0]).toMatchObject({ batchId: 3, numInputRows: 1, inputRowsPerSecond: 10 });
  expect(reportsOf(told)[0]?.stateOperators[0]).toMatchObject({ numRowsDroppedByWatermark: 1, invalid: 0 });
});

test('a snapshot of another time brings fewer than before, which is nothing and not less', () => {
  const engine = createEngine<Hit>()({ ...lastHits, watermark: 10 });
  const empty = engine.snapshot();
  const scheduler = manualScheduler(1000);
  const told: QueryEvent[] = [];
  const events$ = new Subject<Hit>();
  events$.pipe(rollingWindow(engine, { scheduler, trigger: microBatch(100), progress: detailedProgress({ next: (event) => told.push(event) }, silent) })).subscribe();
  events$.next({ k: 'a', t: NaN });
  events$.next(at(995));
  scheduler.moveTo(1100);
  engine.restore(empty);
  events$.next(at(1095));
  scheduler.moveTo(1200);

  expect(reportsOf(told).map(({ stateOperators: [{ invalid, numRowsUpdated }] }) => [invalid, numRowsUpdated])).toEqual([[1, 0], [0, 0]]);
  expect(reportsOf(told)[1]?.stats.invalid).toBe(0);
});

describe('what happens to a subscription', () => {
  it('is that it starts, makes progress, is idle once in each silence, and is completed', () => {
    const { send, told, events$, scheduler } = followed({ trigger: microBatch('1 second') }, { idleAfter: '10 seconds', name: 'hits' });
    send(500, at(500));
    send(30_000, at(30_000));
    send(60_000);
    events$.complete();

    expect(kinds(told)).toEqual(['started 0', 'progress', 'idle 10500', 'progress', 'idle 40000', 'progress', 'terminated 60000']);
    expect(told[0]).toEqual({ kind: 'started', name: 'hits', timestamp: 0, batchId: 0 });
    expect(told.at(-1)).toMatchObject({ kind: 'terminated', name: 'hits', reason: 'completed' });
    expect(scheduler.timers).toBe(0);
  });

  it('is idle before the first event, too, and rates begin anew with silence', () => {
    const { send, told, reports } = followed({ trigger: microBatch(1000) }, { idleAfter: 2000 });
    send(9500, at(9500));
    send(10_000);

    expect(kinds(told)).toEqual(['started 0', 'idle 2000', 'progress']);
    expect(reports()[0]?.inputRowsPerSecond).toBe(1000 / 8000);
  });

  it('ends with its error', () => {
    const broken = new Error('broken');
    const { told, events$, errors, scheduler } = followed({});
    events$.next(at(0));
    events$.error(broken);

    expect(kinds(told)).toEqual(['started 0', 'terminated 0']);
    expect(told.at(-1)).toMatchObject({ reason: 'failed', error: broken });
    expect(errors).toEqual([broken]);
    expect(scheduler.timers).toBe(0);
  });

  it('ends with the error of the engine', () => {
    const { told, events$, errors } = followed({ onInvalid: 'error' });
    events$.next({ k: 'a', t: NaN });

    expect(told.at(-1)).toMatchObject({ kind: 'terminated', reason: 'failed', error: errors[0] });
    expect(errors[0]).toBeInstanceOf(RollingWindowError);
  });

  it('ends where it is unsubscribed, without another report and without a timer', () => {
    const { send, told, subscription, scheduler } = followed({}, { idleAfter: 1000 });
    send(1, at(1));
    subscription.unsubscribe();
    scheduler.moveTo(1e6);

    expect(told.slice(1)).toEqual([{ kind: 'terminated', name: null, timestamp: 1, batchId: 1, reason: 'unsubscribed' }]);
    expect(scheduler.timers).toBe(0);
  });

  it.each<QueryEvent['kind']>(['progress', 'idle'])('ends where its listener unsubscribes, inside %s', (kind) => {
    const scheduler = manualScheduler();
    const told: QueryEvent[] = [];
    const events$ = new Subject<Hit>();
    const progress = detailedProgress({
      next(event) {
        told.push(event);
        if (event.kind === kind) subscription.unsubscribe();
      },
    }, { idleAfter: 50 });
    const subscription = events$.pipe(countHits({ scheduler, trigger: realTime({ batch: 100 }), progress })).subscribe();
    scheduler.moveTo(20);
    events$.next(at(20)); // the batch ends at 120
    scheduler.moveTo(kind === 'idle' ? 50 : 79);
    if (kind === 'progress') events$.next(at(79)); // silence would be told at 129
    scheduler.moveTo(kind === 'idle' ? 75 : 125);

    expect(told.slice(-2).map((event) => event.kind)).toEqual([kind, 'terminated']);
    expect(scheduler.timers).toBe(0);
  });

  it.each<[string, (options: OperatorOptions) => void, string]>([
    ['an empty source', (options) => EMPTY.pipe(countHits(options as HitOptions)).subscribe(), 'completed'],
    ['a source that fails at once', (options) => throwError(() => new Error('broken')).pipe(countHits(options as HitOptions)).subscribe({ error: () => undefined }), 'failed'],
    ['a clock that can not start', (options) => NEVER.pipe(countHits({ ...(options as HitOptions), clock: { start: () => expect.fail('broken') } })).subscribe({ error: () => undefined }), 'failed'],
    ['a subscriber that has enough', (options) => of(at(0), at(1)).pipe(countHits(options as HitOptions), take(1)).subscribe(), 'unsubscribed'],
  ])('is told of %s', (_, subscribe, reason) => {
    const scheduler = manualScheduler();
    const told: QueryEvent[] = [];
    subscribe({ scheduler, progress: detailedProgress({ next: (event) => told.push(event) }) });

    expect(told[0]).toMatchObject({ kind: 'started' });
    expect(told.at(-1)).toMatchObject({ kind: 'terminated', reason });
    expect(told.filter(({ kind }) => kind === 'terminated')).toHaveLength(1);
    expect(scheduler.timers).toBe(0);
  });

  it('belongs to each subscription', () => {
    const scheduler = manualScheduler();
    const told: QueryEvent[] = [];
    const events$ = new Subject<Hit>();
    const rows$ = events$.pipe(countHits({ scheduler, trigger: microBatch(10), progress: detailedProgress({ next: (event) => told.push(event) }, silent) }));
    rows$.subscribe();
    events$.next(at(0));
    rows$.subscribe();
    events$.next(at(1));
    scheduler.moveTo(10);

    expect(reportsOf(told).map(({ numInputRows }) => numInputRows)).toEqual([2, 1]);
  });

  it('is told that a listener which throws ends the stream, while it runs', () => {
    const errors: unknown[] = [];
    const told: QueryEvent[] = [];
    const progress = detailedProgress({
      next(event) {
        told.push(event);
        if (event.kind === 'progress') throw new Error('full');
      },
    });
    of(at(0)).pipe(countHits({ scheduler: manualScheduler(), progress })).subscribe({ error: (error: unknown) => errors.push(error) });

    expect(errors).toEqual([new Error('full')]);
    expect(told.at(-1)).toMatchObject({ kind: 'terminated', reason: 'failed' });
  });

  it('moves no window: rows are those without reports', () => {
    const rowsWith = (options: HitOptions): unknown[] => {
      const scheduler = manualScheduler();
      const rows: unknown[] = [];
      const events$ = new Subject<Hit>();
      events$.pipe(countHits({ ...options, scheduler, watermark: 5 })).subscribe((given) => rows.push({ at: scheduler.now(), given }));
      for (const t of [1, 3, 40, 38, 100, 5000, 5000, 4990, 700_000]) {
        scheduler.moveTo(t);
        events$.next(at(t));
        events$.next(at(t - 7, 'b'));
      }
      events$.complete();
      return rows;
    };
    for (const trigger of [realTime(), realTime({ batch: 50 }), microBatch(30)]) {
      expect(rowsWith({ trigger, progress: detailedProgress({ next: () => undefined }, { idleAfter: 20 }) })).toEqual(rowsWith({ trigger }));
    }
  });
});

describe('checkpoints', () => {
  /** A store whose saves wait for the test. */
  function withSaves(trigger = realTime()) {
    const store = new FakeStore(), waiting: PendingSave[] = [];
    store.onSave = (save) => waiting.push(save);
    const world = followed({ trigger, checkpoint: { store, every: 10 } }, { ...silent, name: 'hits' });
    const until = async (when: number): Promise<void> => {
      world.scheduler.moveTo(when);
      await settled();
      world.scheduler.advanceBy(0);
      await settled();
    };
    return { ...world, store, waiting, until };
  }
  const lost = new Error('no disk');

  it('that could not be saved are told at once, each attempt, and count no events twice', async () => {
    const { told, send, until, waiting, reports, events$ } = withSaves(microBatch(100));
    send(0, at(0), at(0));
    for (const when of [10, 260]) {
      await until(when);
      waiting.shift()!.reject(lost);
      await settled();
    }

    const failures = told.filter(({ kind }) => kind === 'saveFailed');
    expect(failures).toEqual([
      { kind: 'saveFailed', name: 'hits', timestamp: 10, batchId: 0, checkpointError: { error: lost, attempt: 1, retryIn: 250 } },
      { kind: 'saveFailed', name: 'hits', timestamp: 260, batchId: 1, checkpointError: { error: lost, attempt: 2, retryIn: 500 } },
    ]);
    expect(kinds(told).slice(0, 3)).toEqual(['started 0', 'saveFailed 10', 'progress']);
    expect(reports().reduce((sum, { numInputRows }) => sum + numInputRows, 0)).toBe(2);
    events$.complete();
  });

  it('terminated is told when the last save has settled, and not before', async () => {
    const { told, send, until, waiting, events$, store } = withSaves();
    send(0, at(0));
    events$.complete();
    await until(5);
    expect(kinds(told)).toEqual(['started 0', 'progress']);

    const last = waiting.shift()!;
    last.resolve(last.apply());
    await settled();
    expect(told.slice(2)).toEqual([{ kind: 'terminated', name: 'hits', timestamp: 5, batchId: 2, reason: 'completed' }]);
    expect(store.parts).toHaveLength(1);
  });

  it('a last save that fails for good is how it terminated', async () => {
    const { told, errors, send, until, waiting, events$ } = withSaves();
    send(0, at(0));
    events$.complete();
    for (let attempt = 1; attempt <= 8; attempt++) {
      await until(attempt * 100_000);
      waiting.shift()!.reject(lost);
      await settled();
    }

    expect(kinds(told).slice(2, 4)).toEqual(['saveFailed 100000', 'saveFailed 200000']);
    expect(told.slice(-2)).toEqual([
      expect.objectContaining({ kind: 'saveFailed', checkpointError: { error: lost, attempt: 8, retryIn: undefined } }),
      { kind: 'terminated', name: 'hits', timestamp: 800_000, batchId: 2, reason: 'failed', error: lost },
    ]);
    expect(errors).toEqual([lost]);
  });

  it('unsubscribed while the last save is on its way: terminated is told then, once', async () => {
    const { told, send, until, waiting, events$, subscription } = withSaves();
    send(0, at(0));
    events$.complete();
    await until(5);
    subscription.unsubscribe();
    const last = waiting.shift()!;
    last.resolve(last.apply());
    await until(10);
    expect(told.filter(({ kind }) => kind === 'terminated')).toEqual([{ kind: 'terminated', name: 'hits', timestamp: 5, batchId: 2, reason: 'unsubscribed' }]);
  });
});

test('events pushed from inside the listener wait their turn', () => {
  const scheduler = manualScheduler();
  const events$ = new Subject<Hit>();
  const rows: unknown[] = [];
  let echoes = 0;
  const progress = detailedProgress({
    next: ({ kind }) => {
      if (kind === 'idle' && echoes++ < 2) events$.next(at(scheduler.now()));
    },
  }, { idleAfter: 100 });
  events$.pipe(countHits({ scheduler, progress })).subscribe((given) => rows.push(given));
  scheduler.moveTo(1000);

  expect(rows).toEqual([row(100, 1), row(108, 0), row(200, 1), row(208, 0)]);
});

test.each<[string, unknown, object]>([
  ['a listener that is none', () => undefined, {}],
  ['a name that is none', { next: () => undefined }, { name: 5 }],
  ['a column that is none', { next: () => undefined }, { queuedSince: 5 }],
  ['a stopwatch that is none', { next: () => undefined }, { now: 5 }],
  ['no silence at all', { next: () => undefined }, { idleAfter: 0 }],
])('%s is an error at once', (_, listener, options) => {
  expect(() => detailedProgress(listener as never, options)).toThrow(RollingWindowError);
});

test('virtual time ends: silence leaves no timer waiting', () => {
  const scheduler = manualScheduler();
  NEVER.pipe(rollingWindowOf<Hit>()({ ...lastHits, measures: [count().over(preceding(range(8)))], scheduler, progress: detailedProgress({ next: () => undefined }) })).subscribe();
  expect(scheduler.timers).toBe(1);
  scheduler.moveTo(1e9);
  expect(scheduler.timers).toBe(0);
});
