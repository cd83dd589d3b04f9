import { DateTime } from 'luxon';
import { concat, of, retry, share, Subject, take, throwError } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { count, createEngine, dates, epoch, isoTime, manual, microBatch, preceding, range, realTime, rollingWindow, rollingWindowOf, sum, type Duration, type FrameLength } from '../operators/index.ts';
import { calendar, luxonTime } from '../operators/luxon/index.ts';
import { manualScheduler } from '../operators/testing/index.ts';
import { caseConfig, caseEvent, columnsOf, expectRow, fieldCase, fieldCases, hasColumns, replay, toldInProse, type CaseEvent, type Closing, type FieldCase, type TimeForm } from './support/fieldCases.ts';
import type { Columns } from './support/duel.ts';
import { startEngine, windowed } from './support/engines.ts';
import { SleepyScheduler } from './support/sleepyScheduler.ts';

const runs = fieldCases.flatMap((one) => (Object.keys(one.expect) as Closing[]).map((closed) => ({ id: one.id, kind: one.kind, closed, one })));

describe('through the engine', () => {
  test.each(runs)('$id $kind, closed $closed', ({ one, closed }) => {
    replay(one, () => startEngine(caseConfig(one, closed)), { closed });
  });

  test.each(runs.filter(({ one }) => one.steps.some(([kind]) => kind === 'snapshot')))('$id $kind, with a fresh engine at each restart', ({ one, closed }) => {
    replay(one, () => startEngine(caseConfig(one, closed)), { closed, restarts: true });
  });

  test('C22 with the guard: the device a day ahead harms nobody', () => {
    const one = fieldCase('C22');
    const engine = startEngine({ ...caseConfig(one), maxFutureSkew: undefined });
    const counts = evaluations(one).map(({ now, events }) => {
      for (const [event, arrival] of events) engine.push(event, arrival);
      engine.advance(now);
      return { now, row: { n: engine.query({ k: 'fleet' })['n'] } };
    });
    expect(counts).toEqual(one.withGuard?.rows);
    expect(engine.stats).toMatchObject({ late: one.withGuard?.late, future: 1, held: 1 });
  });

  test('C31 no length that is none', () => {
    for (const length of [0, -1, NaN, Infinity, '5 parsecs']) expect(() => range(length as Duration), String(length)).toThrow(expect.objectContaining({ code: 'invalid-duration' }));
  });

  test('C35 an undefined value is a missing one', () => {
    const one = fieldCase('C35');
    const engine = startEngine(caseConfig(one));
    for (const { now, events } of evaluations(one)) {
      for (const [event, arrival] of events) engine.push({ v: undefined, ...event }, arrival);
      engine.advance(now);
      const expected = one.expect.right?.rows.find((row) => row.now === now)?.row;
      expectRow(one, engine.query({ k: 'k' }), expected ?? {}, String(now));
    }
  });
});

describe('C29 the same instants in other forms give the same rows', () => {
  const forms: Record<string, TimeForm> = {
    seconds: { adapter: epoch('seconds'), write: (ms) => ms / 1000, readFrontier: (s) => Number(s) * 1000 },
    milliseconds: { write: (ms) => ms, readFrontier: Number },
    microseconds: { adapter: epoch('microseconds'), write: (ms) => BigInt(ms) * 1000n, readFrontier: (us) => Number(us) / 1000 },
    nanoseconds: { adapter: epoch('nanoseconds'), write: (ms) => BigInt(ms) * 1_000_000n, readFrontier: (ns) => Number((ns as bigint) / 1_000_000n) },
    'Date, frontier in milliseconds': { write: (ms) => new Date(ms), readFrontier: Number },
    'Date, frontier too': { adapter: dates, write: (ms) => new Date(ms), readFrontier: (date) => (date as Date).getTime() },
    Luxon: { adapter: luxonTime(), write: (ms) => DateTime.fromMillis(ms), readFrontier: (time) => (time as DateTime).toMillis() },
    'ISO text': { adapter: isoTime, write: (ms) => new Date(ms).toISOString(), readFrontier: (text) => Date.parse(String(text)) },
  };

  test.each(Object.entries(forms))('%s', (_, form) => {
    const one = fieldCase('C29');
    replay(one, () => startEngine(caseConfig(one, 'right', form)), { form });
  });

  test('seconds taken for milliseconds lie before every window: no key, no state', () => {
    const one = fieldCase('C29');
    const engine = startEngine(caseConfig(one));
    for (const { now, events } of evaluations(one)) {
      for (const [event, arrival] of events) expect(engine.push({ ...event, t: Number(event['t']) / 1000 }, arrival)).toBe('outside');
      expect(engine.advance(now)).toEqual([]);
    }
    expect(engine.stats).toMatchObject({ outside: 9, keys: 0, events: 0 });
  });
});

