import { catchError, concat, map, Observable, of, queueScheduler, range as numbers, retry, Subject, take, throwError, type Observer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  count,
  createEngine,
  eventTime,
  microBatch,
  preceding,
  range,
  rollingWindow,
  RollingWindowError,
  rollingWindowOf,
  sum,
  type Dropped,
  type Progress,
} from '../../operators/index.ts';
import { manualScheduler } from '../../operators/testing/index.ts';
import { marbles } from '../support/marbles.ts';
import { at, countHits, lastHits, row, type Hit } from './support.ts';

const errorFrom = (rows$: Observable<unknown>): unknown => {
  let caught: unknown;
  rows$.subscribe({ error: (error: unknown) => (caught = error) });
  return caught;
};

describe('in marbles', () => {
  it('counts an event for exactly its range: in at its own instant, out one range later', marbles((m) => {
    //                t(ms):  0123456789012345
    const events$ = m.hot(   '--a--b----------|', { a: at(2), b: at(5) });
    const subscriptions =    '^---------------!';
    const rows =             '--p--q----r--s--|'; // range 8 ms: a leaves at 10, b at 13

    m.expect(events$.pipe(countHits())).toBeObservable(rows, { p: row(2, 1), q: row(5, 2), r: row(10, 1), s: row(13, 0) });
    m.expect(events$).toHaveSubscriptions(subscriptions);
  }));

  it('holds an event until its own instant', marbles((m) => {
    //                t(ms):  012345678901234567
    const events$ = m.hot(   '--a--------------|', { a: at(6) });
    const rows =             '------p-------q--|';

    m.expect(events$.pipe(countHits())).toBeObservable(rows, { p: row(6, 1), q: row(14, 0) });
    m.expect(events$).toHaveSubscriptions('^----------------!');
  }));

  it('stays behind the clock by the delay, whose row says so', marbles((m) => {
    //                t(ms):  0123456789012345
    const events$ = m.hot(   '--a-------------|', { a: at(2) });
    const rows =             '-----p-------q--|'; // F = clock - 3

    m.expect(events$.pipe(countHits({ frontierSpec: { delay: 3 } }))).toBeObservable(rows, { p: row(2, 1), q: row(10, 0) });
    m.expect(events$).toHaveSubscriptions('^---------------!');
  }));

  it('drops what comes behind the watermark, and tells', marbles((m) => {
    const dropped: Dropped<Hit>[] = [];
    //                t(ms):  0123456789012
    const events$ = m.hot(   '---a-b-c----|', { a: at(3), b: at(5), c: at(2) }); // W = 3 - 1 after b
    const rows =             '---p-q-----r|';

    m.expect(events$.pipe(countHits({ watermark: 1, dropped: { next: (drop) => dropped.push(drop) } }))).toBeObservable(rows, {
      p: row(3, 1),
      q: row(5, 2),
      r: row(11, 1),
    });
    m.expect(events$).toHaveSubscriptions('^-----------!');
    m.flush();
    expect(dropped).toEqual([{ event: at(2), reason: 'late', eventTime: 2, watermark: 2, lateBy: 0 }]);
  }));

  it('ends with one evaluation at the present reading, and waits for nothing that is still to leave', marbles((m) => {
    //                t(ms):  01234567890
    const events$ = m.hot(   '--a-|      ', { a: at(2) });
    const rows =             '----(p|)   '; // F = 4 - 2 at the end

    m.expect(events$.pipe(countHits({ frontierSpec: { delay: 2 } }))).toBeObservable(rows, { p: row(2, 1) });
    m.expect(events$).toHaveSubscriptions('^---!      ');
  }));

  it('passes an error of the source at once, without a last row', marbles((m) => {
    //                t(ms):  0123456789
    const events$ = m.hot(   '--a-#     ', { a: at(2) });
    const rows =             '----#     ';

    m.expect(events$.pipe(countHits({ frontierSpec: { delay: 2 } }))).toBeObservable(rows);
    m.expect(events$).toHaveSubscriptions('^---!     ');
  }));

  it('is silent after unsubscription', marbles((m) => {
    //                t(ms):  0123456789012
    const events$ = m.hot(   '--a----------', { a: at(2) });
    const unsubscription =   '^------!     ';
    const rows =             '--p----------'; // nothing at 10

    m.expect(events$.pipe(countHits()), unsubscription).toBeObservable(rows, { p: row(2, 1) });
    m.expect(events$).toHaveSubscriptions('^------!     ');
  }));

  it('gives each event of a synchronous source its row, and ends', marbles((m) => {
    m.expect(of(at(0), at(-1), at(1)).pipe(countHits())).toBeObservable('(pq|)', { p: row(0, 1), q: row(0, 2) }); // t = 1 is held
  }));
});

