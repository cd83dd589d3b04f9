import { MessageChannel, Worker } from 'node:worker_threads';
import { NEVER } from 'rxjs';
import { createEngine, CheckpointError, count, dates, rollingWindow, RollingWindowError, sum, SnapshotError } from 'rxjs-rolling-window';
import { engineProxy, exposeEngine, type WorkerPort } from 'rxjs-rolling-window/worker';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EVENTS } from '../../../operators/worker/eventWriter.ts';
import { unwired, wired } from '../../../operators/worker/wiredError.ts';
import { linkedPorts } from '../../support/linkedPorts.ts';
import { columns, sale, salesEngine } from '../../support/salesEngine.ts';

const lost = (given: string) => expect.objectContaining({ name: 'RollingWindowError', code: 'worker-lost', given }) as unknown;

/** A thread of Node. */
function thread() {
  const program = new URL('../../support/salesWorker.ts', import.meta.url).href;
  // A thread does not take `--import=tsx`.
  const worker = new Worker(`import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(program)})))`, { eval: true, execArgv: ['--conditions=rolling-window-source'] });
  onTestFinished(async () => {
    await worker.terminate();
  });
  return { worker, proxy: engineProxy<ReturnType<typeof salesEngine>>(worker, { columns }) };
}

/** An engine at the other end of ports without delay. */
function exposed(engine = salesEngine()) {
  const [near, far] = linkedPorts();
  const unexpose = exposeEngine(engine, far);
  const open = () => engineProxy<typeof engine>(near, { columns });
  return { engine, near, far, unexpose, open, proxy: open() };
}

describe('an engine in a thread of Node', { timeout: 30_000 }, () => {
  it('takes events, gives rows, answers, and goes on from its own snapshot', async () => {
    const { proxy } = thread();
    proxy.push(sale(1000, 5), 1000);
    proxy.pushAll([sale(1000, 3, 'us'), sale(1001, null), sale(1001, 2)], 1001);
    const { rows, frontier, keyColumns } = await proxy.advance(1001);
    expect(rows).toEqual([
      { region: 'eu', __frontier: 1001, 'sum(revenue)': 7, total: 7 },
      { region: 'us', __frontier: 1001, 'sum(revenue)': 3, total: 3 },
    ]);
    expect([frontier, keyColumns]).toEqual([1001, ['region']]);
    const snapshot = await proxy.snapshot();
    proxy.push(sale(1002, 100), 1002);
    expect(await proxy.query({ region: 'eu' }, 1002)).toMatchObject({ total: 107 });
    await proxy.restore(snapshot);
    expect(await proxy.query({ region: 'eu' }, 1002)).toMatchObject({ total: 7 });
    expect(await proxy.queryAll()).toEqual(rows);
    expect(await proxy.queryAll(1100)).toEqual([
      { region: 'eu', __frontier: 1100, 'sum(revenue)': 2, total: 7 },
      { region: 'us', __frontier: 1100, 'sum(revenue)': null, total: 3 },
    ]);
    expect(snapshot.byteLength).toBeGreaterThan(0); // what is restored is copied
    expect(await proxy.nextBoundary()).toBe(1100);
    expect(await proxy.position()).toEqual({ events: 4, offsets: new Map() });
    await expect(proxy.restore(new Uint8Array(8))).rejects.toBeInstanceOf(SnapshotError);
  });

  it('that ends rejects what was asked', async () => {
    const { worker, proxy } = thread();
    await proxy.stats();
    worker.postMessage('end');
    await expect(proxy.advance(1)).rejects.toEqual(lost('the end of the worker, with code 3'));
    await expect(proxy.advance(1)).rejects.toEqual(lost('the end of the worker, with code 3'));
  });

  it('that throws outside of the engine, likewise, with the cause', async () => {
    const { worker, proxy } = thread();
    await proxy.stats();
    worker.postMessage('throw');
    const error = await proxy.advance(1).catch((given: unknown) => given);
    expect(error).toEqual(lost('the error out of order'));
    expect(error).toHaveProperty('cause.message', 'out of order');
  });

  it('at a port that is closed, likewise', async () => {
    const { port1, port2 } = new MessageChannel();
    exposeEngine(salesEngine(), port2);
    const proxy = engineProxy<ReturnType<typeof salesEngine>>(port1, { columns });
    await proxy.stats();
    port2.close();
    await vi.waitFor(() => expect(() => proxy.push(sale(1), 1)).toThrow(lost('a port that was closed') as Error));
  });
});

