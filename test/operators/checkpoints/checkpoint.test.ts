import { EMPTY, NEVER, Observable, Subject, of, take, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it, test } from 'vitest';
import { count, createEngine, eventTime, manual, microBatch, preceding, range, realTime, rollingBatches, rollingWindow, rollingWindowFrom, type CheckpointOptions, type Progress, type SavedCheckpoint } from '../../../operators/index.ts';
import { detailedProgress } from '../../../operators/progress/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { Conflict, FakeStore, settled, type PendingSave } from '../../support/fakeStore.ts';
import { at, countHits, lastHits, row, type Hit, type HitOptions } from '../support.ts';

const gone = new Error('gone');

/** A pipe with a checkpoint, what it gave, and the means to move it. */
function world(store: FakeStore, options: HitOptions & Partial<CheckpointOptions> & { readonly start?: number } = {}) {
  const { every = 10, saved, start = 0, ...others } = options;
  const scheduler = manualScheduler(start);
  const events$ = new Subject<Hit>();
  const seen: unknown[] = [];
  const subscription = events$.pipe(countHits({ scheduler, ...others, checkpoint: { store, every, saved } })).subscribe({
    next: (given) => seen.push(given),
    error: (error: unknown) => seen.push(error),
    complete: () => seen.push('complete'),
  });
  const wait = async (ms: number): Promise<void> => {
    scheduler.advanceBy(ms);
    await settled();
    scheduler.advanceBy(0);
    await settled();
  };
  return { scheduler, events$, seen, subscription, wait };
}

/** A store that holds the state after these hits, as it was at 1. */
async function storeAfter(...hits: readonly Hit[]): Promise<FakeStore> {
  const store = new FakeStore();
  const { events$, wait, subscription } = world(store, { every: 1 });
  for (const hit of hits) events$.next(hit);
  await wait(1);
  subscription.unsubscribe();
  return store;
}

const restored = (store: FakeStore) => {
  const engine = createEngine<Hit>()(lastHits);
  engine.restore(store.parts);
  return engine;
};

