import { animationFrameScheduler, firstValueFrom, Subject, take, toArray } from 'rxjs';
import { count, createEngine, preceding, range, realTime, rollingWindow, sum } from 'rxjs-rolling-window';
import { expect, test, vi } from 'vitest';

interface Click {
  readonly page: string;
  readonly at: number;
  readonly ms: number;
}
const measures = [count().over(preceding(range('200 ms'))).as('clicks'), sum('ms').as('total')] as const;

test('with real timers: a row with its event, and one when the event leaves', async () => {
  const clicks$ = new Subject<Click>();
  const rows = firstValueFrom(clicks$.pipe(rollingWindow({ partitionBy: 'page', orderBy: 'at', measures }), take(2), toArray()));
  const at = Date.now();
  clicks$.next({ page: 'home', at, ms: 12 });

  const [first, second] = await rows;
  expect(first).toMatchObject({ page: 'home', clicks: 1, total: 12 });
  expect(second).toMatchObject({ page: 'home', clicks: 0, total: 12 });
  expect(second?.__frontier).toBeGreaterThanOrEqual(at + 200);
  expect(clicks$.observed).toBe(false);
});

test('with real frames: any number of events, one row per key and frame', async () => {
  const clicks$ = new Subject<Click>();
  const rows: { page: string; total: number | null }[] = [];
  const trigger = realTime({ coalesce: animationFrameScheduler });
  const subscription = clicks$.pipe(rollingWindow({ partitionBy: 'page', orderBy: 'at', trigger, measures: [sum('ms').as('total')] })).subscribe((row) => rows.push(row));
  const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

  for (let i = 0; i < 1000; i++) clicks$.next({ page: i % 2 ? 'home' : 'cart', at: Date.now(), ms: 1 });
  expect(rows).toEqual([]);
  await frame();
  await frame();
  expect(rows.map(({ page, total }) => [page, total])).toEqual([
    ['cart', 500],
    ['home', 500],
  ]);
  await frame();
  expect(rows).toHaveLength(2);
  subscription.unsubscribe();
});

test('a page that is hidden: frames stand still, and rows leave all the same; shown again, they leave by frame', async () => {
  const clicks$ = new Subject<Click>();
  const rows: number[] = [];
  const request = vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(1); // never comes
  const visibility = vi.spyOn(document, 'visibilityState', 'get');
  const turn = (state: DocumentVisibilityState): void => {
    visibility.mockReturnValue(state);
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const trigger = realTime({ coalesce: animationFrameScheduler });
  const subscription = clicks$.pipe(rollingWindow({ partitionBy: 'page', orderBy: 'at', trigger, measures: [count().as('clicks')] })).subscribe(({ clicks }) => rows.push(clicks));
  const click = (): void => clicks$.next({ page: 'home', at: Date.now(), ms: 1 });

  click();
  click();
  turn('hidden'); // while a frame is pending, which does not come
  await vi.waitFor(() => expect(rows).toEqual([2]));
  click();
  await vi.waitFor(() => expect(rows).toEqual([2, 3]));

  turn('visible');
  request.mockRestore();
  click();
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  expect(rows).toEqual([2, 3, 4]);
  subscription.unsubscribe();
  vi.restoreAllMocks();
});

test('rows and snapshots can be sent to a worker, and a snapshot goes on in another engine', async () => {
  const make = () => createEngine<Click>()({ partitionBy: 'page', orderBy: 'at', measures });
  const engine = make(), other = make();
  engine.push({ page: 'home', at: 1000, ms: 5 }, 1000);
  const [row] = engine.advance(1000);
  expect(structuredClone(row)).toEqual(row);

  // A worker that sends back what it gets.
  const echo = new Worker(URL.createObjectURL(new Blob(['onmessage = ({ data }) => postMessage(data)'], { type: 'text/javascript' })));
  const back = new Promise<Uint8Array>((resolve) => {
    echo.onmessage = ({ data }: MessageEvent<Uint8Array>) => resolve(data);
  });
  const snapshot = engine.snapshot();
  echo.postMessage(snapshot, [snapshot.buffer]);
  other.restore(await back);
  echo.terminate();

  expect(other.query({ page: 'home' })).toEqual(engine.query({ page: 'home' }));
  expect(other.advance(1200)).toEqual(engine.advance(1200));
});
