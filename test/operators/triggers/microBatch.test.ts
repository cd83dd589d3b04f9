import { merge, of, Subject, take, takeUntil, tap } from 'rxjs';
import { describe, expect, it, test } from 'vitest';
import { count, createEngine, eventTime, microBatch, rollingWindow, RollingWindowError, rollingWindowOf, type Progress } from '../../../operators/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { marbles } from '../../support/marbles.ts';
import { at, countHits, lastHits, row, type Hit } from '../support.ts';

const every5 = { trigger: microBatch(5) };

describe('microBatch in processing time', () => {
  it('gives a key one row per interval: changed by events, and by what left', marbles((m) => {
    //                t(ms):  012345678901234567
    const events$ = m.hot(   '-ab-----c--------|', { a: at(1), b: at(2), c: at(8) });
    const subscriptions =    '^----------------!';
    const rows =             '-----p----q------(r|)'; // ticks 5 10 15: at 10 a and b left and c came

    m.expect(events$.pipe(countHits(every5))).toBeObservable(rows, { p: row(5, 2), q: row(10, 1), r: row(17, 0) });
    m.expect(events$).toHaveSubscriptions(subscriptions);
  }));

  it('counts its ticks from the subscription', marbles((m) => {
    //                t(ms):  0123456789012
    const events$ = m.hot(   '---a----------', { a: at(3) });
    const subscribed =       '--^-----------';
    const rows =             '-------p----q-'; // ticks 7, 12

    m.expect(events$.pipe(countHits(every5)), subscribed).toBeObservable(rows, { p: row(7, 1), q: row(12, 0) });
  }));

  it('holds an event to the first tick at or after its instant', marbles((m) => {
    //                t(ms):  0123456789012345
    const events$ = m.hot(   '-a--------------', { a: at(6) });
    const rows =             '----------p----q'; // 6 + 8 = 14

    m.expect(events$.pipe(countHits(every5))).toBeObservable(rows, { p: row(10, 1), q: row(15, 0) });
  }));

  it('judges all events of a batch by the watermark of the batches before', marbles((m) => {
    //                t(ms):  0123456789012
    const events$ = m.hot(   '-a-bc--d-e--|', { a: at(1), b: at(3), c: at(0), d: at(2), e: at(7) }); // W = 2 after the tick at 5
    const rows =             '-----p----q-(r|)';

    m.expect(events$.pipe(countHits({ ...every5, watermark: 1 }))).toBeObservable(rows, { p: row(5, 3), q: row(10, 2), r: row(12, 1) });
  }));

  it('passes an error at once, and is silent after unsubscription', marbles((m) => {
    const events$ = m.hot(   '-a-#  ', { a: at(1) });
    m.expect(events$.pipe(countHits(every5))).toBeObservable('---#');
    m.expect(events$).toHaveSubscriptions(['^--!', '^-!']);
    m.expect(events$.pipe(countHits(every5)), '^-!').toBeObservable('------');
  }));

  it('puts an event that is pushed from inside next into the next batch', marbles((m) => {
    //                t(ms):  0123456789012345678
    const events$ = m.hot(   '-a-----------------', { a: at(1) });
    const subscribed =       '^-----------------!';
    const rows =             '-----p---------q---'; // a leaves at 9 and b comes: at 10 the count is 1 as before; b leaves at 13
    const b$ = new Subject<Hit>();
    const echoed$ = merge(events$, b$).pipe(countHits(every5), tap(({ n }) => n === 1 && b$.next(at(5))));

    m.expect(echoed$, subscribed).toBeObservable(rows, { p: row(5, 1), q: row(15, 0) });
    m.expect(events$).toHaveSubscriptions(subscribed);
  }));

  it('ends after the rows of the tick when the source is completed from inside next', marbles((m) => {
    //                t(ms):  01234567890
    const events$ = m.hot(   '-ab--------', { a: at(1), b: at(2, 'b') });
    const subscribed =       '^----!     ';
    const rows =             '-----(pq|) ';
    const stop$ = new Subject<void>();
    // eslint-disable-next-line rxjs-x/no-unsafe-takeuntil -- the end shall come to the operator, not after it
    const stopping$ = events$.pipe(takeUntil(stop$), countHits(every5), tap(() => stop$.next()));

    m.expect(stopping$).toBeObservable(rows, { p: row(5, 1), q: row(5, 1, 'b') });
    m.expect(events$).toHaveSubscriptions(subscribed);
  }));

  it('counts all of a synchronous source at its end', marbles((m) => {
    m.expect(of(at(0), at(0), at(0, 'b')).pipe(countHits(every5))).toBeObservable('(pq|)', { p: row(0, 2), q: row(0, 1, 'b') });
  }));

  it('sleeps until the first tick at which something can change', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const ticks: number[] = [];
    events$.pipe(countHits({ trigger: microBatch(3), scheduler, watermark: 1, progress: { next: ({ timestamp }: Progress) => ticks.push(timestamp) } })).subscribe();
    scheduler.moveTo(100);
    expect(ticks).toEqual([]);
    events$.next(at(100));
    scheduler.moveTo(200);

    expect(ticks).toEqual([102, 108]); // events pushed; the event left
    expect(scheduler.timers).toBe(0);
  });

  it('ticks once more where the watermark could not move yet', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const flush$ = new Subject<void>();
    const ticks: unknown[] = [];
    const progress = { next: ({ timestamp, watermark }: Progress) => ticks.push([timestamp, watermark]) };
    const lifetime = rollingWindowOf<Hit>()({ partitionBy: 'k', orderBy: 't', measures: [count().as('n')], trigger: microBatch(3), scheduler, watermark: 1, flush$, progress });
    events$.pipe(lifetime).subscribe();
    scheduler.moveTo(1);
    events$.next(at(1));
    flush$.next(); // at the event's own reading
    scheduler.moveTo(50);

    expect(ticks).toEqual([[1, -Infinity], [3, 0]]);
  });

  it("gives every key at every tick while there is state, with `emit: 'every'`", () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ trigger: microBatch(3), scheduler, emit: 'every' })).subscribe((given) => rows.push(given));
    scheduler.moveTo(10);
    events$.next(at(10));
    scheduler.moveTo(100);

    expect(rows).toEqual([row(12, 1), row(15, 1), row(18, 0)]);
    expect(scheduler.timers).toBe(0);
  });

  it('goes on where rounding brings a tick down to less than its multiple of the interval', () => {
    const start = 1_700_000_000_000;
    const scheduler = manualScheduler(start);
    const events$ = new Subject<Hit>();
    const ticks: number[] = [];
    events$.pipe(countHits({ trigger: microBatch(0.1), scheduler, emit: 'every' }), take(3)).subscribe((given) => ticks.push(given.__frontier - start));
    events$.next(at(start));
    scheduler.advanceBy(1);

    expect(ticks).toEqual([0.1, 0.2, 0.3].map((tick) => expect.closeTo(tick, 3) as number));
  });

  it('evaluates once after a gap, and goes on in step', () => {
    const scheduler = manualScheduler();
    let asleep = 0;
    const sleeper = { now: () => scheduler.now() + asleep, schedule: scheduler.schedule.bind(scheduler) };
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ trigger: microBatch(5), scheduler: sleeper })).subscribe((given) => rows.push(given));
    events$.next(at(0));
    asleep = 1001; // the timer for 5 fires at 1006
    scheduler.moveTo(5);
    events$.next(at(1006));
    scheduler.moveTo(20);

    expect(rows).toEqual([row(1010, 1), row(1015, 0)]);
  });

  it('does not put a tick off for events that come while its timer is late', () => {
    const scheduler = manualScheduler();
    let late = 0;
    const sleeper = { now: () => scheduler.now() + late, schedule: scheduler.schedule.bind(scheduler) };
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ trigger: microBatch(5), scheduler: sleeper })).subscribe((given) => rows.push(given));
    events$.next(at(0));
    late = 2;
    scheduler.moveTo(4);
    events$.next(at(6));
    scheduler.moveTo(5); // the timer for 5 would fire at 7, had the event not shown that it is late

    expect(rows).toEqual([row(6, 2)]);
  });

  it('ticks in step also where the batch began long ago, with an event that is held or invalid', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ ...every5, scheduler })).subscribe((given) => rows.push(given));
    events$.next(at(NaN));
    events$.next(at(3000));
    scheduler.moveTo(1003);
    events$.next(at(1000));
    scheduler.moveTo(1004);
    events$.next(at(1004));
    scheduler.moveTo(1020);

    expect(rows).toEqual([row(1005, 2), row(1010, 1), row(1015, 0)]);
  });

  it.each([true, false])('gives its rows in time where the clock is set back by an hour, whether events come (%s)', (eventsCome) => {
    const hour = 3_600_000;
    const scheduler = manualScheduler(hour);
    let back = 0;
    const jumping = { now: () => scheduler.now() - back, schedule: scheduler.schedule.bind(scheduler) };
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    const engine = createEngine<Hit>()(lastHits);
    engine.advance(hour + 1);
    events$.pipe(rollingWindow(engine, { ...every5, scheduler: jumping })).subscribe((given) => rows.push(given));
    scheduler.advanceBy(1);
    events$.next(at(hour));
    back = hour;
    scheduler.advanceBy(1);
    if (eventsCome) events$.next(at(hour + 1));
    scheduler.advanceBy(10);

    expect(rows).toEqual([row(hour + 1, eventsCome ? 2 : 1)]);
    expect(scheduler.timers).toBe(1);
  });

  it('starts in step with the subscription over an engine that has state', () => {
    const scheduler = manualScheduler(100);
    const engine = createEngine<Hit>()(lastHits);
    engine.push(at(0), 0);
    engine.advance(0);
    const rows: unknown[] = [];
    new Subject<Hit>().pipe(rollingWindow(engine, { scheduler, ...every5 })).subscribe((given) => rows.push(given));
    scheduler.moveTo(200);

    expect(rows).toEqual([row(105, 0)]);
  });
});