describe('the load', () => {
  it('comes before the first event, which goes on from what was saved', async () => {
    const { events$, seen } = world(await storeAfter(at(0), at(0)), { start: 1 });
    events$.next(at(0));

    expect(seen).toEqual([row(1, 3)]);
  });

  it('happens once for each subscription, and the store stays open', async () => {
    const store = await storeAfter(at(0));
    const rows$ = of(at(0)).pipe(countHits({ scheduler: manualScheduler(), checkpoint: { store } }));
    store.loads = 0;
    rows$.subscribe().unsubscribe();
    rows$.subscribe().unsubscribe();

    expect(store.loads).toBe(2);
  });

  it.each([
    ['damaged', (bytes: Uint8Array) => bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte)), 'snapshot-damaged'],
    ['foreign', () => new Uint8Array(50), 'snapshot-foreign'],
  ])('of a %s snapshot is an error before the source is subscribed, and nothing is counted', async (_, spoil, code) => {
    const store = await storeAfter(at(0));
    store.parts = store.parts.map(spoil);
    let subscribed = 0;
    const source$ = new Observable<Hit>(() => void (subscribed += 1));
    const engine = createEngine<Hit>()(lastHits);
    const errors: unknown[] = [];
    source$.pipe(rollingWindow(engine, { scheduler: manualScheduler(), checkpoint: { store } })).subscribe({ error: (error: unknown) => errors.push(error) });

    expect(errors).toEqual([expect.objectContaining({ name: 'SnapshotError', code })]);
    expect(subscribed).toBe(0);
    expect(engine.position.events).toBe(0);
  });

  it('by a promise, of a damaged snapshot, is an error before an event that came meanwhile counts', async () => {
    const store = await storeAfter(at(0));
    store.parts = [new Uint8Array(50)];
    store.onLoad = () => Promise.resolve(store.stored);
    const engine = createEngine<Hit>()(lastHits);
    const errors: unknown[] = [];
    const events$ = new Subject<Hit>();
    events$.pipe(rollingWindow(engine, { scheduler: manualScheduler(), checkpoint: { store } })).subscribe({ error: (error: unknown) => errors.push(error) });
    events$.next(at(0));
    await settled();

    expect(errors).toEqual([expect.objectContaining({ code: 'snapshot-foreign' })]);
    expect(engine.position.events).toBe(0);
    expect(events$.observed).toBe(false);
  });

  it.each([
    ['throws', () => { throw new Error('no store'); }],
    ['rejects', () => Promise.reject(new Error('no store'))],
  ])('that %s is the error of the stream', async (_, onLoad) => {
    const store = new FakeStore();
    store.onLoad = onLoad;
    const { seen } = world(store);
    await settled();

    expect(seen).toEqual([new Error('no store')]);
  });

  it('follows a plan that has changed where the options allow it', async () => {
    const store = await storeAfter(at(0));
    const [n, m] = [lastHits.measures[0], count().over(preceding(range(100))).as('m')];
    const lastOf = (measures: readonly (typeof n | typeof m)[], options: Partial<CheckpointOptions>): unknown => {
      const engine = createEngine<Hit>()({ ...lastHits, measures });
      let last: unknown;
      of(at(1))
        .pipe(rollingWindow(engine, { scheduler: manualScheduler(1), checkpoint: { store, ...options } }))
        .subscribe({ next: (given) => (last = given), error: (error: unknown) => (last = error) });
      return last;
    };
    const refused = expect.objectContaining({ name: 'SnapshotError' }) as unknown;

    expect([lastOf([n, m], {}), lastOf([], {}), lastOf([], { allowWarmUp: true }), lastOf([n, m], { dropRemoved: true })]).toEqual([refused, refused, refused, refused]);
    expect(lastOf([n, m], { allowWarmUp: true })).toMatchObject({ n: 2, warmUntil: expect.any(Number) as unknown });
    expect(lastOf([], { dropRemoved: true })).not.toBeInstanceOf(Error);
  });

  it('restores an engine of the caller over whatever that held', async () => {
    const store = await storeAfter(at(0), at(0));
    const engine = createEngine<Hit>()(lastHits);
    engine.push(at(0, 'mine'), 0);
    NEVER.pipe(rollingWindow(engine, { scheduler: manualScheduler(), checkpoint: { store } })).subscribe().unsubscribe();

    expect(engine.position.events).toBe(2);
    expect(engine.stats.keys).toBe(1);
  });
});

describe('a load that fails', () => {
  it.each<[string, (store: FakeStore) => void]>([
    ['at once', (store) => (store.onLoad = () => { throw gone; })],
    ['later', (store) => (store.onLoad = () => Promise.reject(gone))],
  ])('%s, leaves the engine of the caller to whoever subscribes anew in its error', async (_, break_) => {
    const store = new FakeStore();
    break_(store);
    const engine = createEngine<Hit>()(lastHits);
    const options = { scheduler: manualScheduler(), checkpoint: { store } };
    for (const rows$ of [NEVER.pipe(rollingWindow(engine, options)), rollingWindowFrom(() => NEVER, engine, options)]) {
      const errors: unknown[] = [];
      const begin = (): void => {
        rows$.subscribe({ error: (error: unknown) => errors.push(error) < 2 && begin() });
      };
      begin();
      await settled();

      expect(errors).toEqual([gone, gone]);
    }
  });

  it('gives its reason, also where there is none', async () => {
    const store = new FakeStore();
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- stores are not ours
    store.onLoad = () => Promise.reject(undefined);
    const { seen, scheduler } = world(store);
    await settled();

    expect(seen).toEqual([undefined]);
    expect(scheduler.timers).toBe(0);
  });
});

