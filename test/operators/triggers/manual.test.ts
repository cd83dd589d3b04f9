import { asyncScheduler, defer, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createEngine, eventTime, manual, rollingWindow, RollingWindowError, type Dropped } from '../../../operators/index.ts';
import { manualScheduler, marbleClock } from '../../../operators/testing/index.ts';
import { marbles } from '../../support/marbles.ts';
import { at, countHits, lastHits, row, type Hit } from '../support.ts';

describe('manual', () => {
  it('evaluates at each value, and only then', marbles((m) => {
    //                t(ms):  01234567890123
    const events$ = m.hot(   '-a--b--------|', { a: at(1), b: at(4) });
    const ticks$ = m.hot(    '--t---t---t-- ');
    const rows =             '--p---q---r--|'; // a left at 9; the end brings nothing, its clock still shows 10

    m.expect(events$.pipe(countHits({ trigger: manual(marbleClock(ticks$, asyncScheduler)) }))).toBeObservable(rows, {
      p: row(2, 1),
      q: row(6, 2),
      r: row(10, 1),
    });
    m.expect(events$).toHaveSubscriptions('^------------!');
    m.expect(ticks$).toHaveSubscriptions('^------------!');
  }));

  it('goes on without ticks when the clock completes, and gives the rest at the end', marbles((m) => {
    const events$ = m.hot(   '-a--b-|', { a: at(1), b: at(2) });
    const ticks$ = m.hot(    '--t|   ');
    const rows =             '--p---(q|)';

    m.expect(events$.pipe(countHits({ trigger: manual(marbleClock(ticks$, asyncScheduler)) }))).toBeObservable(rows, { p: row(2, 1), q: row(2, 2) });
    m.expect(ticks$).toHaveSubscriptions('^--!');
  }));

  it('ends with the error of the clock', marbles((m) => {
    const events$ = m.hot(   '-a------', { a: at(1) });
    const ticks$ = m.hot(    '----#   ');

    m.expect(events$.pipe(countHits({ trigger: manual(marbleClock(ticks$, asyncScheduler)) }))).toBeObservable('----#');
    m.expect(events$).toHaveSubscriptions('^---!');
  }));

  it('completes without an evaluation where there was no reading', marbles((m) => {
    const events$ = m.hot('-a-|', { a: at(1) });
    const reports: unknown[] = [];
    m.expect(events$.pipe(countHits({ trigger: manual(m.hot('-----')), progress: { next: (report) => reports.push(report) } }))).toBeObservable('---|');
    m.flush();
    expect(reports).toEqual([]);
  }));

  it('lets events arrive at the last value: none is ahead of the clock before the first', () => {
    const clock$ = new Subject<number>();
    const events$ = new Subject<Hit>();
    const dropped: Dropped<Hit>[] = [];
    const rows: unknown[] = [];
    const options = { trigger: manual(clock$), maxFutureSkew: 5, onFuture: 'drop', dropped: { next: (drop: Dropped<Hit>) => dropped.push(drop) } } as const;
    events$.pipe(countHits(options)).subscribe((given) => rows.push(given));
    events$.next(at(100));
    clock$.next(50);
    events$.next(at(55));
    events$.next(at(56));
    clock$.next(100);

    expect(dropped.map(({ event, reason }) => [event.t, reason])).toEqual([[56, 'future']]);
    expect(rows).toEqual([row(100, 1)]);
  });

  it('has its own idea of the future over an engine that an event-time clock drove before', () => {
    const engine = createEngine<Hit>()({ ...lastHits, onFuture: 'drop' });
    of(at(1)).pipe(rollingWindow(engine, { clock: eventTime() })).subscribe();
    of(at(1e9)).pipe(rollingWindow(engine, { trigger: manual(of(5)) })).subscribe();

    expect(engine.stats.future).toBe(1);
  });

  it('is subscribed before the source', () => {
    const rows: unknown[] = [];
    of(at(1)).pipe(countHits({ trigger: manual(of(5, 6)) })).subscribe((given) => rows.push(given));

    expect(rows).toEqual([row(6, 1)]); // the last evaluation, at the last value
  });

  it('needs no timer', () => {
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    events$.pipe(countHits({ scheduler, trigger: manual(of(5)) })).subscribe();
    events$.next(at(5));
    events$.next(at(50));

    expect(scheduler.timers).toBe(0);
  });

  it('refuses a value that is no instant, and a clock that is no observable', () => {
    let caught: unknown;
    let subscribed = false;
    const source$ = defer(() => {
      subscribed = true;
      return of(at(0));
    });
    source$.pipe(countHits({ trigger: manual(of(NaN)) })).subscribe({ error: (error: unknown) => (caught = error) });

    expect(caught).toMatchObject({ code: 'invalid-clock' });
    expect(subscribed).toBe(false);
    expect(() => manual(undefined as never)).toThrow(RollingWindowError);
  });
});