describe('a subscription', () => {
  it('has its own state, so that an operator may be reused', () => {
    const operator = countHits({ scheduler: manualScheduler() });
    const events$ = new Subject<Hit>();
    const first: unknown[] = [];
    const second: unknown[] = [];
    events$.pipe(operator).subscribe((given) => first.push(given));
    events$.next(at(0));
    events$.pipe(operator).subscribe((given) => second.push(given));
    events$.next(at(0));

    expect(first).toEqual([row(0, 1), row(0, 2)]);
    expect(second).toEqual([row(0, 1)]);
  });

  it('starts from nothing when it is retried', () => {
    const failing$ = concat(of(at(0), at(0)), throwError(() => new Error('gone')));
    const seen: unknown[] = [];
    failing$.pipe(countHits({ scheduler: manualScheduler() }), retry(1), catchError(() => of('gave up'))).subscribe((given) => seen.push(given));

    expect(seen).toEqual([row(0, 1), row(0, 2), row(0, 1), row(0, 2), 'gave up']);
  });

  it('takes no event more than it needs from a synchronous source', () => {
    const offered: number[] = [];
    const endless$ = numbers(0, Infinity).pipe(
      map((n) => {
        offered.push(n);
        return at(0);
      }),
    );
    const rows: unknown[] = [];
    const scheduler = manualScheduler();
    endless$.pipe(countHits({ scheduler }), take(2)).subscribe((given) => rows.push(given));

    expect(rows).toEqual([row(0, 1), row(0, 2)]);
    expect(offered).toEqual([0, 1]);
    expect(scheduler.timers).toBe(0);
  });

  it('leaves no timer behind, a thousand times', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const rows$ = events$.pipe(countHits({ scheduler, flush$: events$ }));
    for (let i = 0; i < 1000; i++) {
      const subscription = rows$.subscribe();
      events$.next(at(0));
      expect(scheduler.timers).toBe(1);
      subscription.unsubscribe();
      expect(scheduler.timers).toBe(0);
    }
    expect(events$.observed).toBe(false);
  });

  it('lets go of a notifier that wraps whoever subscribes', () => {
    const inner$ = new Subject<void>();
    const wrapping$ = Object.assign(new Observable<void>(), { subscribe: (observer: Observer<void>) => inner$.subscribe(() => observer.next()) });
    const reports: number[] = [];
    const progress = { next: ({ timestamp }: Progress) => reports.push(timestamp) };
    const scheduler = manualScheduler(5);
    const subscription = new Subject<Hit>().pipe(countHits({ scheduler, progress, flush$: wrapping$ })).subscribe();
    inner$.next();
    subscription.unsubscribe();

    expect(reports).toEqual([5]);
    expect(inner$.observed).toBe(false);
  });

  it('has no timer while nothing is due, and none after the last row', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(countHits({ scheduler })).subscribe((given) => rows.push(given));
    expect(scheduler.timers).toBe(0);
    events$.next(at(0));
    expect(scheduler.timers).toBe(1);
    scheduler.moveTo(8);
    expect(rows).toEqual([row(0, 1), row(8, 0)]);
    expect(scheduler.timers).toBe(0);
  });

  it('gets what user code throws as an error, and its timer goes', () => {
    const scheduler = manualScheduler();
    const broken = countHits({ scheduler, dropped: { next: () => { throw new Error('mine'); } } });
    const events$ = new Subject<Hit>();
    let caught: unknown;
    events$.pipe(broken).subscribe({ error: (error: unknown) => (caught = error) });
    events$.next(at(0));
    events$.next(at(NaN));

    expect(String(caught)).toContain('mine');
    expect(events$.observed).toBe(false);
    expect(scheduler.timers).toBe(0);
  });
});