describe('while the store loads', () => {
  const slowly = async (...saved: readonly Hit[]) => {
    const store = saved.length > 0 ? await storeAfter(...saved) : new FakeStore();
    let answer!: () => void;
    store.onLoad = () => new Promise((resolve) => (answer = () => resolve(store.stored)));
    return { store, answer: async () => { answer(); await settled(); } };
  };

  it('a hot source loses nothing: events count with the readings at which they came', async () => {
    const { store, answer } = await slowly(at(0));
    const { events$, seen, scheduler } = world(store, { start: 1 });
    scheduler.advanceBy(2);
    events$.next(at(3));
    scheduler.advanceBy(2);
    events$.next(at(5));
    scheduler.advanceBy(20);
    expect(seen).toEqual([]);
    await answer();

    // With the evaluations that there would have been: at 8, 11 and 13 the three of them leave.
    expect(seen).toEqual([row(3, 2), row(5, 3), row(8, 2), row(11, 1), row(13, 0)]);
  });

  it('what is no promise but can be waited for will do', async () => {
    const store = new FakeStore();
    store.onLoad = () => ({ then: (done: (stored: undefined) => void) => done(undefined) }) as never;
    const { events$, seen } = world(store);
    events$.next(at(0));
    await settled();

    expect(seen).toEqual([row(0, 1)]);
  });

  it('goes on in the present once it has caught up', async () => {
    const { store, answer } = await slowly();
    const { events$, seen, scheduler } = world(store);
    scheduler.advanceBy(3);
    events$.next(at(3));
    await answer();
    expect(seen).toEqual([row(3, 1)]);
    scheduler.advanceBy(7);
    expect(seen).toEqual([row(3, 1)]);
    scheduler.advanceBy(1);
    expect(seen).toEqual([row(3, 1), row(11, 0)]);
  });

  it('ticks of manual keep their places between the events', async () => {
    const { store, answer } = await slowly();
    const clock$ = new Subject<number>();
    const { events$, seen } = world(store, { trigger: manual(clock$) });
    clock$.next(1);
    events$.next(at(1));
    clock$.next(2);
    events$.next(at(3));
    clock$.next(3);
    await answer();

    expect(seen).toEqual([row(2, 1), row(3, 2)]);
  });

  it('a completion waits, an error does not', async () => {
    const completing = await slowly(), failing = await slowly();
    const first = world(completing.store), second = world(failing.store);
    first.events$.next(at(0));
    first.events$.complete();
    second.events$.next(at(0));
    second.events$.error(gone);
    expect(first.seen).toEqual([]);
    expect(second.seen).toEqual([gone]);
    await completing.answer();
    await failing.answer();

    expect(first.seen).toEqual([row(0, 1), 'complete']);
    expect(second.seen).toEqual([gone]);
  });

  it('what comes out of next in between comes after what is under way, and before what came later', async () => {
    const { store, answer } = await slowly();
    const { events$, seen, scheduler } = world(store);
    const events: Hit[] = [];
    const again = new Subject<Hit>();
    again.pipe(countHits({ scheduler, checkpoint: { store: Object.assign(new FakeStore(), { onLoad: store.onLoad }) } })).subscribe({
      next: (given) => {
        events.push(given as never);
        if (events.length === 1) again.next(at(0, 'fed back'));
      },
    });
    events$.next(at(0));
    again.next(at(0, 'a'));
    again.next(at(0, 'b'));
    await answer();

    expect(events).toEqual([row(0, 1, 'a'), row(0, 1, 'fed back'), row(0, 1, 'b')]);
    expect(seen).toEqual([]); // its own load is still under way
  });

  it('no more waits than the limits allow', async () => {
    const limits = { maxEvents: 3, onLimit: 'drop-new' } as const;
    const progress = detailedProgress({ next: () => undefined }, { idleAfter: 1 }); // has a turn of its own
    const slow = [await slowly(), await slowly()] as const;
    const [enough, oneMore] = slow.map(({ store }) => world(store, { limits, progress }));
    for (const { scheduler } of [enough!, oneMore!]) scheduler.advanceBy(1);
    for (let i = 0; i < 3; i++) enough!.events$.next(at(0));
    for (let i = 0; i < 4; i++) oneMore!.events$.next(at(0));
    for (const { answer } of slow) await answer();

    expect(enough!.seen).not.toContainEqual(expect.any(Error));
    expect(oneMore!.seen).toEqual([expect.objectContaining({ code: 'limit-exceeded' })]);
    expect(oneMore!.events$.observed).toBe(false);
  });

  it('an unsubscription leaves nothing behind, not even in the engine of the caller', async () => {
    const { store, answer } = await slowly(at(0));
    const engine = createEngine<Hit>()(lastHits);
    const events$ = new Subject<Hit>();
    const scheduler = manualScheduler();
    events$.pipe(rollingWindow(engine, { scheduler, checkpoint: { store } })).subscribe().unsubscribe();
    await answer();

    expect(engine.position.events).toBe(0);
    expect(events$.observed).toBe(false);
    expect(scheduler.timers).toBe(0);
  });
});

