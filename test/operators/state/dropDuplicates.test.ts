import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { eventTime, microBatch, type Dropped } from '../../../operators/index.ts';
import { createDeduplicator, dropDuplicates, type DeduplicatorStats, type DuplicateReason, type StateProgress } from '../../../operators/state/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { marbles } from '../../support/marbles.ts';
import { at, type Hit } from '../support.ts';

describe('dropDuplicates', () => {
  it('passes the first event of each key, at once', marbles((m) => {
    const events$ = m.hot(  '-a-b-c-d-|', { a: at(1, 'a'), b: at(3, 'b'), c: at(5, 'a'), d: at(7, 'c') });
    const passed =          '-a-b---d-|';

    m.expect(events$.pipe(dropDuplicates({ by: 'k' }))).toBeObservable(passed, { a: at(1, 'a'), b: at(3, 'b'), d: at(7, 'c') });
    m.expect(events$).toHaveSubscriptions('^--------!');
  }));

  it('passes a key again when the length is over', marbles((m) => {
    //                t(ms): 0123456789012
    const events$ = m.hot(  '-a--b-c-----|', { a: at(1), b: at(4), c: at(6) });
    const passed =          '-a----c-----|'; // within 5 ms: until 6

    m.expect(events$.pipe(dropDuplicates({ by: 'k', orderBy: 't', within: 5 }))).toBeObservable(passed, { a: at(1), c: at(6) });
  }));

  it('gathers by a trigger, in order of arrival', marbles((m) => {
    //                t(ms): 0123456789012
    const events$ = m.hot(  '-ab-a-------|', { a: at(1), b: at(2, 'b') });
    const passed =          '-----(ab)---|';

    m.expect(events$.pipe(dropDuplicates({ by: 'k', trigger: microBatch(5) }))).toBeObservable(passed, { a: at(1), b: at(2, 'b') });
  }));

  it('tells what does not pass, and what evaluations came to', () => {
    const events$ = new Subject<Hit>();
    const drops: Dropped<Hit, DuplicateReason>[] = [], reports: StateProgress<DeduplicatorStats>[] = [];
    events$
      .pipe(dropDuplicates({ by: 'k', orderBy: 't', within: 5, clock: eventTime(), dropped: { next: (drop) => drops.push(drop) }, progress: { next: (report) => reports.push(report) } }))
      .subscribe();
    for (const event of [at(10), at(12), at(30, 'b'), at(40, 'c'), at(25)]) events$.next(event);

    expect(drops.map(({ reason, event: { t } }) => [reason, t])).toEqual([['duplicate', 12], ['late', 25]]);
    expect(reports.map(({ numInputRows, numOutputRows, numRemoved }) => [numInputRows, numOutputRows, numRemoved])).toEqual([[1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 0]]);
    expect(reports.at(-1)?.stats).toMatchObject({ keys: 2, passed: 3, duplicates: 1, late: 1 });
  });

  it('over a core of the caller’s, goes on where it was saved', () => {
    const config = { by: 'k' } as const, scheduler = manualScheduler();
    const first = createDeduplicator<Hit>()(config), second = createDeduplicator<Hit>()(config);
    const events$ = new Subject<Hit>(), passed: Hit[] = [], errors: unknown[] = [];
    events$.pipe(dropDuplicates(first, { scheduler })).subscribe((hit) => passed.push(hit));
    events$.pipe(dropDuplicates(first, { scheduler })).subscribe({ error: (error: unknown) => errors.push(error) });
    events$.next(at(1));
    second.restore(first.snapshot());
    const again$ = new Subject<Hit>();
    again$.pipe(dropDuplicates(second, { scheduler })).subscribe((hit) => passed.push(hit));
    again$.next(at(2));
    again$.next(at(3, 'b'));

    expect(passed).toEqual([at(1), at(3, 'b')]);
    expect(errors).toMatchObject([{ code: 'engine-in-use' }]);
    expect(scheduler.timers).toBe(0);
  });

  it('says at once what is wrong', () => {
    expect(() => dropDuplicates<Hit>({ by: 'k', within: 5 })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
    expect(() => dropDuplicates<Hit>({ by: 'k', scheduler: 5 as never })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
    expect(() => dropDuplicates<Hit>({ by: 'k', clock: eventTime() })).toThrow(expect.objectContaining({ code: 'invalid-config', expected: 'a column for eventTime() to read' }));
    expect(() => dropDuplicates<Hit>({ by: 'k', clock: eventTime({ column: 't' }) })).not.toThrow();
    expect(() => dropDuplicates(undefined as never)).toThrow(expect.objectContaining({ code: 'invalid-config' }));
  });
});