describe('directly behind another', () => {
  const bySum = rollingWindowOf<{ k: string; __frontier: number; n: number }>()({
    partitionBy: 'k',
    orderBy: '__frontier',
    measures: [sum('n').over(preceding(range(4))).as('sum')],
    scheduler: manualScheduler(),
    clock: eventTime(),
  });
  const counted = () => countHits({ scheduler: manualScheduler(), clock: eventTime() });

  it('counts what that counts, and ends with it', () => {
    const seen: unknown[] = [];
    const note = { next: ({ sum }: { sum: number | null }) => seen.push(sum), error: (error: unknown) => seen.push(error), complete: () => seen.push('complete') };
    of(at(0), at(1), at(2)).pipe(counted(), bySum).subscribe(note);
    expect(seen).toEqual([1, 3, 6, 'complete']);

    const gone = new Error('gone');
    concat(of(at(0)), throwError(() => gone)).pipe(counted(), bySum).subscribe(note);
    expect(seen.slice(4)).toEqual([1, gone]);
  });

  it('ends a source that does not wait once it has enough', () => {
    const offered: number[] = [];
    const endless$ = numbers(0, Infinity).pipe(map((t) => (offered.push(t), at(t))));
    endless$.pipe(counted(), bySum, take(3)).subscribe();
    expect(offered).toEqual([0, 1, 2]);
  });
});

describe('a subscriber that calls back', () => {
  const subscribeTo = (events$: Observable<Hit>, options: Parameters<typeof countHits>[0], next: (given: { n: number }) => void) =>
    events$.pipe(countHits({ scheduler: manualScheduler(), ...options })).subscribe(next);

  it('pushes an event from inside a row: it waits until the rows of this evaluation left', () => {
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    const flush$ = new Subject<void>();
    subscribeTo(events$, { flush$, trigger: microBatch(1000) }, (given) => {
      rows.push(given);
      if (rows.length === 1) {
        events$.next(at(0, 'b'));
        flush$.next();
      }
    });
    events$.next(at(0, 'a'));
    events$.next(at(0, 'b'));
    flush$.next();

    expect(rows).toEqual([row(0, 1, 'a'), row(0, 1, 'b'), row(0, 2, 'b')]);
  });

  it('completes the source from inside a row: the evaluation ends, then the last one, then one completion', () => {
    const events$ = new Subject<Hit>();
    const seen: unknown[] = [];
    const flush$ = new Subject<void>();
    events$.pipe(countHits({ scheduler: manualScheduler(), flush$, trigger: microBatch(1000) })).subscribe({
      next: (given) => {
        seen.push(given);
        events$.next(at(0, 'c'));
        events$.complete();
      },
      complete: () => seen.push('complete'),
    });
    events$.next(at(0, 'a'));
    events$.next(at(0, 'b'));
    flush$.next();

    expect(seen).toEqual([row(0, 1, 'a'), row(0, 1, 'b'), row(0, 1, 'c'), 'complete']);
  });

  it('unsubscribes from inside a row: no further row, and no timer', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const flush$ = new Subject<void>();
    const rows: unknown[] = [];
    const subscription = events$.pipe(countHits({ scheduler, flush$, trigger: microBatch(1000) })).subscribe((given) => {
      rows.push(given);
      subscription.unsubscribe();
    });
    events$.next(at(0, 'a'));
    events$.next(at(0, 'b'));
    flush$.next();

    expect(rows).toEqual([row(0, 1, 'a')]);
    expect(scheduler.timers).toBe(0);
    expect(events$.observed || flush$.observed).toBe(false);
  });

  it('unsubscribes from inside `dropped`: no evaluation any more', () => {
    const events$ = new Subject<Hit>();
    const reports: unknown[] = [];
    const dropped = { next: () => subscription.unsubscribe() };
    const subscription = subscribeTo(events$, { dropped, progress: { next: (report) => reports.push(report) } }, () => undefined);
    events$.next(at(NaN));

    expect(reports).toEqual([]);
  });

  it('pushes from inside `dropped` and `progress`: whole states only, and in order', () => {
    const events$ = new Subject<Hit>();
    const reports: number[] = [];
    const rows: unknown[] = [];
    subscribeTo(
      events$,
      {
        dropped: { next: () => events$.next(at(0, 'from dropped')) },
        progress: {
          next: ({ batchId }) => {
            if (reports.push(batchId) === 1) events$.next(at(0, 'from progress'));
          },
        },
      },
      (given) => rows.push(given),
    );
    events$.next(at(NaN));
    events$.next(at(0));

    expect(rows).toEqual([row(0, 1, 'from dropped'), row(0, 1, 'from progress'), row(0, 1, 'a')]);
    expect(reports).toEqual([1, 2, 3, 4]);
  });

  it('feeds rows back 100,000 times without a deep stack, order kept', () => {
    const depth = 100_000;
    const events$ = new Subject<Hit>();
    const counts: number[] = [];
    const lifetime = rollingWindowOf<Hit>()({ partitionBy: 'k', orderBy: 't', measures: [count().as('n')], scheduler: manualScheduler() });
    events$.pipe(lifetime).subscribe(({ n }) => {
      counts.push(n);
      if (n < depth) events$.next(at(0));
    });
    events$.next(at(0));

    expect(counts).toHaveLength(depth);
    expect(counts.every((n, index) => n === index + 1)).toBe(true);
  });
});

