import { NEVER, of, queueScheduler, Subject, throwError } from 'rxjs';
import { latestByKey, type RollingBatch } from 'rxjs-rolling-window';
import { batchesThroughWorker, engineProxy, exposeEngine, throughWorker } from 'rxjs-rolling-window/worker';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { FakePage } from '../../support/fakePage.ts';
import { Frames, linkedPorts } from '../../support/linkedPorts.ts';
import { SleepyScheduler } from '../../support/sleepyScheduler.ts';
import { columns, sale, salesEngine, type Sale } from '../../support/salesEngine.ts';

let page: FakePage;
beforeEach(() => {
  page = new FakePage();
  vi.stubGlobal('document', page);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A pipe through a worker whose messages take `latency` each way, in virtual time from 1,000 on, with frames at multiples of 16. */
function piped(latency = 2) {
  const scheduler = manualScheduler(1000), coalesce = new Frames(scheduler);
  const [near, far] = linkedPorts(scheduler, latency);
  const engine = salesEngine('error');
  const unexpose = exposeEngine(engine, far);
  const proxy = engineProxy<typeof engine>(near, { columns });
  const sales$ = new Subject<Sale>();
  const log: unknown[] = [];
  const rows$ = sales$.pipe(throughWorker(proxy, { scheduler, coalesce }));
  const observer = {
    next: (row: { __frontier: number; 'sum(revenue)': number | null }) => log.push([scheduler.now(), row.__frontier, row['sum(revenue)']]),
    error: (error: unknown) => log.push([scheduler.now(), error]),
    complete: () => log.push([scheduler.now(), 'complete']),
  };
  const subscription = rows$.subscribe(observer);
  scheduler.advanceBy(0);
  const advance = vi.spyOn(engine, 'advance');
  const calls = (): unknown[] => advance.mock.calls.map(([now]) => now);
  return { scheduler, coalesce, near, far, engine, unexpose, proxy, sales$, log, rows$, observer, subscription, calls };
}

describe('rows of a worker', () => {
  it('come once a frame, however many events there were, and by themselves when one leaves', () => {
    const { scheduler, sales$, log, coalesce, calls } = piped();
    for (let i = 0; i < 5; i++) sales$.next(sale(1000));
    scheduler.moveTo(1012); // the frame is at 1008; two ms there, two back
    expect(log).toEqual([[1012, 1008, 5]]);
    scheduler.moveTo(1099);
    expect([calls(), coalesce.asked]).toEqual([[1008], 1]); // nothing is due: no frame, no message
    scheduler.moveTo(1108);
    expect(log.slice(1)).toEqual([[1108, 1104, null]]); // due at 1100, in the frame at 1104
    expect(scheduler.timers).toBe(0);
  });

  it('of events that come while an evaluation is on its way wait for the frame after its answer', () => {
    const { scheduler, sales$, log, calls, coalesce } = piped(20);
    sales$.next(sale(1000));
    scheduler.moveTo(1010); // sent at 1008, answered at 1048
    sales$.next(sale(1010));
    scheduler.moveTo(1030);
    sales$.next(sale(1030));
    scheduler.moveTo(1047);
    expect([calls(), log, coalesce.asked]).toEqual([[1008], [], 1]);
    scheduler.moveTo(1096);
    expect(calls()).toEqual([1008, 1056]);
    expect(log).toEqual([[1048, 1008, 1], [1096, 1056, 3]]);
  });

  it('are those of the readings at which events arrived', async () => {
    const { scheduler, sales$, proxy } = piped();
    sales$.next(sale(1000));
    scheduler.moveTo(1003);
    sales$.next({ region: 'eu', revenue: 1, at: 1000 + 300_002 }); // five minutes ahead at 1,003, more at 1,000
    scheduler.moveTo(1100);
    const asked = proxy.stats();
    scheduler.moveTo(1200);
    expect(await asked).toMatchObject({ future: 0, events: 2 });
  });

  it('are the same where events come in arrays', () => {
    const { scheduler, proxy, subscription, observer, log } = piped();
    subscription.unsubscribe();
    const sales$ = new Subject<Sale[]>();
    const now = vi.spyOn(scheduler, 'now');
    sales$.pipe(throughWorker(proxy, { scheduler, coalesce: new Frames(scheduler) })).subscribe(observer);
    now.mockClear();
    sales$.next([sale(1000), sale(999), sale(998)]);
    expect(now).toHaveBeenCalledTimes(2); // for the events, and for the frame
    scheduler.moveTo(1050);
    expect(log).toEqual([[1012, 1008, 3]]);
  });

  it('leave last, with the clock as it stands, when the source completes; then the pipe does', () => {
    const { scheduler, sales$, log } = piped();
    sales$.next(sale(1000));
    scheduler.moveTo(1009); // on its way
    sales$.next(sale(1009));
    sales$.complete();
    scheduler.moveTo(1100);
    expect(log).toEqual([[1012, 1008, 1], [1016, 1012, 2], [1016, 'complete']]);
    expect(scheduler.timers).toBe(0);
  });

  it('a source that has completed when it is subscribed gives them', () => {
    const { scheduler, proxy, subscription, observer, log } = piped();
    subscription.unsubscribe();
    of(sale(990), sale(1000)).pipe(throughWorker(proxy, { scheduler })).subscribe(observer);
    scheduler.moveTo(1100);
    expect(log).toEqual([[1004, 1000, 2], [1004, 'complete']]);
  });

  it('what is pushed by whoever receives a row comes with the next frame', () => {
    const { scheduler, subscription, sales$, log, rows$, observer } = piped();
    subscription.unsubscribe();
    rows$.subscribe((row) => {
      observer.next(row);
      if (row['sum(revenue)'] === 1) sales$.next(sale(1000));
    });
    sales$.next(sale(1000));
    scheduler.moveTo(1090);
    expect(log).toEqual([[1012, 1008, 1], [1028, 1024, 2]]);
  });

  it('that a restored engine owes come without an event', () => {
    const { scheduler, proxy, log } = piped();
    const saved = salesEngine();
    saved.push(sale(900), 900);
    saved.advance(900);
    void proxy.restore(saved.snapshot());
    scheduler.moveTo(1100);
    expect(log).toEqual([[1012, 1008, null]]);
  });

  it('while the page is hidden come by timer', () => {
    const { scheduler, proxy, subscription, log, observer } = piped();
    subscription.unsubscribe();
    const frames = manualScheduler(), sales$ = new Subject<Sale>();
    sales$.pipe(throughWorker(proxy, { scheduler, coalesce: frames })).subscribe(observer);
    sales$.next(sale(1000));
    scheduler.moveTo(1050);
    expect(log).toEqual([]); // no frame came
    page.turn('hidden');
    scheduler.moveTo(1098);
    expect(log).toEqual([[1070, 1066, 1]]);
  });

  it('that a timer is late for, since a frame came before it, are not asked for twice', () => {
    const { scheduler: line, proxy, subscription, calls } = piped();
    subscription.unsubscribe();
    const scheduler = new SleepyScheduler(1000), frames = manualScheduler(), sales$ = new Subject<Sale>();
    sales$.pipe(throughWorker(proxy, { scheduler, coalesce: frames })).subscribe();
    sales$.next(sale(1000));
    frames.advanceBy(1);
    line.advanceBy(10);
    expect(scheduler.pending).toBe(1); // for 1100
    scheduler.sleepUntil(1105);
    sales$.next(sale(1105));
    frames.advanceBy(1);
    scheduler.wakeAt(1106); // the evaluation is on its way
    line.advanceBy(10);
    frames.advanceBy(1);
    line.advanceBy(10);
    expect(calls()).toEqual([1000, 1105]);
  });

  it('with a scheduler whose turn comes at once, come as fast as the worker answers', () => {
    const { scheduler, proxy, subscription, log, observer, calls } = piped();
    subscription.unsubscribe();
    const sales$ = new Subject<Sale>();
    sales$.pipe(throughWorker(proxy, { scheduler, coalesce: queueScheduler })).subscribe(observer);
    for (let i = 0; i < 6; i++) {
      sales$.next(sale(scheduler.now()));
      scheduler.advanceBy(1);
    }
    scheduler.moveTo(1050);
    expect(calls()).toEqual([1000, 1004, 1008]);
    expect(log).toEqual([[1004, 1000, 1], [1008, 1004, 4], [1012, 1008, 6]]);
  });

  it('come at once with flush$, without a frame', () => {
    const { scheduler, proxy, subscription, log, observer, calls } = piped(20);
    subscription.unsubscribe();
    const sales$ = new Subject<Sale>(), flush$ = new Subject<void>();
    const again = sales$.pipe(throughWorker(proxy, { scheduler, coalesce: manualScheduler(), flush$ })).subscribe(observer);
    flush$.next();
    sales$.next(sale(1000));
    flush$.next();
    flush$.next();
    expect(log).toEqual([]);
    scheduler.moveTo(1030);
    sales$.next(sale(1030));
    scheduler.moveTo(1110); // the first is answered at 1040, with nothing; the second, of both presses, at 1080
    expect([calls(), log]).toEqual([[1000, 1040], [[1080, 1040, 2]]]);
    flush$.complete();
    sales$.complete();
    scheduler.moveTo(1200);
    expect(log.slice(1)).toEqual([[1150, 1110, 1], [1150, 'complete']]);
    again.unsubscribe();
  });

  it('with flush$: its error is theirs, and nothing listens to it after the end', () => {
    const { scheduler, proxy, subscription, log, observer } = piped();
    subscription.unsubscribe();
    const flush$ = new Subject<void>(), sales$ = new Subject<Sale>();
    const flushed = () => sales$.pipe(throughWorker(proxy, { scheduler, flush$ })).subscribe(observer);
    flushed().unsubscribe();
    expect(flush$.observed).toBe(false);
    flushed();
    flush$.error(new Error('flush'));
    expect([log, sales$.observed]).toEqual([[[1000, new Error('flush')]], false]);
  });

  it('that are pressed for from inside next come with the next answer, not with it', () => {
    const { scheduler, proxy, subscription, log, observer, calls } = piped();
    subscription.unsubscribe();
    const flush$ = new Subject<void>(), sales$ = new Subject<Sale>();
    sales$.pipe(throughWorker(proxy, { scheduler, coalesce: manualScheduler(), flush$ })).subscribe((row) => {
      observer.next(row);
      if (log.length === 1) {
        sales$.next(sale(scheduler.now()));
        flush$.next();
      }
    });
    sales$.next(sale(1000));
    flush$.next();
    scheduler.moveTo(1050);
    expect([calls(), log]).toEqual([[1000, 1004], [[1004, 1000, 1], [1008, 1004, 2]]]);
  });

  it('as batches have what latestByKey needs', () => {
    const { scheduler, proxy, subscription } = piped();
    subscription.unsubscribe();
    const sales$ = new Subject<Sale>(), batches: RollingBatch<unknown>[] = [];
    let latest: ReadonlyMap<unknown, unknown> = new Map();
    const batches$ = sales$.pipe(batchesThroughWorker(proxy, { scheduler }));
    batches$.subscribe((batch) => batches.push(batch));
    sales$.next(sale(1000));
    sales$.next(sale(1000, 2, 'us'));
    scheduler.moveTo(1050);
    expect(batches).toEqual([{ batchId: 1, frontier: 1000, watermark: -Infinity, removed: [], rows: [expect.objectContaining({ region: 'eu', total: 1 }), expect.objectContaining({ region: 'us', total: 2 })] }]);
    of(...(batches as RollingBatch<{ region: string }, { region: string }>[])).pipe(latestByKey()).subscribe((map) => (latest = map));
    expect([...latest.keys()]).toEqual(['eu', 'us']);
  });
});

describe('a pipe through a worker that ends', () => {
  it('by an error of the source, at once', () => {
    const { scheduler, proxy, subscription, log, observer } = piped();
    subscription.unsubscribe();
    throwError(() => new Error('source')).pipe(throughWorker(proxy, { scheduler })).subscribe(observer);
    expect(log).toEqual([[1000, new Error('source')]]);
  });

  it('by an event that the engine refuses, with its error', () => {
    const { scheduler, sales$, log } = piped();
    sales$.next(sale(1000));
    sales$.next({ ...sale(1000), revenue: 'much' as never });
    sales$.next(sale(1000));
    scheduler.moveTo(1100);
    expect(log).toEqual([[1012, expect.objectContaining({ name: 'RollingWindowError', code: 'invalid-value', given: expect.stringContaining('much') as string })]]);
    expect(scheduler.timers).toBe(0);
  });

  it('by an event that cannot be sent', () => {
    const { sales$, log, scheduler } = piped();
    sales$.next({ ...sale(1000), revenue: (() => 5) as never });
    expect(log).toEqual([[1000, expect.objectContaining({ code: 'invalid-value' })]]);
    scheduler.moveTo(1100);
    expect(scheduler.timers).toBe(0);
  });

  it('by a function of the user that throws in the worker', () => {
    const { scheduler, sales$, log } = piped();
    sales$.next(sale(1000, 13));
    scheduler.moveTo(1100);
    expect(log).toEqual([[1012, expect.objectContaining({ code: 'user-code', cause: expect.objectContaining({ name: 'RangeError', message: 'thirteen' }) as Error })]]);
  });

  it.each([
    ['messageerror', {}, 'a message that cannot be read'],
    ['error', { message: 'Uncaught out of order' }, 'the error Uncaught out of order'],
    ['close', {}, 'a port that was closed'],
  ])('by %s of the worker', async (type, event, given) => {
    const { scheduler, near, proxy, sales$, log, rows$ } = piped();
    sales$.next(sale(1000));
    const asked = proxy.query({ region: 'eu' });
    near.dispatch(type, event);
    const lost = expect.objectContaining({ code: 'worker-lost', given }) as unknown;
    expect(log).toEqual([[1000, lost]]);
    await expect(asked).rejects.toEqual(lost);
    await expect(proxy.stats()).rejects.toEqual(lost);
    expect(() => proxy.push(sale(1000), 1000)).toThrow(lost);
    rows$.subscribe({ error: (error: unknown) => log.push(error) });
    expect(log.slice(1)).toEqual([lost]);
    expect(near.listeners.size).toBe(0);
    scheduler.moveTo(1100);
    expect(scheduler.timers).toBe(0);
  });

  it('by its engine, which is exposed no more', () => {
    const { scheduler, far, unexpose, log } = piped();
    scheduler.moveTo(1005);
    unexpose();
    scheduler.moveTo(1100);
    expect(log).toEqual([[1007, expect.objectContaining({ code: 'worker-lost' })]]);
    expect(far.listeners.size).toBe(0);
  });

  it('by unsubscribing: nothing is left, and the next one goes on', () => {
    const { scheduler, sales$, subscription, log, rows$, observer, coalesce } = piped();
    sales$.next(sale(1000));
    scheduler.moveTo(1009);
    subscription.unsubscribe(); // an evaluation is on its way
    scheduler.moveTo(1030);
    expect([log, scheduler.timers, coalesce.asked, page.listeners.size]).toEqual([[], 0, 1, 0]);
    rows$.subscribe(observer);
    sales$.next(sale(1030));
    scheduler.moveTo(1090);
    expect(log).toEqual([[1044, 1040, 2]]);
  });

  it('by unsubscribing while it sleeps: no timer is left', () => {
    const { scheduler, sales$, subscription } = piped();
    sales$.next(sale(1000));
    scheduler.moveTo(1050);
    expect(scheduler.timers).toBe(1); // for 1100, when the event leaves
    subscription.unsubscribe();
    expect(scheduler.timers).toBe(0);
  });

  it('by closing the proxy, which sets the engine free', () => {
    const { scheduler, proxy, engine, near, far, log, sales$, unexpose } = piped();
    sales$.next(sale(1000));
    proxy.close();
    expect(log).toEqual([[1000, expect.objectContaining({ code: 'worker-lost', given: 'a proxy that was closed' })]]);
    proxy.close();
    scheduler.moveTo(1010);
    expect([near.listeners.size, scheduler.timers, engine.position.events]).toEqual([0, 0, 1]);
    const [page2, worker2] = linkedPorts();
    exposeEngine(engine, worker2);
    const rows: unknown[] = [];
    of(sale(1000)).pipe(throughWorker(engineProxy<typeof engine>(page2, { columns }), { scheduler })).subscribe((row) => rows.push(row));
    expect(rows).toHaveLength(1);
    unexpose();
    expect(far.listeners.size).toBe(0);
  });
});

describe('what drives an engine in a worker', () => {
  it('is one pipe at a time', () => {
    const { rows$, proxy, sales$, scheduler, log } = piped();
    const errors: unknown[] = [];
    rows$.subscribe({ error: (error: unknown) => errors.push(error) });
    NEVER.pipe(throughWorker(proxy)).subscribe({ error: (error: unknown) => errors.push(error) });
    expect(errors).toMatchObject([{ code: 'engine-in-use' }, { code: 'engine-in-use' }]);
    sales$.next(sale(1000));
    scheduler.moveTo(1050);
    expect(log).toHaveLength(1); // the first one goes on
  });

  it('is checked', () => {
    expect(() => throughWorker({} as never)).toThrow(expect.objectContaining({ code: 'invalid-config' }));
    const { proxy } = piped();
    expect(() => throughWorker(proxy, { scheduler: {} as never })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
    expect(() => throughWorker(proxy, { coalesce: 5 as never })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
    expect(() => throughWorker(proxy, { flush$: 5 as never })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
  });
});
