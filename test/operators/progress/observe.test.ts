import { asyncScheduler, concat, defer, EMPTY, from, map, NEVER, of, Subject, take, throwError } from 'rxjs';
import { describe, expect, it, test } from 'vitest';
import * as measures from '../../../operators/index.ts';
import { detailedProgress, observe, type Observation, type QueryEvent } from '../../../operators/progress/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { naiveEngine } from '../../../src/testing/index.ts';
import { marbles } from '../../support/marbles.ts';
import { countHits, type Hit } from '../support.ts';

const { approxPercentile, avg, collect, count, ema, first, last, max, microBatch, min, preceding, range, RollingWindowError, sum, udaf } = measures;

interface Request {
  readonly ms: number | null;
  readonly path?: string;
}
const ms = (value: number | null): Request => ({ ms: value });
const broken = new Error('broken');

/** The reports on a stream, as it goes. */
function observed(options: object, scheduler = manualScheduler()) {
  const reports: Observation<unknown>[] = [];
  const values: unknown[] = [];
  const errors: unknown[] = [];
  const requests$ = new Subject<Request>();
  const subscription = requests$
    .pipe(observe('requests', { measures: [count(), max('ms')], scheduler, report: (report: Observation<unknown>) => reports.push(report), ...options }))
    .subscribe({ next: (value) => values.push(value), error: (error: unknown) => errors.push(error) });
  return { reports, values, errors, requests$, subscription, scheduler };
}

describe('batches', () => {
  it('are the multiples of an interval in which something came', marbles((m) => {
    //                   t(ms):    01234567890123456789012
    const requests$ = m.hot<Request>('-ab--c-----------d----|', { a: ms(5), b: ms(7), c: ms(null), d: ms(2) });
    const reports: unknown[] = [];
    const report = ({ timestamp, metrics }: Observation<unknown>) => reports.push([timestamp, metrics]);

    m.expect(requests$.pipe(observe('requests', { measures: [count(), max('ms')], every: 4, report }))).toBeObservable('-ab--c-----------d----|', { a: ms(5), b: ms(7), c: ms(null), d: ms(2) });
    m.expect(requests$).toHaveSubscriptions('^---------------------!');
    m.flush();
    expect(reports).toEqual([
      [4, { 'count(*)': 2, 'max(ms)': 7 }],
      [8, { 'count(*)': 1, 'max(ms)': null }],
      [20, { 'count(*)': 1, 'max(ms)': 2 }],
      [22, { 'count(*)': 0, 'max(ms)': null }],
    ]);
  }));

  it('end with each value of a notifier, also where nothing came', () => {
    const every = new Subject<string>();
    const { reports, requests$ } = observed({ every });
    requests$.next(ms(5));
    every.next('now');
    every.next('now');
    every.complete();
    requests$.next(ms(6));
    requests$.complete();

    expect(reports.map(({ metrics }) => metrics)).toEqual([
      { 'count(*)': 1, 'max(ms)': 5 },
      { 'count(*)': 0, 'max(ms)': null },
      { 'count(*)': 1, 'max(ms)': 6 },
    ]);
  });

  it('are one, told at the end, where nothing else is said', () => {
    const { reports, requests$, scheduler } = observed({});
    requests$.next(ms(5));
    scheduler.moveTo(1e6);
    requests$.next(ms(3));
    requests$.complete();

    expect(reports).toEqual([{ name: 'requests', timestamp: 1e6, metrics: { 'count(*)': 2, 'max(ms)': 5 }, invalid: 0 }]);
  });

  it('are those of the window further down, with its progress as notifier', () => {
    const scheduler = manualScheduler();
    const progress$ = new Subject<QueryEvent>();
    const hits$ = new Subject<Hit>();
    const batches$ = new Subject<QueryEvent>();
    const seen: unknown[] = [];
    progress$.subscribe((event) => event.kind === 'progress' && batches$.next(event));
    hits$
      .pipe(
        observe('hits', { measures: [count().as('n')], every: batches$, scheduler, report: ({ metrics, timestamp }) => seen.push([timestamp, metrics.n]) }),
        countHits({ scheduler, trigger: microBatch(10), progress: detailedProgress(progress$) }),
      )
      .subscribe();
    hits$.next({ k: 'a', t: 0 });
    hits$.next({ k: 'a', t: 1 });
    scheduler.moveTo(15);
    hits$.next({ k: 'a', t: 15 });
    scheduler.moveTo(20);

    expect(seen).toEqual([[10, 2], [20, 1]]);
  });

  it('never lie apart by less than the interval, where a timer rings early', () => {
    const scheduler = manualScheduler();
    const early = { now: () => scheduler.now(), schedule: (work: never, delay = 0, state?: never) => scheduler.schedule(work, delay > 10 ? delay - 3 : delay, state) };
    const { reports, requests$ } = observed({ every: 100, scheduler: early });
    requests$.next(ms(1));
    scheduler.moveTo(98);
    requests$.next(ms(2));
    scheduler.moveTo(100);

    expect(reports).toMatchObject([{ timestamp: 100, metrics: { 'count(*)': 2 } }]);
  });
});