describe('lengths by the calendar', () => {
  const counted = (length: FrameLength, times: readonly string[], frontier: string): number => {
    const engine = createEngine<{ t: number }>()({ partitionBy: [], orderBy: 't', measures: [count().over(preceding(length)).as('n')] });
    for (const time of times) engine.push({ t: Date.parse(time) }, -Infinity);
    engine.advance(Date.parse(frontier));
    return engine.query({}).n;
  };

  test.each([
    ['2026-03-29T10:00Z', '2026-03-28T10:30Z', 1, 0],
    ['2026-10-25T11:00Z', '2026-10-24T10:30Z', 0, 1],
  ])('C26 24 hours and a day over a change of the clocks, at %s', (frontier, event, in24Hours, inADay) => {
    expect(counted(range({ hours: 24 }), [event], frontier)).toBe(in24Hours);
    expect(counted(range(86_400_000), [event], frontier)).toBe(in24Hours);
    expect(counted(range({ days: 1 }), [event], frontier)).toBe(in24Hours);
    expect(counted(calendar({ days: 1 }, { zone: 'Europe/Paris' }), [event], frontier)).toBe(inADay);
  });

  test.each([
    ['2027-03-28T00:00Z', 2],
    ['2027-03-29T00:00Z', 3],
    ['2027-03-31T00:00Z', 3],
    ['2027-04-01T00:00Z', 2],
    ['2027-04-02T00:00Z', 1],
    ['2028-03-30T00:00Z', 0],
  ])('C28 a month back from %s holds %i events', (frontier, n) => {
    const times = ['2027-02-27T12:00Z', '2027-02-28T12:00Z', '2027-03-01T12:00Z', '2027-03-28T12:00Z'];
    expect(counted(calendar({ months: 1 }, { zone: 'utc' }), times, frontier)).toBe(n);
  });
});

