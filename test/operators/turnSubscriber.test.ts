import { of, range as numbers, Subject, tap, type Observer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { Turns } from '../../operators/turns.ts';
import { TurnSubscriber } from '../../operators/turnSubscriber.ts';

const noting = (more: (what: unknown) => void = () => undefined) => {
  const log: unknown[] = [];
  const note = (what: unknown): void => {
    log.push(what);
    more(what);
  };
  const turns = new Turns({ closed: false, settled: () => undefined, fail: note });
  const subscriber = new TurnSubscriber<number>(turns, {
    next: note,
    error: (error) => note(['error', error, subscriber.closed]),
    complete: () => note(['complete', subscriber.closed]),
  });
  return { log, turns, subscriber };
};

describe('a subscriber by turns', () => {
  it('is subscribed as it is, without another around it', () => {
    const { subscriber } = noting();
    expect(new Subject<number>().subscribe(subscriber)).toBe(subscriber);
  });

  it('waits with a value for the end of the turn under way', () => {
    const { log, turns, subscriber } = noting();
    turns.take(() => {
      subscriber.next(1);
      log.push('turn');
    }, undefined);
    expect(log).toEqual(['turn', 1]);
  });

  it('tells the end, and lets go of the source after that', () => {
    const { log, subscriber } = noting();
    const left = { finalize: () => log.push('left') };
    of(1, 2).pipe(tap(left)).subscribe(subscriber);
    expect(log).toEqual([1, 2, ['complete', false], 'left']);

    const failing = noting();
    const error = new Error('gone');
    const source$ = new Subject<number>();
    source$.subscribe(failing.subscriber);
    source$.error(error);
    expect(failing.log).toEqual([['error', error, false]]);
    expect([subscriber.closed, failing.subscriber.closed]).toEqual([true, true]);
  });

  it.each<[string, (observer: Observer<number>) => void]>([
    ['completed', (observer) => observer.complete()],
    ['failed', (observer) => observer.error('gone')],
  ])('hears nothing once the source has %s, be it while that is told', (_, end) => {
    const goOn = (observer: Observer<number>): void => {
      observer.next(2);
      observer.error('again');
      observer.complete();
    };
    const { log, subscriber } = noting((what) => Array.isArray(what) && goOn(subscriber));
    end(subscriber);
    goOn(subscriber);
    expect(log).toHaveLength(1);
  });

  it('hears nothing once it is closed, and ends a source that does not wait', () => {
    const offered: number[] = [];
    const endless$ = numbers(1, Infinity).pipe(tap((n) => offered.push(n)));
    const { log, subscriber } = noting((what) => what === 2 && subscriber.unsubscribe());
    endless$.subscribe(subscriber);
    subscriber.next(3);
    subscriber.error('gone');
    subscriber.complete();
    expect([offered, log]).toEqual([[1, 2], [1, 2]]);
  });
});