describe('a save', () => {
  it('comes `every` after the first change, and not without one', async () => {
    const store = new FakeStore();
    const { events$, wait, scheduler } = world(store);
    await wait(100);
    expect(store.saves).toEqual([]);
    expect(scheduler.timers).toBe(0);
    events$.next(at(100));
    await wait(9);
    expect(store.saves).toEqual([]);
    await wait(1);
    expect(store.saves).toHaveLength(1);
    expect(restored(store).position.events).toBe(1);
    await wait(1000); // the row at 108 was before the save: nothing has changed since
    expect(store.saves).toHaveLength(1);
    expect(scheduler.timers).toBe(0);
  });

  it.each([
    ['the batch of the trigger', realTime({ batch: 70 }), undefined, 70],
    ['its own `every`, whatever the trigger says', realTime({ batch: 70 }), 10, 10],
    ['30 seconds', realTime(), undefined, 30_000],
  ])('comes in the rhythm of %s', async (_, trigger, every, rhythm) => {
    const store = new FakeStore();
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    events$.pipe(countHits({ scheduler, trigger, checkpoint: { store, every } })).subscribe();
    events$.next(at(0));
    scheduler.advanceBy(rhythm - 1);
    await settled();
    expect(store.saves).toEqual([]);
    scheduler.advanceBy(1);
    await settled();
    expect(store.saves).toHaveLength(1);
  });

  it('comes after an evaluation by itself, too', async () => {
    const store = new FakeStore();
    const { events$, wait } = world(store, { every: 5 });
    events$.next(at(0));
    await wait(5);
    expect(store.saves).toHaveLength(1);
    await wait(3); // the hit leaves
    await wait(5);
    expect(store.saves).toHaveLength(2);
    expect(restored(store).frontier).toBe(8);
  });

  it('holds what the state was between two events: never inside a burst of rows', async () => {
    const store = new FakeStore();
    const engine = createEngine<Hit>()(lastHits);
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const clock$ = new Subject<number>();
    let inside = 0;
    const burst: boolean[] = [];
    store.onSave = (save) => {
      burst.push(inside > 0);
      save.resolve(save.apply());
    };
    events$.pipe(rollingWindow(engine, { scheduler, checkpoint: { store, every: 10 }, trigger: manual(clock$) })).subscribe(() => {
      inside += 1;
      scheduler.advanceBy(20); // the timer rings while rows leave
      inside -= 1;
    });
    for (const now of [5, 6, 7]) {
      events$.next(at(now, 'a'));
      events$.next(at(now, 'b'));
      clock$.next(now);
      scheduler.advanceBy(0);
      await settled();
    }

    expect(burst).toEqual([false, false, false]); // a base and what follows it
    expect(restored(store).frontier).toBe(7);
  });

  it('tells of itself when it is durable, with the position up to which the source may be acknowledged', async () => {
    const store = new FakeStore();
    const saves: PendingSave[] = [];
    const saved: SavedCheckpoint[] = [];
    store.onSave = (save) => saves.push(save);
    const { events$, wait } = world(store, { saved: { next: (checkpoint) => saved.push(checkpoint) } });
    events$.next(at(0));
    events$.next(at(0));
    await wait(10);
    events$.next(at(10));
    expect(saved).toEqual([]);
    saves[0]?.resolve(saves[0].apply());
    await settled();

    expect(saved).toEqual([expect.objectContaining({ id: expect.any(String) as string, position: expect.objectContaining({ events: 2 }) as object })]);
  });

  it('is the only one on its way: what is due meanwhile is taken after it, once, as it is then', async () => {
    const store = new FakeStore();
    const saves: PendingSave[] = [];
    store.onSave = (save) => saves.push(save);
    const { events$, wait } = world(store);
    events$.next(at(0));
    await wait(10);
    for (let i = 1; i <= 5; i++) {
      events$.next(at(10 * i));
      await wait(10);
    }
    expect(saves).toHaveLength(1);
    saves[0]?.resolve(saves[0].apply());
    await wait(0);
    expect(saves).toHaveLength(2);
    saves[1]?.resolve(saves[1].apply());
    await wait(0);

    expect(saves).toHaveLength(2);
    expect(restored(store).position.events).toBe(6);
  });

  it('sees whole states where rows are fed back while it is under way', async () => {
    const store = new FakeStore();
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const positions: number[] = [];
    const saved = { next: ({ position }: SavedCheckpoint) => positions.push(position.events) };
    events$.pipe(countHits({ scheduler, checkpoint: { store, every: 1, saved } })).subscribe(({ n, __frontier }) => {
      if (n > 0 && n < 4) events$.next(at(__frontier));
    });
    for (let i = 0; i < 5; i++) {
      events$.next(at(scheduler.now(), String(i)));
      scheduler.advanceBy(1);
      scheduler.advanceBy(0);
      await settled();
      scheduler.advanceBy(9);
      scheduler.advanceBy(0);
      await settled();
    }

    // Each event brings four: all five or none are in a state.
    expect(new Set(positions.map((events) => events % 5))).toEqual(new Set([0]));
    expect(positions.at(-1)).toBe(25);
  });
});