describe('what is measured', () => {
  it('is what the naive engine says of each batch', () => {
    const all = [
      ...[count(), count('ms').as('n'), sum('ms'), avg('ms'), min('ms'), max('ms'), approxPercentile('ms', 1).as('p100'), first('ms'), last('ms'), collect('ms', 3)],
      ...[measures.stddev('ms'), measures.varPop('ms'), measures.countDistinct('ms'), measures.mode('ms'), measures.topK('ms', 2), measures.histogram('ms', [10, 20])],
      ...[measures.corr('ms', 'size'), measures.slope('ms'), measures.maxBy('path', 'ms'), count().filter<Request>(({ ms: value }) => (value ?? 0) > 9).as('slow')],
    ];
    const scheduler = manualScheduler();
    const { reports, requests$ } = observed({ measures: all, every: 100 }, scheduler);
    const batches = [[5, 7, 12, 12, null, 30.5], [9], [null], [-4, 0.1, 0.2, 1e16, 25, 25]];
    const expected = batches.map((batch, b) => {
      const naive = naiveEngine<object>()({ partitionBy: [], orderBy: 'at', measures: all });
      let at = 100 * b;
      for (const value of batch) {
        scheduler.moveTo(++at);
        const request = { ms: value, size: (value ?? 0) ** 2 / 7, path: `/${at % 3}` };
        requests$.next(request);
        naive.push({ ...request, at }, at);
      }
      scheduler.moveTo(100 * b + 100);
      const [row] = naive.advance(at) as Record<string, unknown>[];
      return all.map(({ name }) => [name, row?.[name]] as const);
    });

    expect(reports.map(({ metrics }) => metrics)).toEqual(expected.map((metrics) => Object.fromEntries(metrics.map(([name, value]) => [name, typeof value === 'number' && /corr|slope|var|stddev/.test(name) ? (expect.closeTo(value, 6) as unknown) : value]))));
  });

  it('has a half-life that begins with the last value', () => {
    const { reports, requests$, scheduler } = observed({ measures: [ema('ms', 10).as('smooth')] });
    requests$.next(ms(0));
    scheduler.moveTo(10);
    requests$.next(ms(3));
    requests$.complete();

    expect(reports[0]?.metrics).toEqual({ smooth: 2 });
  });

  it('is not what has a value of the wrong type, and that is counted', () => {
    const { reports, requests$, values } = observed({ measures: [count(), sum('ms')] });
    for (const value of [ms(1), { ms: 'two' } as never, ms(3), null as never, 7 as never]) requests$.next(value);
    requests$.complete();

    expect(reports[0]).toMatchObject({ metrics: { 'count(*)': 4, 'sum(ms)': 4 }, invalid: 1 });
    expect(values).toHaveLength(5);
  });

  it('takes no memory for each value', () => {
    const requests = 200_000;
    const scheduler = manualScheduler();
    const before = process.memoryUsage().arrayBuffers;
    const { reports, requests$ } = observed({ measures: [count(), avg('ms'), approxPercentile('ms', 0.5).as('p50')] }, scheduler);
    for (let i = 0; i < requests; i++) requests$.next({ ms: i });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
    requests$.complete();

    expect(reports[0]?.metrics).toMatchObject({ 'count(*)': requests, 'avg(ms)': (requests - 1) / 2 });
  });
});

