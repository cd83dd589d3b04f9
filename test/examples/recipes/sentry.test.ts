import { createTransport, init, flush, type BrowserOptions } from '@sentry/browser';
import fc from 'fast-check';
import { from, Subject } from 'rxjs';
import { manualScheduler } from 'rxjs-rolling-window/testing';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { alarms, slowRoutes, toSentry, type Alarm, type Limits, type Pace, type Request } from '../../../examples/recipes/sentry.ts';

/** What would leave for Sentry: the lines of each envelope that are no headers. */
const sent: { message: string; level: string; fingerprint: string[]; contexts: Record<string, unknown> }[] = [];
const inMemory: BrowserOptions['transport'] = (options) =>
  createTransport(options, ({ body }) => {
    sent.push(JSON.parse(String(body).split('\n')[2] ?? '') as (typeof sent)[number]);
    return Promise.resolve({ statusCode: 200 });
  });

beforeAll(() => void init({ dsn: 'http://key@localhost/1', transport: inMemory, defaultIntegrations: false }));
beforeEach(() => void sent.splice(0));

const limits: Limits = { above: 500, below: 400, atLeast: 3 };

test('a route that becomes slow is one alarm, which ends by itself when its slow requests have left the minute', async () => {
  const scheduler = manualScheduler();
  const requests$ = new Subject<Request>();
  const alarms$ = slowRoutes(requests$, limits, scheduler);
  const subscription = alarms$.subscribe(toSentry);
  const ask = (at: number, ms: number, route = '/pay'): void => {
    scheduler.moveTo(at);
    requests$.next({ route, ms, at });
  };
  ask(100, 900);
  ask(200, 900);
  scheduler.moveTo(2000);
  await flush();
  expect(sent).toEqual([]); // so few may be chance

  for (const at of [2100, 3200, 4300]) ask(at, at / 4);
  for (const at of [5000, 5001, 5002]) ask(at, 30, '/cart');
  scheduler.moveTo(10_000);
  await flush();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ message: '/pay is slow', level: 'warning', fingerprint: ['slow route', '/pay'], contexts: { 'last minute': { requests: 3, p95: 900 } } });

  ask(40_000, 450); // between the limits: once the slow ones have left, it is still one alarm
  scheduler.moveTo(90_000);
  await flush();
  expect(sent).toHaveLength(1);
  scheduler.moveTo(200_000); // and nothing comes any more
  await flush();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ message: '/pay is as fast as before', level: 'info', contexts: { 'last minute': { requests: 0, p95: null } } });
  expect(scheduler.timers).toBe(0);
  subscription.unsubscribe();
});

/** Looks at one route after the other, and at each of its rows with all those before it. */
function naiveAlarms(paces: readonly Pace[]): Alarm[] {
  const raisedAt = (i: number): boolean => {
    const { route, p95, requests } = paces[i]!;
    if (p95 === null || p95 <= limits.below) return false;
    if (p95 > limits.above && requests >= limits.atLeast) return true;
    const before = paces.findLastIndex((pace, j) => j < i && pace.route === route);
    return before >= 0 && raisedAt(before);
  };
  return paces.flatMap((pace, i) => {
    const before = paces.findLastIndex(({ route }, j) => j < i && route === pace.route);
    const raised = raisedAt(i);
    return raised === (before >= 0 && raisedAt(before)) ? [] : [{ ...pace, raised }];
  });
}

test('alarms are those of the naive definition, also for a second subscriber', () => {
  const pace = fc.record({ route: fc.constantFrom('/a', '/b'), requests: fc.constantFrom(2, 3), p95: fc.constantFrom(null, 400, 401, 500, 501) });
  fc.assert(
    fc.property(fc.array(pace, { maxLength: 30 }), (paces) => {
      const alarms$ = from(paces).pipe(alarms(limits));
      const first: Alarm[] = [], second: Alarm[] = [];
      alarms$.subscribe((alarm) => first.push(alarm));
      alarms$.subscribe((alarm) => second.push(alarm));
      expect(first).toEqual(naiveAlarms(paces));
      expect(second).toEqual(first);
    }),
  );
});