describe('a save that fails', () => {
  const failing = (times: number, error: unknown = new Error('no disk')) => {
    const store = new FakeStore();
    store.onSave = (save) => (times-- > 0 ? save.reject(error) : save.resolve(save.apply()));
    return store;
  };

  it('is tried again after a quarter of a second, then after twice as long each time', async () => {
    const store = failing(3);
    const { events$, wait } = world(store);
    events$.next(at(0));
    await wait(10);
    const counts: number[] = [];
    for (const ms of [249, 1, 499, 1, 999, 1]) {
      await wait(ms);
      counts.push(store.saves.length);
    }

    expect(counts).toEqual([1, 2, 2, 3, 3, 4]);
    expect(restored(store).position.events).toBe(1);
  });

  it('tells progress at once, in a report of its own that adds up with the others', async () => {
    const reports: Progress[] = [];
    const { events$, wait } = world(failing(1), { progress: { next: (report) => reports.push(report) }, trigger: microBatch(100) });
    events$.next(at(0));
    await wait(10);
    await wait(250);

    const [failure, ...others] = reports;
    expect(failure).toMatchObject({ numInputRows: 1, checkpointError: { error: new Error('no disk'), attempt: 1, retryIn: 250 } });
    expect(others.reduce((sum, { numInputRows }) => sum + numInputRows, 0)).toBe(0);
    expect(others.some((report) => 'checkpointError' in report)).toBe(false);
  });

  it('ends the stream after eight attempts in a row, with the error of the store', async () => {
    const reports: Progress[] = [];
    const store = failing(Infinity);
    const { events$, wait, seen, scheduler } = world(store, { progress: { next: (report) => reports.push(report) } });
    events$.next(at(0));
    for (let i = 0; i < 20; i++) await wait(10_000);

    expect(seen.at(-1)).toEqual(new Error('no disk'));
    expect(store.saves).toHaveLength(8);
    expect(reports.at(-1)?.checkpointError).toEqual({ error: new Error('no disk'), attempt: 8, retryIn: undefined });
    expect(events$.observed).toBe(false);
    expect(scheduler.timers).toBe(0);
  });

  it('is not tried again where whoever is told of it unsubscribes', async () => {
    const progress = {
      next({ checkpointError }: Progress) {
        if (checkpointError) running.subscription.unsubscribe();
      },
    };
    const running = world(failing(Infinity), { progress });
    running.events$.next(at(0));
    await running.wait(10);

    expect(running.subscription.closed).toBe(true);
    expect(running.scheduler.timers).toBe(0);
  });

  it('starts to count anew after one that was saved', async () => {
    let calls = 0;
    const store = new FakeStore();
    store.onSave = (save) => (++calls % 8 === 0 ? save.resolve(save.apply()) : save.reject(new Error('busy')));
    const { events$, wait, seen } = world(store);
    for (let i = 0; i < 3; i++) {
      events$.next(at(0));
      for (let j = 0; j < 10; j++) await wait(10_000);
    }

    expect(calls).toBe(24);
    expect(seen.filter((given) => given instanceof Error)).toEqual([]);
  });

  it('and had been done nevertheless, is recognised', async () => {
    const store = new FakeStore();
    store.onSave = (save) => {
      if (store.saves.length === 1) {
        save.apply();
        save.reject(new Error('the answer was lost'));
      } else save.resolve(save.apply());
    };
    const saved: unknown[] = [];
    const { events$, wait, seen } = world(store, { saved: { next: (checkpoint) => saved.push(checkpoint) } });
    events$.next(at(0));
    await wait(10);
    await wait(250);
    expect(saved).toHaveLength(1);
    events$.next(at(300));
    await wait(10);

    expect(saved).toHaveLength(2);
    expect(seen.filter((given) => given instanceof Error)).toEqual([]);
  });

  it('by a throw is no other', async () => {
    const store = new FakeStore();
    let calls = 0;
    const { events$, wait } = world(
      Object.assign(store, {
        save(part: Uint8Array, options: never) {
          if (calls++ === 0) throw new Error('thrown');
          return Promise.resolve(store.apply(part.slice(), options));
        },
      }),
    );
    events$.next(at(0));
    await wait(10);
    await wait(250);

    expect(store.revision).toBe(1);
  });

  it.each(['checkpoint-closed', 'checkpoint-conflict', 'checkpoint-damaged'])('with %s ends the stream at once', async (code) => {
    const store = failing(1, Object.assign(new Error('final'), { code }));
    const { events$, wait, seen, scheduler } = world(store);
    events$.next(at(0));
    await wait(10);

    expect(seen.at(-1)).toMatchObject({ code });
    expect(scheduler.timers).toBe(0);
  });

  it('because somebody else has saved ends the stream, and leaves the store as it is', async () => {
    const store = await storeAfter(at(0));
    const one = world(store), other = world(store);
    other.events$.next(at(0, 'other'));
    await other.wait(10);
    const { parts } = store;
    one.events$.next(at(0, 'one'));
    await one.wait(10);

    expect(one.seen.at(-1)).toBeInstanceOf(Conflict);
    expect(store.parts).toEqual(parts);
  });

  it('because somebody else has saved after an attempt that was lost does so, too', async () => {
    const store = new FakeStore();
    store.onSave = (save) => (store.saves.length === 1 ? save.reject(new Error('lost')) : save.resolve(save.apply()));
    const one = world(store, { every: 5 });
    one.events$.next(at(0, 'one'));
    await one.wait(5);
    const other = world(store, { every: 5 });
    other.events$.next(at(0, 'other'));
    await other.wait(5);
    await one.wait(250);

    expect(one.seen.at(-1)).toBeInstanceOf(Conflict);
  });

  it('of what can be no state is the error of the stream', async () => {
    const store = new FakeStore();
    const engine = createEngine<Hit>()(lastHits);
    const scheduler = manualScheduler();
    const events$ = new Subject<Hit>();
    const errors: unknown[] = [];
    const saved = { next: () => { throw new Error('the observer'); } };
    events$.pipe(rollingWindow(engine, { scheduler, checkpoint: { store, every: 10, saved } })).subscribe({ error: (error: unknown) => errors.push(error) });
    events$.next(at(0));
    scheduler.advanceBy(10);
    scheduler.advanceBy(0);
    await settled();

    expect(errors).toEqual([new Error('the observer')]);
  });
});