describe('microBatch in event time', () => {
  it('closes a batch with the first event at or past the next multiple, one evaluation for a jump', marbles((m) => {
    //                t(ms):  012345678
    const events$ = m.hot(   '-ab-c-d-|', { a: at(7), b: at(8), c: at(10), d: at(26) });
    const rows =             '----p-q-(r|)'; // at 10, with c in the next batch; at 25; at the end, at 26

    m.expect(events$.pipe(countHits({ ...every5, clock: eventTime() }))).toBeObservable(rows, { p: row(10, 2), q: row(25, 0), r: row(26, 1) });
    m.expect(events$).toHaveSubscriptions('^-------!');
  }));

  it('takes the multiples from 1970, whatever the first event, which closes nothing', () => {
    const rows: unknown[] = [];
    const ticks: number[] = [];
    const events$ = new Subject<Hit>();
    events$.pipe(countHits({ ...every5, clock: eventTime(), scheduler: manualScheduler(), progress: { next: ({ timestamp }) => ticks.push(timestamp) } })).subscribe((given) => rows.push(given));
    for (const t of [-7, -6, -5, -1, 4]) events$.next(at(t));

    expect(ticks).toEqual([-5, 0]);
    expect(rows).toEqual([row(-5, 2), row(0, 4)]);
  });

  it('does not take in an event that closes a batch whose rows end the subscription', () => {
    const engine = createEngine<Hit>()(lastHits);
    of(at(1), at(2), at(6)).pipe(rollingWindow(engine, { ...every5, clock: eventTime() }), take(1)).subscribe();

    expect(engine.position.events).toBe(2);
  });

  it('runs on in silence, in step with the multiples', () => {
    const scheduler = manualScheduler(1000);
    const rows: unknown[] = [];
    const events$ = new Subject<Hit>();
    events$.pipe(countHits({ ...every5, clock: eventTime({ idleAfter: 100 }), scheduler })).subscribe((given) => rows.push([scheduler.now(), given]));
    events$.next(at(7));
    scheduler.moveTo(2000);

    // The clock shows 7 until 1100, so 10 at 1103, and 15 at 1108.
    expect(rows).toEqual([[1103, row(10, 1)], [1108, row(15, 0)]]);
    expect(scheduler.timers).toBe(0);
  });
});

