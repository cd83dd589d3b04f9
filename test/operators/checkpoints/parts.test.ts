import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { count, createEngine, describeSnapshot, manual, rollingWindow } from '../../../operators/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { FakeStore, settled } from '../../support/fakeStore.ts';
import { SleepyScheduler } from '../../support/sleepyScheduler.ts';
import type { Hit } from '../support.ts';

const open = () => createEngine<Hit>()({ partitionBy: 'k', orderBy: 't', measures: [count().as('n')] });
const keys = (from: number, to: number): Hit[] => Array.from({ length: to - from }, (_, i) => ({ k: `key ${String(from + i)}`, t: 0 }));

function world(store: FakeStore, engine = open(), asleep?: SleepyScheduler) {
  const manually = manualScheduler();
  const scheduler = asleep ?? manually;
  const events$ = new Subject<Hit>(), clock$ = new Subject<number>();
  events$.pipe(rollingWindow(engine, { scheduler, trigger: manual(clock$), checkpoint: { store, every: 10 } })).subscribe();
  clock$.next(1); // or every event would wait for the frontier, and held events are in each part
  /** Lets a save happen, with all the tasks that it takes. */
  const save = async (): Promise<void> => {
    manually.advanceBy(10);
    await settled();
  };
  let now = 1;
  /** An evaluation each time: what waits for one is in each part, too. */
  const push = (hits: readonly Hit[]): void => {
    for (const hit of hits) events$.next(hit);
    clock$.next(++now);
  };
  return { engine, push, save, kinds: () => store.saves.map(({ base }) => (base ? 'base' : 'delta')) };
}

const restored = (store: FakeStore) => {
  const engine = open();
  engine.restore(store.parts);
  return engine;
};

describe('what goes into the store', { timeout: 30_000 }, () => {
  it('is a base, then what changed since, until that outweighs the base', async () => {
    const store = new FakeStore();
    const { push, save, kinds } = world(store);
    push(keys(0, 3000));
    await save();
    const [base] = store.parts;
    push(keys(0, 10));
    await save();
    expect(kinds()).toEqual(['base', 'delta']);
    expect(store.parts[1]!.length).toBeLessThan(base!.length / 5);
    for (let i = 0; i < 10; i++) {
      push(keys(0, 1000));
      await save();
    }

    expect(kinds().filter((kind) => kind === 'base').length).toBeGreaterThan(1);
    const stored = store.parts.reduce((sum, { length }) => sum + length, 0);
    expect(stored).toBeLessThan(3 * base!.length);
    expect(restored(store).snapshot()).toEqual(restored(store).snapshot());
    expect(restored(store).position.events).toBe(13_010);
  });

  it('is a base after 64 deltas, however small they are', async () => {
    const store = new FakeStore();
    const { push, save, kinds } = world(store);
    push(keys(0, 20_000));
    await save();
    for (let i = 0; i < 65; i++) {
      push(keys(i, i + 1));
      await save();
    }

    expect(kinds()).toEqual(['base', ...new Array<string>(64).fill('delta'), 'base']);
  });

  it('goes on behind what was loaded', async () => {
    const store = new FakeStore();
    const before = world(store);
    before.push(keys(0, 3000));
    await before.save();
    const { push, save, kinds } = world(store);
    push(keys(0, 1));
    await save();

    expect(kinds()).toEqual(['base', 'delta']);
    expect(restored(store).position.events).toBe(3001);
  });

  it('is whole again where the owner of the engine took a snapshot in between, which may be anywhere', async () => {
    const store = new FakeStore();
    const { push, save, kinds, engine } = world(store);
    push(keys(0, 3000));
    await save();
    push(keys(0, 1));
    engine.snapshot();
    push(keys(1, 2));
    await save();

    expect(kinds()).toEqual(['base', 'base']);
    expect(restored(store).snapshot()).toEqual(engine.snapshot());
  });
});

describe('a part of many keys', { timeout: 30_000 }, () => {
  it('is taken in slices, each a task of its own as the save is, between which events come through; it is the state of its end', async () => {
    const store = new FakeStore();
    const scheduler = new SleepyScheduler(0);
    const { push, engine } = world(store, open(), scheduler);
    push(keys(0, 50_000));
    scheduler.wakeAt(10);
    let tasks = 0;
    const hitsOf = (task: number): Hit[] => [{ k: `key ${String(task)}`, t: 0 }, { k: `new ${String(task)}`, t: 0 }];
    for (; store.saves.length === 0 && tasks < 1000; tasks++) {
      push(hitsOf(tasks));
      scheduler.wakeAt(10); // one task
    }
    await settled();

    expect(tasks).toBeGreaterThan(10);
    expect(describeSnapshot(store.parts[0]!).base).toBe(true);
    const again = restored(store);
    again.pushAll(hitsOf(tasks - 1), engine.frontier - 1); // came between the end and the save
    again.advance(engine.frontier);
    expect(again.position).toEqual(engine.position);
    expect(again.stats).toEqual({ ...engine.stats, bytes: again.stats.bytes });
    expect(again.advance(10_000)).toEqual(engine.advance(10_000));
    for (let i = 0; i < tasks; i++) expect(again.query({ k: `key ${String(i)}` })).toEqual(engine.query({ k: `key ${String(i)}` }));
  });

  it('and so is a delta of many', async () => {
    const store = new FakeStore();
    const manually = manualScheduler(), engine = open();
    const tasks: number[] = [];
    const events$ = new Subject<Hit>(), clock$ = new Subject<number>();
    events$.pipe(rollingWindow(engine, { scheduler: manually, trigger: manual(clock$), checkpoint: { store, every: 10 } })).subscribe();
    clock$.next(1);
    const save = async (): Promise<void> => {
      manually.advanceBy(10);
      await settled();
    };
    for (const hit of keys(0, 50_000)) events$.next(hit);
    clock$.next(2);
    await save();
    for (const hit of keys(0, 20_000)) events$.next(hit);
    clock$.next(3);
    const { schedule } = manually;
    manually.schedule = function (this: typeof manually, work, delay, state) {
      tasks.push(delay ?? 0);
      return schedule.call(this, work as never, delay, state);
    };
    await save();

    expect(store.saves.map(({ base }) => base)).toEqual([true, false]);
    expect(tasks.filter((delay) => delay === 0).length).toBeGreaterThan(4);
    expect(restored(store).advance(10_000)).toEqual(engine.advance(10_000));
    expect(restored(store).position.events).toBe(70_000);
  });

  it('is finished at once where the source completes meanwhile', async () => {
    const store = new FakeStore();
    const scheduler = new SleepyScheduler(0);
    const events$ = new Subject<Hit>(), clock$ = new Subject<number>();
    const end: string[] = [];
    events$.pipe(rollingWindow(open(), { scheduler, trigger: manual(clock$), checkpoint: { store, every: 10 } })).subscribe({ complete: () => end.push('complete') });
    clock$.next(1);
    for (const hit of keys(0, 20_000)) events$.next(hit);
    scheduler.wakeAt(10);
    scheduler.wakeAt(10);
    events$.next({ k: 'last', t: 0 });
    events$.complete();
    await settled();

    expect(end).toEqual(['complete']);
    expect(store.saves).toEqual([{ ifRev: undefined, base: true }]);
    expect(restored(store).position.events).toBe(20_001);
    expect(scheduler.pending).toBe(0);
  });
});