describe('buffers', () => {
  it('cross when they are full, and come back to be filled again', async () => {
    const { proxy, near, engine } = exposed();
    const buffers = vi.spyOn(globalThis, 'ArrayBuffer');
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i < EVENTS * 2 + 5; i++) proxy.push(sale(round), round);
      await proxy.advance(round);
    }
    const made = buffers.mock.calls.length;
    buffers.mockRestore();
    expect(engine.position.events).toBe(5 * (EVENTS * 2 + 5));
    expect(near.sent).toHaveLength(1 + 5 * 3);
    expect(made).toBeLessThanOrEqual(6); // of fifteen
  });

  it('cross once each way in a frame, one at a time, and none is made anew', async () => {
    const { proxy, near, far } = exposed();
    const frame = async (round: number) => {
      proxy.pushAll([sale(round), sale(round, 2, 'us')], round);
      return proxy.advance(round);
    };
    for (let round = 0; round < 3; round++) await frame(round);
    const there = vi.spyOn(near, 'postMessage'), back = vi.spyOn(far, 'postMessage'), made = vi.spyOn(globalThis, 'ArrayBuffer');
    expect((await frame(3)).rows).toHaveLength(2);
    expect((await proxy.advance(4)).rows).toEqual([]);
    for (const sent of [there, back]) expect(sent.mock.calls.map(([message, transfer]) => [Object.keys(message as object), transfer.length])).toEqual([[['rollingWindow', 'cells'], 1], [['rollingWindow', 'cells'], 1]]);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });

  it('an event costs no message of its own, and a call finds all events before it', async () => {
    const { proxy, near } = exposed();
    for (let i = 0; i < 100; i++) proxy.push(sale(i), i);
    expect(near.sent).toHaveLength(1);
    expect(await proxy.stats()).toMatchObject({ events: 100 });
  });
});

describe('an engine', () => {
  it('is for one page at a time, and for none while a pipe drives it', async () => {
    const { engine, proxy, open } = exposed();
    const inUse = expect.objectContaining({ code: 'engine-in-use' }) as unknown;
    await expect(exposed(engine).proxy.stats()).rejects.toEqual(inUse);
    const errors: unknown[] = [];
    const subscribed = () => NEVER.pipe(rollingWindow(engine, {})).subscribe({ error: (error: unknown) => errors.push(error) });
    subscribed();
    expect(errors).toEqual([inUse]);
    proxy.close();
    const pipe = subscribed();
    expect(errors).toHaveLength(1);
    await expect(open().stats()).rejects.toEqual(inUse);
    pipe.unsubscribe();
    expect(await open().stats()).toMatchObject({ events: 0 });
  });

  it('says which columns it reads', async () => {
    const engine = createEngine<{ k: string; t: number; v: number; w: number; s: string }>()({ partitionBy: 'k', orderBy: 't', watermark: { delay: 5, by: 's' }, measures: [sum('v'), sum('w')] });
    const [near, far] = linkedPorts();
    exposeEngine(engine, far);
    const proxy = engineProxy<typeof engine>(near, { columns: ['k', 'v'] });
    await expect(proxy.stats()).rejects.toMatchObject({ code: 'invalid-config', expected: 'columns with what the engine reads: k, t, s, v, w', given: '[k, v]', remedy: expect.stringContaining('t, s, w') as string });
    expect(() => proxy.push({ k: '', t: 0, v: 0, w: 0, s: '' }, 0)).toThrow(expect.objectContaining({ code: 'invalid-config' }));
  });

  it('with answers that cannot be sent says so, and goes on', async () => {
    const time = { ...dates, write: (ms: number) => (ms === 5 ? () => ms : new Date(ms)) };
    const engine = createEngine<{ k: string; t: number }>()({ partitionBy: 'k', orderBy: 't', time: time as typeof dates, measures: [count()] });
    const [near, far] = linkedPorts();
    exposeEngine(engine, far);
    const proxy = engineProxy<typeof engine>(near, { columns: ['k', 't'] });
    proxy.push({ k: 'a', t: 1 }, 5);
    await expect(proxy.advance(5)).rejects.toMatchObject({ code: 'invalid-value', expected: expect.stringContaining('can be sent') as string });
    proxy.push({ k: 'a', t: 1 }, 6);
    expect((await proxy.advance(6)).rows).toEqual([{ k: 'a', __frontier: new Date(6), 'count(*)': 2 }]);
  });

  it('with an argument that cannot be sent, likewise; the events before it are in', async () => {
    const { proxy } = exposed();
    proxy.push(sale(1), 1);
    await expect(proxy.query({ region: (() => 0) as never })).rejects.toMatchObject({ code: 'invalid-value', expected: expect.stringContaining('query()') as string });
    expect(await proxy.stats()).toMatchObject({ events: 1 });
  });

  it('is evaluated at whatever reading is given', async () => {
    const { proxy, engine } = exposed();
    await expect(proxy.advance(NaN)).rejects.toEqual(expect.objectContaining({ code: 'invalid-clock' }));
    expect((await proxy.advance(-0)).frontier).toBe(engine.frontier);
  });

  it('hears only what is meant for it', async () => {
    const { proxy, near, far } = exposed();
    for (const message of [null, 5, 'text', {}, { rollingWindow: 'x' }, { rollingWindow: 1e9, answer: 5 }, { rollingWindow: 1e9, call: { name: 'stats' } }]) {
      near.postMessage(message, []);
      far.postMessage(message, []);
    }
    expect(await proxy.stats()).toMatchObject({ events: 0 });
  });
});

