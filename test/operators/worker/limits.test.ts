import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { engineProxy, exposeEngine, throughWorker, type ProxyLimits } from '../../../operators/worker/index.ts';
import { EVENTS } from '../../../operators/worker/eventWriter.ts';
import { linkedPorts } from '../../support/linkedPorts.ts';
import { columns, sale, salesEngine, type Sale } from '../../support/salesEngine.ts';

const tooMany = (most: number) => expect.objectContaining({ code: 'limit-exceeded', expected: `at most ${String(most)} events on their way to the worker`, given: 'one more' }) as Error;

/** A proxy whose messages take two milliseconds each way. */
function slow(limits: ProxyLimits) {
  const scheduler = manualScheduler(1000), [near, far] = linkedPorts(scheduler, 2), engine = salesEngine();
  exposeEngine(engine, far);
  const proxy = engineProxy<typeof engine>(near, { columns, limits });
  scheduler.advanceBy(10);
  return { scheduler, engine, proxy };
}

describe('events on their way', () => {
  it('are no more than the limit: one more is an error, until an answer tells that they were read', async () => {
    const { scheduler, engine, proxy } = slow({ maxEvents: 3 });
    proxy.pushAll([sale(1), sale(2)], 2);
    const rows = proxy.advance(2);
    proxy.push(sale(3), 3);
    expect(() => proxy.pushAll([sale(3), sale(3)], 3)).toThrow(tooMany(3));
    scheduler.advanceBy(4);
    expect((await rows).rows).toMatchObject([{ total: 2 }]);
    proxy.pushAll([sale(4), sale(4)], 4); // the third is still there
    expect(() => proxy.push(sale(4), 4)).toThrow(tooMany(3));
    void proxy.stats();
    scheduler.advanceBy(4);
    expect([engine.position.events, proxy.dropped]).toEqual([5, 0]);
  });

  it('are dropped and counted, where the limit says so', async () => {
    const { scheduler, proxy } = slow({ maxEvents: 2, onLimit: 'drop-new' });
    proxy.pushAll([sale(1, 1), sale(1, 2), sale(1, 4), sale(1, 8)], 1);
    const rows = proxy.advance(1);
    scheduler.advanceBy(4);
    expect((await rows).rows).toMatchObject([{ total: 3 }]);
    proxy.push(sale(2, 16), 2);
    expect(proxy.dropped).toBe(2);
  });

  it('of a pipe end it with the error', () => {
    const { scheduler, proxy } = slow({ maxEvents: 2 });
    const sales$ = new Subject<Sale>(), errors: unknown[] = [];
    sales$.pipe(throughWorker(proxy, { scheduler })).subscribe({ error: (error: unknown) => errors.push(error) });
    for (let i = 0; i < 3; i++) sales$.next(sale(1000));
    expect(errors).toEqual([tooMany(2)]);
    scheduler.advanceBy(50);
    expect(scheduler.timers).toBe(0);
  });

  it('may fill several buffers', () => {
    const { scheduler, engine, proxy } = slow({ maxEvents: 2 * EVENTS + 1, onLimit: 'drop-new' });
    for (let i = 0; i < 3 * EVENTS; i++) proxy.push(sale(1), 1);
    expect(proxy.dropped).toBe(EVENTS - 1);
    void proxy.stats();
    scheduler.advanceBy(4);
    expect(engine.position.events).toBe(2 * EVENTS + 1);
  });

  it('are as many as a list of all events and calls says', () => {
    const step = fc.constantFrom('push', 'push', 'push', 'push', 'advance', 'query', 'unsendable', 'wait', 'wait');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 60, size: 'max' }), (maxEvents, steps) => {
        const { scheduler, engine, proxy } = slow({ maxEvents, onLimit: 'drop-new' });
        const log: ('event' | { answered: boolean })[] = [];
        let dropped = 0;
        const onTheirWay = (): number => log.slice(log.findLastIndex((entry) => entry !== 'event' && entry.answered) + 1).filter((entry) => entry === 'event').length;
        const asked = (): void => {
          const call = { answered: false };
          log.push(call);
          scheduler.schedule(() => (call.answered = true), 4); // when its answer is there
        };
        for (const what of steps) {
          if (what === 'push') {
            if (onTheirWay() < maxEvents) log.push('event');
            else dropped += 1;
            proxy.push(sale(scheduler.now()), scheduler.now());
          } else if (what === 'wait') scheduler.advanceBy(1);
          else if (what === 'unsendable') proxy.query({ region: (() => 0) as never }).catch(() => undefined);
          else {
            asked();
            void (what === 'advance' ? proxy.advance(scheduler.now()) : proxy.query({ region: 'eu' }));
          }
          expect(proxy.dropped).toBe(dropped);
        }
        void proxy.stats();
        scheduler.advanceBy(10);
        expect(engine.position.events).toBe(log.filter((entry) => entry === 'event').length);
      }),
      { numRuns: 500 },
    );
  });

  it.each([{}, { maxEvents: 0 }, { maxEvents: NaN }, { maxEvents: 5, onLimit: 'evict-idle' }, 5])('have limits that are checked: %j', (limits) => {
    expect(() => slow(limits as never)).toThrow(expect.objectContaining({ code: 'invalid-config' }));
  });
});
