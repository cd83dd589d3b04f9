import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { detailedProgress, type QueryEvent } from '../../../operators/progress/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import type { StoredCheckpoint } from '../../../src/index.ts';
import { FakeStore, settled } from '../../support/fakeStore.ts';
import { at, countHits, type Hit, type HitOptions } from '../support.ts';

const kindOf = (event: QueryEvent): string => (event.kind === 'terminated' ? `terminated ${event.reason}` : event.kind);
const timeOf = (event: QueryEvent): number => (event.kind === 'progress' ? event.progress.timestamp : event.timestamp);

/** A pipe with detailed progress and a checkpoint, and all that it says, in order. */
function followed(store: FakeStore, options: HitOptions = {}) {
  const scheduler = manualScheduler();
  const log: string[] = [];
  const events$ = new Subject<Hit>();
  const progress = detailedProgress({ next: (event: QueryEvent) => log.push(`${kindOf(event)} ${timeOf(event)}`) }, { idleAfter: 100 });
  const subscription = events$
    .pipe(countHits({ scheduler, progress, checkpoint: { store, every: 10, saved: () => log.push('saved') }, ...options }))
    .subscribe({ next: ({ __frontier, n }) => log.push(`${n} at ${__frontier}`), error: () => log.push('error'), complete: () => log.push('complete') });
  const send = (t: number): void => {
    scheduler.moveTo(t);
    events$.next(at(t));
  };
  return { scheduler, log, events$, subscription, send };
}

describe('the end of a pipe with a checkpoint', () => {
  it('is told when the last save has settled, after complete', async () => {
    let settle: (() => void) | undefined;
    const store = new FakeStore();
    store.onSave = (save) => (settle = () => save.resolve(save.apply()));
    const { log, send, events$, scheduler } = followed(store);
    send(5);
    events$.complete();
    scheduler.moveTo(1000); // nothing is idle that only waits
    await settled();
    expect(log).toEqual(['started 0', '1 at 5', 'progress 5']);

    settle!();
    await settled();
    expect(log.slice(3)).toEqual(['saved', 'complete', 'terminated completed 1000']);
    expect(scheduler.timers).toBe(0);
  });

  it('is a failure where the last save fails for good, and that is told first', async () => {
    const store = new FakeStore();
    store.onSave = (save) => save.reject(Object.assign(new Error('closed'), { code: 'checkpoint-closed' }));
    const { log, send, events$, scheduler } = followed(store);
    send(5);
    events$.complete();
    await settled();

    expect(log.slice(3)).toEqual(['saveFailed 5', 'error', 'terminated failed 5']);
    expect(scheduler.timers).toBe(0);
  });

  it('is an unsubscription where nobody waits for the last save', async () => {
    const store = new FakeStore();
    store.onSave = () => undefined;
    const { log, send, events$, scheduler, subscription } = followed(store);
    send(5);
    events$.complete();
    await settled();
    subscription.unsubscribe();

    expect(log.slice(3)).toEqual(['terminated unsubscribed 5']);
    expect(scheduler.timers).toBe(0);
  });

  it('is told of a load that fails, by promise, where it had started', async () => {
    const store = new FakeStore();
    store.onLoad = () => Promise.reject(new Error('gone'));
    const { log, send, scheduler } = followed(store);
    send(5);
    await settled();

    expect(log).toEqual(['started 0', 'error', 'terminated failed 5']);
    expect(scheduler.timers).toBe(0);
  });
});

it('silence is told at the same times whether the store answers at once or later', async () => {
  const told = async (answer: ((load: (stored: StoredCheckpoint | undefined) => void) => void) | undefined): Promise<readonly string[]> => {
    let load: (stored: StoredCheckpoint | undefined) => void = () => undefined;
    const store = new FakeStore();
    store.onSave = () => undefined;
    if (answer) store.onLoad = () => new Promise((resolve) => (load = resolve));
    const { log, send, subscription, scheduler } = followed(store);
    for (const t of [0, 50, 400]) send(t);
    scheduler.moveTo(450);
    answer?.(load);
    await settled();
    scheduler.moveTo(1000);
    subscription.unsubscribe();
    expect(scheduler.timers).toBe(0);
    return log;
  };

  expect(await told((load) => load(undefined))).toEqual(await told(undefined));
  expect(await told(undefined)).toContain('idle 150');
});