describe('arguments', () => {
  const invalid = expect.objectContaining({ code: 'invalid-config' }) as Error;

  it('are checked', () => {
    expect(() => exposeEngine({} as never, linkedPorts()[0])).toThrow(invalid);
    expect(() => exposeEngine(salesEngine())).toThrow(invalid); // here is no worker
    expect(() => exposeEngine(salesEngine(), {} as WorkerPort)).toThrow(invalid);
    const [, far] = linkedPorts();
    const unexpose = exposeEngine(salesEngine(), far);
    expect(() => exposeEngine(salesEngine(), far)).toThrow(invalid);
    unexpose();
    exposeEngine(salesEngine(), far);
    expect(() => engineProxy({} as WorkerPort, { columns: [] })).toThrow(invalid);
    for (const given of [undefined, {}, { columns: [] }, { columns: [5] }, { columns: ['__proto__'] }]) {
      expect(() => engineProxy(linkedPorts()[0], given as never)).toThrow(invalid);
    }
  });
});

describe('an error that crosses', () => {
  const crossed = (error: unknown): unknown => unwired(structuredClone(wired(error)));

  it.each([
    new RollingWindowError('invalid-time', { expected: 'a', given: 'b' }),
    new SnapshotError('snapshot-damaged', { expected: 'a', given: 'b', remedy: 'c' }),
    new CheckpointError('checkpoint-failed', { expected: 'a', given: 'b', cause: new TypeError('inside') }),
    new RollingWindowError('user-code', { expected: 'a', given: 'b', cause: new RollingWindowError('invalid-key', { expected: 'c', given: 'd' }) }),
  ])('is what it was: %s', (error) => {
    const arrived = crossed(error) as typeof error;
    expect(arrived).toBeInstanceOf(error.constructor);
    expect(arrived).toStrictEqual(error);
    expect([arrived.code, arrived.expected, arrived.given, arrived.remedy, arrived.stack]).toEqual([error.code, error.expected, error.given, error.remedy, error.stack]);
    expect(Object.keys(arrived)).toEqual(Object.keys(error));
    if (error.cause instanceof Error) expect(arrived.cause).toMatchObject({ name: error.cause.name, message: error.cause.message });
  });

  it('of another kind is as structured cloning leaves it, or its text', () => {
    expect(crossed('text')).toBe('text');
    expect(crossed(new RangeError('far'))).toBeInstanceOf(RangeError);
    expect(crossed(Object.assign(new Error('odd'), { cause: () => 0 }))).toMatchObject({ message: 'odd' });
    expect(crossed(() => 0)).toBeInstanceOf(Error);
  });
});