describe('an engine that the caller owns', () => {
  it('answers beside the pipe', () => {
    const scheduler = manualScheduler();
    const engine = createEngine<Hit>()(lastHits);
    const events$ = new Subject<Hit>();
    const rows: unknown[] = [];
    events$.pipe(rollingWindow(engine, { scheduler })).subscribe((given) => rows.push(given));
    events$.next(at(0));

    expect(engine.query({ k: 'a' })).toEqual(row(0, 1));
    expect(engine.query({ k: 'a' }, 8)).toEqual(row(8, 0));
    scheduler.moveTo(8);
    expect(rows).toEqual([row(0, 1), row(8, 0)]);
  });

  it('serves one subscription at a time, and the next one goes on where that ended', () => {
    const engine = createEngine<Hit>()(lastHits);
    const operator = rollingWindow(engine, { scheduler: manualScheduler() });
    const events$ = new Subject<Hit>();
    const first = events$.pipe(operator).subscribe();
    expect(errorFrom(events$.pipe(operator))).toMatchObject({ code: 'engine-in-use' });
    events$.next(at(0));
    first.unsubscribe();

    const rows: unknown[] = [];
    events$.pipe(operator).subscribe((given) => rows.push(given));
    events$.next(at(0));
    expect(rows).toEqual([row(0, 2)]);
  });

  it('may be taken up again from inside the end of the subscription before', () => {
    const engine = createEngine<Hit>()(lastHits);
    const operator = rollingWindow(engine, { scheduler: manualScheduler() });
    const again$ = of(at(0)).pipe(operator);
    const seen: unknown[] = [];
    const note = { next: (given: unknown) => seen.push(given), error: (error: unknown) => seen.push(error) };
    const takeUp = () => again$.subscribe(note);
    again$.subscribe({ ...note, complete: takeUp });
    throwError(() => new Error('gone')).pipe(operator).subscribe({ error: takeUp });
    expect(seen).toEqual([row(0, 1), row(0, 2), row(0, 3)]);

    const waitFor = () => new Subject<Hit>().pipe(operator).subscribe(note);
    throwError(() => new Error('gone')).pipe(operator).subscribe({ error: waitFor });
    expect(errorFrom(again$)).toMatchObject({ code: 'engine-in-use' }); // the end of the one before has not set it free
  });

  it('wakes for what is overdue in it, also on a scheduler that does not wait', () => {
    const engine = createEngine<Hit>()(lastHits);
    engine.push(at(0), 0);
    engine.advance(0);
    const rows: unknown[] = [];
    const subscription = new Subject<Hit>().pipe(rollingWindow(engine, { scheduler: queueScheduler })).subscribe(({ n }) => rows.push(n));
    expect(rows).toEqual([0]);
    subscription.unsubscribe();
  });

  it('wakes for what is due in it before any event comes', () => {
    const scheduler = manualScheduler();
    const engine = createEngine<Hit>()(lastHits);
    engine.push(at(0), 0);
    engine.advance(0);
    const rows: unknown[] = [];
    new Subject<Hit>().pipe(rollingWindow(engine, { scheduler })).subscribe((given) => rows.push(given));
    scheduler.moveTo(20);

    expect(rows).toEqual([row(8, 0)]);
  });
});