describe('the end', () => {
  it('saves the state before the last evaluation, gives the rows, and completes when the save has settled', async () => {
    const store = new FakeStore();
    const saves: PendingSave[] = [];
    store.onSave = (save) => saves.push(save);
    const { events$, seen, scheduler, wait } = world(store, { frontierSpec: { delay: 3 } });
    scheduler.advanceBy(5);
    events$.next(at(2));
    scheduler.advanceBy(1);
    events$.next(at(3));
    scheduler.advanceBy(2);
    events$.next(at(6));
    scheduler.advanceBy(0.5);
    events$.complete();
    expect(seen).toEqual([row(2, 1), row(3, 2)]);
    expect(saves).toHaveLength(1);
    await wait(20);
    expect(seen).not.toContain('complete');
    saves[0]?.resolve(saves[0].apply());
    await settled();

    expect(seen.at(-1)).toBe('complete');
    expect(restored(store).frontier).toBe(5);
    expect(scheduler.timers).toBe(0);
  });

  it('under the clock of the events leaves the frontier in the store where it was: the source may go on after a restart', async () => {
    const store = new FakeStore();
    const run = (...hits: readonly Hit[]) =>
      new Promise<unknown[]>((resolve) => {
        const seen: unknown[] = [];
        of(...hits)
          .pipe(countHits({ clock: eventTime(), frontierSpec: { delay: 5 }, checkpoint: { store } }))
          .subscribe({ next: (given) => seen.push(given), complete: () => resolve(seen) });
      });

    expect(await run(at(10), at(12))).toEqual([row(12, 2)]);
    // The frontier goes on from 7, as though nothing had been in between: 9 still comes in its place.
    expect(await run(at(13), at(9), at(14))).toEqual([row(9, 1), row(14, 5)]);
  });

  it('gives no rows any more once it waits, whatever asks for them', async () => {
    const store = new FakeStore();
    const saves: PendingSave[] = [];
    store.onSave = (save) => saves.push(save);
    const flush$ = new Subject<void>();
    const { events$, seen, wait } = world(store, { flush$ });
    events$.next(at(0));
    events$.complete();
    expect(flush$.observed).toBe(false);
    await wait(20);

    expect(seen).toEqual([row(0, 1)]);
  });

  it('waits for the save that was under way, and for the last one', async () => {
    const store = new FakeStore();
    const saves: PendingSave[] = [];
    store.onSave = (save) => saves.push(save);
    const { events$, seen, wait } = world(store);
    events$.next(at(0));
    await wait(10);
    events$.next(at(10));
    events$.complete();
    expect(saves).toHaveLength(1);
    saves[0]?.resolve(saves[0].apply());
    await settled();
    expect(saves).toHaveLength(2);
    expect(seen).not.toContain('complete');
    saves[1]?.resolve(saves[1].apply());
    await settled();

    expect(seen.at(-1)).toBe('complete');
    expect(restored(store).position.events).toBe(2);
  });

  it('saves nothing where nothing has changed since', async () => {
    const store = new FakeStore();
    const { events$, seen, wait } = world(store);
    events$.next(at(0));
    await wait(10);
    events$.complete();

    expect(seen.at(-1)).toBe('complete');
    expect(store.saves).toHaveLength(1);
    expect(store.saves.length).toBe(1);
  });

  it('is an error where the last save fails for good, after the rows', async () => {
    const store = new FakeStore();
    store.onSave = (save) => save.reject(new Error('no disk'));
    const { events$, seen, wait } = world(store);
    events$.next(at(0));
    events$.complete();
    for (let i = 0; i < 10; i++) await wait(20_000);

    expect(seen).toEqual([row(0, 1), new Error('no disk')]);
  });

  it('by an error of the source saves nothing and waits for nothing', () => {
    const store = new FakeStore();
    const { events$, seen, scheduler } = world(store);
    events$.next(at(0));
    events$.error(gone);

    expect(seen).toEqual([row(0, 1), gone]);
    expect(store.saves).toEqual([]);
    expect(scheduler.timers).toBe(0);
  });

  it('by unsubscription saves nothing, also from inside `saved`', async () => {
    const store = new FakeStore();
    const { events$, subscription, wait } = world(store);
    events$.next(at(0));
    subscription.unsubscribe();
    await wait(100);
    expect(store.saves).toEqual([]);

    const second = world(store, { saved: () => second.subscription.unsubscribe() });
    const saves: PendingSave[] = [];
    store.onSave = (save) => saves.push(save);
    second.events$.next(at(0));
    await second.wait(10);
    second.events$.next(at(10));
    await second.wait(10); // the next one is due when this one resolves
    saves[0]?.resolve(saves[0].apply());
    await second.wait(100);
    expect(store.saves).toHaveLength(1);
  });

  it('lets a virtual run end by itself', () => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
    scheduler.run(({ hot, expectObservable }) => {
      const events$ = hot('--a', { a: at(2) });
      expectObservable(events$.pipe(countHits({ checkpoint: { store: new FakeStore(), every: 5 } }))).toBe('--p-------q', { p: row(2, 1), q: row(10, 0) });
    });
  });
});

