import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDeduplicator } from '../../operators/state/index.ts';
import { NaiveDeduplicator } from '../support/naiveState.ts';

interface Order {
  readonly k: string | number | null | undefined;
  readonly t: number;
  readonly id: number;
}

const step = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constant('push' as const), fc.constantFrom('a', 'b', 'c', 1, '1', null, undefined), fc.oneof({ weight: 20, arbitrary: fc.integer({ min: -25, max: 6 }) }, fc.constant(NaN))) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('advance' as const), fc.nat(9)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('jump' as const), fc.integer({ min: -10, max: 40 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('restart' as const)) },
);

test('what passes, what is dropped and what is remembered are those of the plain loop, across restarts', () => {
  fc.assert(
    fc.property(fc.constantFrom(undefined, 3, 10), fc.constantFrom(undefined, 0, 5, 20), fc.array(step, { maxLength: 60 }), (within, watermark, steps) => {
      fc.pre(within !== undefined || watermark !== 0);
      const naive = new NaiveDeduplicator<Order>(within ?? watermark, watermark);
      const open = () => createDeduplicator<Order>()({ by: 'k', orderBy: 't', within, watermark });
      let core = open(), now = 100, passed: Order[] = [];
      steps.forEach(([what, ...details], id) => {
        if (what === 'push') {
          const [k, offset] = details as [Order['k'], number];
          const order = { k, t: now + offset, id };
          const result = naive.push(order, now);
          if (result === 'passed') passed.push(order);
          expect(core.push(order, now)).toBe(result);
        } else if (what === 'restart') {
          const bytes = core.snapshot();
          core = open();
          core.restore(bytes);
          expect(core.snapshot()).toEqual(bytes);
        } else {
          now += details[0] as number;
          naive.watermark.evaluate(now);
          expect(core.advance(now)).toEqual(passed);
          passed = [];
          expect(core.watermark).toBe(naive.watermark.value);
          expect(core.stats.keys).toBe(naive.keys);
        }
      });
    }),
    { numRuns: 1500 },
  );
}, 120_000);