describe('through the operator', () => {
  // Ticks by hand, so that every case can be replayed; what ends by itself is below.
  test.each(runs.filter(({ id }) => id !== 'C59'))('$id $kind, closed $closed', ({ one, closed }) => {
    const events$ = new Subject<CaseEvent>();
    const clock$ = new Subject<number>();
    const seen: Columns[] = [];
    const late: unknown[] = [];
    const dropped = { next: ({ event, reason }: { event: unknown; reason: string }) => (reason === 'late' ? late.push(event) : 0) };
    let completed = false;
    events$.pipe(windowed({ ...caseConfig(one, closed), trigger: manual(clock$), dropped })).subscribe({ next: (row) => seen.push(row), complete: () => (completed = true) });

    for (const { now, events } of evaluations(one)) {
      for (const [event] of events) events$.next(event);
      seen.length = 0;
      clock$.next(now);
      const expected = one.expect[closed]?.rows.filter((row) => row.now === now && row.emit) ?? [];
      expect(seen.length, `rows at ${now}`).toBe(expected.length);
      for (const { key, row, frontier } of expected) {
        const columns = columnsOf(key);
        expectRow(one, seen.find((other) => hasColumns(other, columns)), { ...columns, ...row, __frontier: frontier }, `tick ${now}`);
      }
    }
    seen.length = 0;
    events$.complete();
    expect({ completed, afterwards: seen, late: late.length }).toEqual({ completed: true, afterwards: [], late: one.expect[closed]?.late });
  });

  test('C47 a timer beyond 2^31-1 ms: two rows, and no busy waiting between them', () => {
    const scheduler = new SleepyScheduler(0);
    const events$ = new Subject<CaseEvent>();
    const rows: Columns[] = [];
    events$.pipe(windowed({ ...caseConfig(fieldCase('C47')), trigger: realTime(), scheduler })).subscribe((row) => rows.push(row));
    events$.next({ k: 'k', t: 0, v: 1 });
    expect(rows.map(({ n }) => n)).toEqual([1]);
    for (const now of [1, 2 ** 31 - 1, 2 ** 31, 2_591_999_999]) {
      scheduler.wakeAt(now);
      expect(scheduler.pending).toBe(1);
    }
    expect(rows).toHaveLength(1);
    scheduler.wakeAt(2_592_000_000);
    expect(rows).toEqual([{ k: 'k', __frontier: 0, n: 1 }, { k: 'k', __frontier: 2_592_000_000, n: 0 }]);
    expect(scheduler.pending).toBe(0);
    expect(Math.max(...scheduler.asked)).toBeLessThanOrEqual(2 ** 31 - 1);
    expect(scheduler.asked.length).toBeLessThan(8);
  });

  test('C48 ticks throttled in a hidden tab: the clock is read, not counted', () => {
    const one = fieldCase('C48');
    const scheduler = new SleepyScheduler(125);
    const events$ = new Subject<CaseEvent>();
    const rows: Columns[] = [];
    events$.pipe(windowed({ ...caseConfig(one), trigger: microBatch(1000), scheduler })).subscribe((row) => rows.push(row));
    for (const { now, events } of evaluations(one)) {
      for (const [event, arrival] of events) {
        scheduler.sleepUntil(arrival);
        events$.next(event);
      }
      scheduler.wakeAt(now);
    }
    expect(rows).toEqual(one.expect.right?.rows.filter(({ emit }) => emit).map(({ frontier, row }) => ({ k: 'k', __frontier: frontier, ...row })));
  });

  // In real time the watermark has not moved yet when the old event comes: it is admitted, and lies before the window.
  test.each([
    { mode: 'micro-batch', trigger: microBatch(100), lateEvents: 1, needed: 3 },
    { mode: 'real time', trigger: realTime(), lateEvents: 0, needed: 5 },
  ])('C50 eight hours of sleep, $mode: one evaluation to catch up', ({ trigger, lateEvents, needed }) => {
    const one = fieldCase('C50');
    const scheduler = new SleepyScheduler(9900);
    const events$ = new Subject<CaseEvent>();
    const rows: Columns[] = [];
    const late: unknown[] = [];
    let evaluated = 0;
    const progress = { next: () => evaluated++ };
    events$.pipe(windowed({ ...caseConfig(one), trigger, scheduler, progress, dropped: { next: ({ event }) => late.push(event) } })).subscribe((row) => rows.push(row));
    for (const { now, events } of evaluations(one)) {
      for (const [event, arrival] of events) {
        scheduler.sleepUntil(arrival);
        events$.next(event);
      }
      scheduler.wakeAt(now);
    }
    const values = rows.map(({ k, n, sum: total }) => ({ k, n, sum: total }));
    expect(values).toEqual([{ k: 'a', n: 1, sum: 1 }, { k: 'b', n: 1, sum: 2 }, { k: 'a', n: 0, sum: null }, { k: 'b', n: 0, sum: null }, { k: 'a', n: 1, sum: 4 }]);
    expect(late).toEqual([{ k: 'b', t: 12000, v: 8 }].slice(0, lateEvents));
    expect(evaluated).toBe(needed);
  });

  test('C59 completion: one last evaluation at the present reading, without a wait for what is due later', () => {
    const one = fieldCase('C59');
    const scheduler = manualScheduler();
    const events$ = new Subject<CaseEvent>();
    const out: unknown[] = [];
    events$.pipe(windowed({ ...caseConfig(one), trigger: microBatch(3500), scheduler })).subscribe({ next: ({ __frontier, n, sum: total }) => out.push({ __frontier, n, sum: total }), complete: () => out.push('complete') });
    for (const step of one.steps) {
      scheduler.moveTo(step[1]);
      if (step[0] === 'e') events$.next(caseEvent(step));
    }
    expect(out).toEqual([{ __frontier: 1500, n: 1, sum: 1 }]);
    events$.complete();
    expect(out.slice(1)).toEqual([{ __frontier: 3000, n: 2, sum: 3 }, 'complete']);
    expect(scheduler.timers).toBe(0);
  });
});