test('a trigger that is none is told as such beside a checkpoint, too', () => {
  expect(() => countHits({ trigger: null as never, checkpoint: { store: new FakeStore() } })).toThrow(expect.objectContaining({ code: 'invalid-config', given: 'null' }) as Error);
});

describe('options that can’t be', () => {
  const store = new FakeStore();
  it.each([
    ['no store', {}, 'invalid-config'],
    ['null', null, 'invalid-config'],
    ['a store that can’t save', { store: { load: (): undefined => undefined } }, 'invalid-config'],
    ['an interval of nothing', { store, every: 0 }, 'invalid-duration'],
    ['a `saved` that can’t be told', { store, saved: {} }, 'invalid-config'],
  ])('%s: an error at once', (_, checkpoint, code) => {
    expect(() => countHits({ checkpoint: checkpoint as never })).toThrow(expect.objectContaining({ code }) as Error);
  });
});

describe('a thousand subscriptions', { timeout: 60_000 }, () => {
  const endings: Record<string, (events$: Subject<Hit>, unsubscribe: () => void) => void> = {
    unsubscribe: (_, unsubscribe) => unsubscribe(),
    complete: (events$) => events$.complete(),
    error: (events$) => events$.error(gone),
    take: (events$) => events$.next(at(0)),
  };
  it.each(Object.entries(endings))('that end by %s leave no timer and no listener', async (ending, end) => {
    const scheduler = manualScheduler();
    for (let i = 0; i < 1000; i++) {
      const store = new FakeStore();
      const slow = i % 3 === 0;
      if (slow) store.onLoad = () => Promise.resolve(undefined);
      if (i % 4 === 0) store.onSave = (save) => save.reject(new Error('busy'));
      const events$ = new Subject<Hit>(), flush$ = new Subject<void>(), clock$ = new Subject<number>();
      const operator = rollingBatches(createEngine<Hit>()(lastHits), { scheduler, flush$, ...(i % 2 === 0 ? {} : { trigger: manual(clock$) }), checkpoint: { store, every: 10 } });
      const rows$ = events$.pipe(operator);
      const subscription = (ending === 'take' ? rows$.pipe(take(1)) : rows$).subscribe({ error: () => undefined });
      if (i % 7 > 0) clock$.next(scheduler.now());
      if (i % 5 > 0) events$.next(at(scheduler.now()));
      if (i % 2 === 0) await settled();
      if (i % 11 > 5) scheduler.advanceBy(10);
      if (i % 6 > 3) await settled();
      end(events$, () => subscription.unsubscribe());
      if (ending === 'take') clock$.next(scheduler.now());
      await settled();
      if (ending === 'take') await settled();
      if (ending === 'complete') for (let j = 0; j < 10 && !subscription.closed; j++) {
        scheduler.advanceBy(40_000);
        await settled();
      }
      if (ending === 'take' && !subscription.closed) {
        clock$.next(scheduler.now());
        events$.next(at(scheduler.now(), 'b'));
        clock$.next(scheduler.now());
        await settled();
      }

      expect({ i, closed: subscription.closed, listening: events$.observed || flush$.observed || clock$.observed, timers: scheduler.timers }).toEqual({ i, closed: true, listening: false, timers: 0 });
    }
  });

  it('sources that end at once do so, too', () => {
    const store = new FakeStore();
    const seen: unknown[] = [];
    EMPTY.pipe(countHits({ checkpoint: { store } })).subscribe({ complete: () => seen.push('complete') });
    throwError(() => gone).pipe(countHits({ checkpoint: { store } })).subscribe({ error: (error: unknown) => seen.push(error) });

    expect(seen).toEqual(['complete', gone]);
    expect(store.saves).toEqual([]);
  });
});
