import { Subject } from 'rxjs';
import { createEngine, preceding, range, SnapshotError, sum } from 'rxjs-rolling-window';
import { engineProxy, exposeEngine, throughWorker } from 'rxjs-rolling-window/worker';
import { expect, onTestFinished, test, vi } from 'vitest';
import { columns, sale, salesEngine, type Sale } from '../../support/salesEngine.ts';

function open() {
  const worker = new Worker(new URL('../../support/salesWebWorker.ts', import.meta.url), { type: 'module' });
  onTestFinished(() => worker.terminate());
  return { worker, proxy: engineProxy<ReturnType<typeof salesEngine>>(worker, { columns }) };
}

test('a module worker: the rows are those of the same calls here, and a snapshot comes over and goes back', async () => {
  const { proxy } = open();
  const here = salesEngine();
  for (let i = 0; i < 10_000; i++) {
    const event = sale(i, i % 7 === 0 ? null : i + 0.1, `region ${String(i % 50)}`);
    here.push(event, i);
    proxy.push(event, i);
  }
  expect((await proxy.advance(10_000)).rows).toStrictEqual(here.advance(10_000));
  const snapshot = await proxy.snapshot();
  expect(snapshot).toStrictEqual(here.snapshot());
  await proxy.restore(snapshot);
  expect((await proxy.advance(10_200)).rows).toStrictEqual(here.advance(10_200));
  expect(await proxy.query({ region: 'region 7' })).toStrictEqual(here.query({ region: 'region 7' }));
  expect(await proxy.queryAll()).toStrictEqual(here.queryAll());
  await expect(proxy.restore(new Uint8Array(3))).rejects.toBeInstanceOf(SnapshotError);
});

test('real frames and real timers: a row a frame, and one when the events leave', async () => {
  const { proxy } = open();
  await proxy.stats();
  const sales$ = new Subject<Sale>(), rows: (number | null)[] = [];
  const subscription = sales$.pipe(throughWorker(proxy)).subscribe((row) => rows.push(row['sum(revenue)']));
  for (let i = 0; i < 1000; i++) sales$.next(sale(Date.now()));
  expect(rows).toEqual([]);
  await vi.waitFor(() => expect(rows.at(-1)).toBeNull(), { interval: 5 });
  expect(rows[0]).toBe(1000);
  expect(rows.length).toBeLessThan(15); // frames of 100 ms
  subscription.unsubscribe();
});

test('a worker that throws ends the rows', async () => {
  const { worker, proxy } = open();
  await proxy.stats();
  const errors: unknown[] = [];
  new Subject<Sale>().pipe(throughWorker(proxy)).subscribe({ error: (error: unknown) => errors.push(error) });
  worker.addEventListener('error', (event) => event.preventDefault());
  worker.postMessage('throw');
  await vi.waitFor(() => expect(errors).toMatchObject([{ code: 'worker-lost', given: expect.stringContaining('out of order') as string }]));
  await expect(proxy.stats()).rejects.toMatchObject({ code: 'worker-lost' });
});

test('the scope of a page is no port', () => {
  const engine = createEngine<Sale>()({ partitionBy: 'region', orderBy: 'at', measures: [sum('revenue').over(preceding(range(100)))] });
  expect(() => exposeEngine(engine)).toThrow(expect.objectContaining({ code: 'invalid-config' }));
});