describe('values and endings', () => {
  it('counts a value before it passes', () => {
    const seen: unknown[] = [];
    const now$ = new Subject<void>();
    from([ms(1), ms(2)])
      .pipe(observe('requests', { measures: [count().as('n')], every: now$, report: ({ metrics }) => seen.push(metrics) }))
      .subscribe((value) => {
        seen.push(value.ms);
        now$.next();
      });

    expect(seen).toEqual([1, { n: 1 }, 2, { n: 1 }, { n: 0 }]);
  });

  it('reports before it completes, and takes a subject', () => {
    const seen: unknown[] = [];
    const reports$ = new Subject<Observation<{ n: number }>>();
    reports$.subscribe(({ metrics: { n } }) => seen.push(n));
    of(ms(1)).pipe(observe('requests', { measures: [count().as('n')], report: reports$ })).subscribe({ complete: () => seen.push('complete') });

    expect(seen).toEqual([1, 'complete']);
  });

  it.each<[string, () => { reports: unknown[]; scheduler: { timers: number } }]>([
    ['an error', () => {
      const given = observed({ every: 10 });
      given.requests$.next(ms(1));
      given.requests$.error(broken);
      expect(given.errors).toEqual([broken]);
      return given;
    }],
    ['unsubscribing', () => {
      const given = observed({ every: 10 });
      given.requests$.next(ms(1));
      given.subscription.unsubscribe();
      return given;
    }],
    ['an error of the notifier', () => {
      const every = new Subject();
      const given = observed({ every });
      given.requests$.next(ms(1));
      every.error(broken);
      expect([given.errors, given.requests$.observed]).toEqual([[broken], false]);
      return given;
    }],
    ['a notifier that fails at once', () => {
      const given = observed({ every: throwError(() => broken) });
      expect([given.errors, given.requests$.observed]).toEqual([[broken], false]);
      return given;
    }],
  ])('reports nothing after %s, and leaves no timer', (_, end) => {
    const { reports, scheduler } = end();

    expect(reports).toEqual([]);
    expect(scheduler.timers).toBe(0);
  });

  it('does not begin where its notifier has failed already', () => {
    let subscribed = 0;
    const requests$ = defer(() => of(ms(++subscribed)));
    requests$.pipe(observe('requests', { measures: [count()], every: throwError(() => broken), report: () => undefined })).subscribe({ error: () => undefined });

    expect(subscribed).toBe(0);
  });

  it('reports no more after a report that failed, also to a notifier that does not wait', () => {
    let reports = 0;
    const failing = () => {
      reports += 1;
      throw broken;
    };
    const { errors } = observed({ every: of(1, 2, 3), report: failing });

    expect(reports).toBe(1);
    expect(errors).toEqual([broken]);
  });

  it('stops a source that would not end', () => {
    let made = 0;
    const endless = function* () {
      while (made < 1000) yield ms(made++);
    };
    from(endless()).pipe(observe('requests', { measures: [count()], report: () => undefined }), take(2)).subscribe();

    expect(made).toBe(2);
  });

  it('sends on what a report throws, and what a measure does', () => {
    const failing = () => {
      throw new Error('full');
    };
    const timed = observed({ every: 10, report: failing });
    timed.requests$.next(ms(1));
    timed.scheduler.moveTo(10);
    const last$ = observed({ report: failing });
    last$.requests$.complete();
    const user = observed({ measures: [udaf({ name: 'broken', zero: () => 0, reduce: failing, merge: (into) => into, finish: (state) => state })('ms')] });
    user.requests$.next(ms(1));

    expect(timed.errors).toEqual([new Error('full')]);
    expect(last$.errors).toEqual([new Error('full')]);
    expect(user.errors).toEqual([expect.objectContaining({ code: 'user-code' })]);
  });

  it('belongs to each subscription', () => {
    const reports: unknown[] = [];
    const counted$ = of(ms(1), ms(2)).pipe(observe('requests', { measures: [count().as('n')], report: ({ metrics }) => reports.push(metrics) }));
    counted$.subscribe();
    counted$.subscribe();

    expect(reports).toEqual([{ n: 2 }, { n: 2 }]);
  });

  it('reports nothing of nothing but its end', () => {
    const reports: unknown[] = [];
    concat(EMPTY, NEVER).pipe(observe('nothing', { measures: [count()], every: 1, scheduler: manualScheduler(), report: () => reports.push(1) })).subscribe();
    EMPTY.pipe(map(() => ms(1)), observe('nothing', { measures: [count()], report: ({ metrics }) => reports.push(metrics) })).subscribe();

    expect(reports).toEqual([{ 'count(*)': 0 }]);
  });
});

test.each<[string, unknown, object]>([
  ['a name that is none', 5, {}],
  ['no measures', 'x', { measures: undefined }],
  ['a window', 'x', { measures: [sum('ms').over(preceding(range(10)))] }],
  ['two measures of one name', 'x', { measures: [count(), count()] }],
  ['no length of time', 'x', { every: 0 }],
  ['a text that is no length', 'x', { every: 'soon' }],
  ['nobody to report to', 'x', { report: undefined }],
  ['a scheduler that is none', 'x', { scheduler: asyncScheduler.now }],
])('%s is an error at once', (_, name, wrong) => {
  expect(() => observe(name as string, { measures: [count()], report: () => undefined, ...wrong })).toThrow(RollingWindowError);
});