interface Click {
  readonly key: string;
  readonly t: number;
  readonly v: number;
}
const counting = { partitionBy: 'key', orderBy: 't', measures: [count('v').over(preceding(range(1000))).as('n')] } as const;
const wide = { ...counting, measures: [count('v').over(preceding(range(10_000))).as('n')] } as const;
const click = (key: string, t: number): Click => ({ key, t, v: 1 });

describe('cases told in prose', () => {
  test('each has its tests here', () => {
    expect(toldInProse).toEqual(['C26', 'C28', 'C44', 'C45', 'C57', 'C60', 'C62']);
  });

  test('C44 100,000 keys that come once: two rows each, and nothing is left', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Click>();
    const engine = createEngine<Click>()(counting);
    const rowsOf = new Map<string, number[]>();
    let mostKeys = 0;
    events$.pipe(rollingWindow(engine, { trigger: microBatch(100), scheduler })).subscribe(({ key, n }) => {
      rowsOf.set(key, [...(rowsOf.get(key) ?? []), n]);
    });
    for (let i = 0; i < 100_000; i++) {
      scheduler.moveTo(i);
      events$.next(click(`u${i}`, i));
      if (i % 100 === 99) mostKeys = Math.max(mostKeys, engine.stats.keys);
    }
    scheduler.moveTo(101_100);
    expect(mostKeys).toBeLessThanOrEqual(1101);
    expect(engine.stats).toMatchObject({ keys: 0, events: 0, held: 0, rows: 200_000 });
    expect(engine.stats.bytes).toBeLessThan(1_000_000);
    expect(scheduler.timers).toBe(0);
    expect(rowsOf.size).toBe(100_000);
    expect([...rowsOf.values()].every(([first, second, ...more]) => first === 1 && second === 0 && more.length === 0)).toBe(true);
  });

  test('C44 with a lifetime measure the keys stay, and limits can drop them', () => {
    const config = { ...counting, measures: [...counting.measures, sum('v').as('all')] } as const;
    const unlimited = createEngine<Click>()(config), limited = createEngine<Click>()({ ...config, limits: { keyTtl: 5000 } });
    for (const engine of [unlimited, limited]) {
      for (let i = 0; i < 100_000; i++) {
        engine.push(click(`u${i}`, i), i);
        if (i % 1000 === 999) engine.advance(i);
      }
    }
    expect(unlimited.stats.keys).toBe(100_000);
    expect(limited.stats.keys).toBeLessThanOrEqual(6000);
  });

  test('C45 unsubscribing in real time leaves no timer to the process', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const source = new Subject<Click>();
    const subscription = source.pipe(rollingWindow(counting)).subscribe();
    expect(timers()).toBe(before); // no state, no timer
    source.next(click('a', Date.now()));
    await new Promise((resolve) => setTimeout(resolve, 10));
    source.next(click('a', Date.now()));
    expect(timers()).toBeGreaterThan(before);
    subscription.unsubscribe();
    expect(timers()).toBe(before);
    expect(source.observed).toBe(false);
  });

  test('C45 take(n) downstream completes, unsubscribes the source and clears the timer', () => {
    const scheduler = manualScheduler();
    const source = new Subject<Click>();
    const seen: unknown[] = [];
    source.pipe(rollingWindow({ ...counting, trigger: microBatch(1000), scheduler }), take(2)).subscribe({ next: ({ key }) => seen.push(key), error: (error: unknown) => seen.push(error), complete: () => seen.push('complete') });
    scheduler.moveTo(500);
    for (const key of ['a', 'b', 'c']) source.next(click(key, 500));
    scheduler.moveTo(1000);
    expect(seen).toEqual(['a', 'b', 'complete']);
    expect({ observed: source.observed, timers: scheduler.timers }).toEqual({ observed: false, timers: 0 });
  });

  test('C45 unsubscribing from inside next: no further row, no error', () => {
    const scheduler = manualScheduler();
    const source = new Subject<Click>();
    const seen: string[] = [];
    const subscription = source.pipe(rollingWindow({ ...counting, trigger: microBatch(1000), scheduler })).subscribe(({ key }) => {
      seen.push(key);
      subscription.unsubscribe();
    });
    source.next(click('a', 500));
    source.next(click('b', 500));
    scheduler.moveTo(5000);
    expect(seen).toEqual(['a']);
    expect(scheduler.timers).toBe(0);
  });

  test('C45 a thousand subscriptions leave nothing behind', () => {
    const scheduler = manualScheduler();
    const source = new Subject<Click>();
    const window = rollingWindowOf<Click>()({ ...counting, scheduler });
    for (let i = 0; i < 1000; i++) {
      const subscription = source.pipe(window).subscribe();
      source.next(click('a', scheduler.now()));
      expect(scheduler.timers).toBe(1);
      subscription.unsubscribe();
    }
    expect({ observed: source.observed, timers: scheduler.timers }).toEqual({ observed: false, timers: 0 });
  });

  test('C57 an event pushed from inside next waits for the evaluation to end', () => {
    const scheduler = manualScheduler();
    const source = new Subject<Click>();
    const engine = createEngine<Click>()(wide);
    const rows$ = source.pipe(rollingWindow(engine, { trigger: microBatch(1000), scheduler }), share());
    const seen: [string, number][] = [], other: [string, number][] = [], frontiers: number[] = [], snapshots: number[] = [];
    rows$.subscribe((row) => {
      seen.push([row.key, row.n]);
      frontiers.push(row.__frontier);
      const restored = createEngine<Click>()(wide);
      restored.restore(engine.snapshot());
      snapshots.push(restored.advance(row.__frontier).length);
      if (seen.length === 1) source.next(click('B', 1000));
    });
    rows$.subscribe((row) => other.push([row.key, row.n]));
    source.next(click('A', 500));
    source.next(click('B', 500));
    scheduler.moveTo(1000);
    expect(seen).toEqual([['A', 1], ['B', 1]]);
    scheduler.moveTo(2000);
    expect(seen.slice(2)).toEqual([['B', 2]]);
    expect(other).toEqual(seen);
    expect(frontiers).toEqual([...frontiers].sort((a, b) => a - b));
    // A snapshot from inside next knows all rows of its evaluation as emitted: none leaves a second time.
    expect(snapshots).toEqual([0, 0, 0]);
  });

  test('C57 completion from inside next: the evaluation ends, then one completion', () => {
    const scheduler = manualScheduler();
    const source = new Subject<Click>();
    const seen: string[] = [];
    source.pipe(rollingWindow({ ...wide, trigger: microBatch(1000), scheduler })).subscribe({
      next: ({ key, n }) => {
        seen.push(`${key}${n}`);
        source.complete();
      },
      complete: () => seen.push('complete'),
    });
    source.next(click('A', 500));
    source.next(click('B', 500));
    scheduler.moveTo(1000);
    expect(seen).toEqual(['A1', 'B1', 'complete']);
  });

  test('C60 one definition, several subscriptions: each starts empty', () => {
    const scheduler = manualScheduler();
    const source = new Subject<Click>();
    const window = rollingWindowOf<Click>()({ ...counting, scheduler });
    const first: number[] = [], second: number[] = [];
    source.pipe(window).subscribe(({ n }) => first.push(n));
    source.next(click('a', 0));
    source.pipe(window).subscribe(({ n }) => second.push(n));
    source.next(click('a', 0));
    expect({ first, second }).toEqual({ first: [1, 2], second: [1] });
  });

  test('C60 retry starts from empty', () => {
    const scheduler = manualScheduler();
    const source = concat(of(click('a', 0), click('a', 0)), throwError(() => new Error('lost')));
    const seen: unknown[] = [];
    source.pipe(rollingWindow({ ...counting, scheduler }), retry(1)).subscribe({ next: ({ n }) => seen.push(n), error: () => seen.push('error') });
    expect(seen).toEqual([1, 2, 1, 2, 'error']);
  });

  test('C60 changing a row or an event afterwards changes no later row', () => {
    const scheduler = manualScheduler();
    const source = new Subject<{ key: Date; t: Date; v: number }>();
    const seen: number[] = [];
    source.pipe(rollingWindow({ partitionBy: 'key', orderBy: 't', measures: [sum('v').over(preceding(range(1000))).as('total')], scheduler })).subscribe((row) => {
      seen.push(row.key.getTime(), row.total ?? NaN);
      row.key.setTime(99);
      row.total = -1;
    });
    const event = { key: new Date(7), t: new Date(0), v: 1 };
    source.next(event);
    event.key.setTime(8);
    event.t.setTime(-5000);
    event.v = 100;
    source.next({ key: new Date(7), t: new Date(0), v: 2 });
    expect(seen).toEqual([7, 1, 7, 3]);
  });

  test('C62 100,000 events between two ticks give one row', () => {
    const scheduler = manualScheduler();
    const source = new Subject<Click>();
    const engine = createEngine<Click>()(counting);
    const rows: number[] = [];
    source.pipe(rollingWindow(engine, { trigger: microBatch(100), scheduler })).subscribe(({ n }) => rows.push(n));
    for (let i = 0; i < 100_000; i++) source.next(click('k', i / 1000));
    scheduler.moveTo(100);
    expect(rows).toEqual([100_000]);
    expect(engine.stats.events).toBe(100_000);
  });

  test('C62 1,000 keys give 1,000 rows a tick at most', () => {
    const scheduler = manualScheduler();
    const source = new Subject<Click>();
    let rows = 0;
    source.pipe(rollingWindow({ ...counting, trigger: microBatch(100), scheduler })).subscribe(() => rows++);
    for (let i = 0; i < 100_000; i++) source.next(click(`k${i % 1000}`, 50));
    scheduler.moveTo(100);
    expect(rows).toBe(1000);
  });

  test('C62 a slow consumer gets rows computed when they leave, not queued before', () => {
    const scheduler = new SleepyScheduler(0);
    const source = new Subject<Click>();
    const read: number[] = [];
    let evaluated = 0;
    source.pipe(rollingWindow({ ...counting, trigger: realTime({ coalesce: scheduler }), scheduler, progress: { next: () => evaluated++ } })).subscribe(({ __frontier }) => {
      read.push(scheduler.now() - __frontier);
      scheduler.sleepUntil(scheduler.now() + 10);
    });
    for (let turn = 0; turn < 20; turn++) {
      for (let i = 0; i < 50; i++) source.next(click('k', scheduler.now()));
      scheduler.wakeAt(scheduler.now());
    }
    expect(read).toEqual(Array.from({ length: 20 }, () => 0));
    expect(evaluated).toBe(20);
  });
});

/** The case as evaluations: a clock reading, with the events that came before it and their arrival readings. */
function evaluations({ steps }: FieldCase): { now: number; events: [CaseEvent, number][] }[] {
  const ticks: { now: number; events: [CaseEvent, number][] }[] = [];
  let events: [CaseEvent, number][] = [];
  // A case lists its steps as is handiest to read; a machine goes through them as its clock does.
  for (const step of [...steps].sort((a, b) => a[1] - b[1])) {
    if (step[0] === 'e') events.push([caseEvent(step), step[1]]);
    if (step[0] !== 'tick') continue;
    ticks.push({ now: step[1], events });
    events = [];
  }
  return ticks;
}