test('an event that comes while a timer in silence is late closes the batch before it', () => {
  const scheduler = manualScheduler();
  let late = 0;
  const sleeper = { now: () => scheduler.now() + late, schedule: scheduler.schedule.bind(scheduler) };
  const rows: unknown[] = [];
  const events$ = new Subject<Hit>();
  const engine = createEngine<Hit>()(lastHits);
  events$.pipe(rollingWindow(engine, { ...every5, clock: eventTime({ idleAfter: 100 }), scheduler: sleeper })).subscribe((given) => rows.push(given));
  events$.next(at(7));
  late = 104.5; // the timer for 10 is due at 103
  events$.next(at(11));

  expect(rows).toEqual([row(10, 1)]);
  expect(engine.stats.clockRegressions).toBe(0);
});

test.each([NaN, 4])('a first event that does not set the clock of the events going sets no tick off (time %s)', (t) => {
  const scheduler = manualScheduler();
  const rows: unknown[] = [];
  const events$ = new Subject<Hit & { seenAt: number }>();
  const clock = eventTime({ column: 'seenAt', idleAfter: 100 });
  const hits = rollingWindowOf<Hit & { seenAt: number }>()({ ...lastHits, ...every5, watermark: 1, clock, scheduler });
  events$.pipe(hits).subscribe(({ n, __frontier }) => rows.push([scheduler.now(), __frontier, n]));
  events$.next({ ...at(t), seenAt: NaN });
  events$.next({ ...at(7), seenAt: 7 });
  scheduler.moveTo(400);

  expect(rows).toEqual([[103, 10, t === 4 ? 2 : 1], [108, 15, 0]]);
});

test('a late timer in silence evaluates at the multiple before, not at what the clock shows by then', () => {
  const scheduler = manualScheduler();
  let late = 0;
  const sleeper = { now: () => scheduler.now() + late, schedule: scheduler.schedule.bind(scheduler) };
  const rows: unknown[] = [];
  const events$ = new Subject<Hit>();
  events$.pipe(countHits({ ...every5, clock: eventTime({ idleAfter: 100 }), scheduler: sleeper })).subscribe((given) => rows.push(given));
  events$.next(at(7));
  late = 4; // the timer for 10 fires when the clock shows 14
  scheduler.moveTo(200);

  expect(rows).toEqual([row(10, 1), row(15, 0)]);
});

test.each([0, -1, NaN, Infinity])('an interval of %s is no length of time', (interval) => {
  expect(() => microBatch(interval)).toThrow(RollingWindowError);
});