describe('progress', () => {
  it('reports each evaluation before its rows, the idle ones included', () => {
    const scheduler = manualScheduler();
    const flush$ = new Subject<void>();
    const events$ = new Subject<Hit>();
    const seen: unknown[] = [];
    const progress = { next: (report: Progress) => seen.push(report) };
    events$.pipe(countHits({ scheduler, flush$, progress })).subscribe((given) => seen.push(given));
    events$.next(at(0));
    scheduler.moveTo(3);
    flush$.next();
    scheduler.moveTo(8);

    const common = { watermark: -Infinity, stats: expect.anything() as unknown };
    expect(seen).toEqual([
      { ...common, batchId: 1, timestamp: 0, frontier: 0, numInputRows: 1, numOutputRows: 1, numRemoved: 0 },
      row(0, 1),
      { ...common, batchId: 2, timestamp: 3, frontier: 3, numInputRows: 0, numOutputRows: 0, numRemoved: 0 },
      { ...common, batchId: 3, timestamp: 8, frontier: 8, numInputRows: 0, numOutputRows: 1, numRemoved: 1 },
      row(8, 0),
    ]);
  });
});

describe('a report that is kept', () => {
  it('says what it said, whatever comes', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const kept: Progress[] = [], said: string[] = [];
    const next = (report: Progress): void => {
      kept.push(report);
      said.push(JSON.stringify(report));
    };
    events$.pipe(countHits({ scheduler, progress: { next } })).subscribe();
    for (const k of ['a', 'b', 'c', 'c']) events$.next(at(0, k));
    scheduler.moveTo(8);

    expect(kept.map((report) => JSON.stringify(report))).toEqual(said);
    expect(kept.map(({ stats: { keys, rows, events } }) => [keys, rows, events])).toEqual([[1, 1, 1], [2, 2, 2], [3, 3, 3], [3, 4, 4], [0, 7, 0]]);
  });
});

describe('a wrong configuration', () => {
  it.each<[string, object]>([
    ['no column of time', { orderBy: undefined }],
    ['an engine error', { measures: [count().as('n'), count().as('n')] }],
    ['every row with each event', { emit: 'every' }],
    ['a trigger that is none', { trigger: '1 second' }],
    ['a clock that is none', { clock: Date }],
    ['a scheduler that is none', { scheduler: { now: () => 0 } }],
    ['an observer that is none', { progress: () => undefined }],
    ['a notifier that is none', { flush$: 1000 }],
  ])('is an error at once: %s', (_, wrong) => {
    expect(() => rollingWindow({ ...lastHits, ...wrong } as never)).toThrow(RollingWindowError);
  });

  it('is an error at once: no configuration at all', () => {
    expect(() => rollingWindow(undefined as never)).toThrow(RollingWindowError);
  });
});
