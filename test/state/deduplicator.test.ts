import { describe, expect, it, test } from 'vitest';
import type { Dropped } from '../../operators/index.ts';
import { createDeduplicator, type DeduplicatorConfig, type DuplicateReason } from '../../operators/state/index.ts';
import { codeOf } from '../support/codeOf.ts';

interface Order {
  readonly id: string | number;
  readonly at: number;
}
const order = (id: Order['id'], at: number): Order => ({ id, at });
const open = (settings: Partial<DeduplicatorConfig<Order>> = {}) => createDeduplicator<Order>()({ by: 'id', ...settings });

describe('duplicates', () => {
  it('are told, with the reason; what passes leaves with the next evaluation, in order of arrival', () => {
    const drops: Dropped<Order, DuplicateReason>[] = [];
    const orders = open({ dropped: { next: (drop) => drops.push(drop) } });
    orders.pushAll([order('b', 2), order('a', 1), order('b', 3)], 5);

    expect(orders.nextBoundary()).toBe(5);
    expect(orders.advance(5)).toEqual([order('b', 2), order('a', 1)]);
    expect(orders.advance(6)).toEqual([]);
    expect(orders.nextBoundary()).toBeUndefined();
    expect(drops).toEqual([{ event: order('b', 3), reason: 'duplicate', eventTime: NaN, watermark: -Infinity, lateBy: 0 }]);
    expect(orders.stats).toMatchObject({ keys: 2, passed: 2, duplicates: 1 });
  });

  it('are looked for on both sides of what passed, exactly within the length', () => {
    const orders = open({ orderBy: 'at', within: 10, watermark: 1000 });

    expect([100, 110, 109.5, 90, 90.5, 95, 80.1].map((at) => orders.push(order(7, at), 200))).toEqual(['passed', 'passed', 'duplicate', 'passed', 'duplicate', 'duplicate', 'duplicate']);
    expect(orders.stats.keys).toBe(1);
  });

  it('are forgotten when the watermark has passed them by the length, and their keys named', () => {
    const orders = open({ orderBy: 'at', within: 10 });
    for (const at of [100, 109, 119, 120]) {
      orders.push(order(at < 110 ? 'old' : at, at), at);
      orders.advance(at);
    }
    expect(orders.watermark).toBe(109);
    expect(orders.removed).toEqual([]);
    orders.advance(121); // W = 110

    expect(orders.removed).toEqual([{ id: 'old' }]);
    expect(orders.stats).toMatchObject({ keys: 2, duplicates: 1, evicted: 0 });
    expect(orders.push(order('old', 110), 121)).toBe('late');
    expect(orders.push(order('old', 110.5), 121)).toBe('passed');
  });

  it('have a watermark for a length, and a length for a watermark', () => {
    const byWatermark = open({ orderBy: 'at', watermark: { delay: 10 } });
    byWatermark.push(order(1, 100), 100);

    expect(byWatermark.push(order(1, 109), 100)).toBe('duplicate');
    expect(byWatermark.push(order(1, 110), 100)).toBe('passed');
    expect(codeOf(() => open({ orderBy: 'at', watermark: 0 }))).toBe('invalid-config');
    expect(codeOf(() => open({ within: 10 }))).toBe('invalid-config');
    expect(codeOf(() => open({ orderBy: 'at', within: 0 }))).toBe('invalid-duration');
    expect(codeOf(() => open({ onFuture: 'hold' as never }))).toBe('invalid-config');
  });

  it('stop at the limits', () => {
    const evicting = open({ limits: { maxKeys: 2, onLimit: 'evict-idle' } });
    const dropping = open({ limits: { maxKeys: 2, onLimit: 'drop-new' } });
    const failing = open({ limits: { maxKeys: 2 } });
    const ids = ['a', 'b', 'a', 'c', 'b'];

    expect(ids.map((id) => evicting.push(order(id, 1), 1))).toEqual(['passed', 'passed', 'duplicate', 'passed', 'passed']); // b goes for c
    evicting.advance(1);
    expect(evicting.removed).toEqual([{ id: 'a' }]); // b came back
    expect(ids.map((id) => dropping.push(order(id, 1), 1))).toEqual(['passed', 'passed', 'duplicate', 'limit', 'duplicate']);
    expect(codeOf(() => failing.pushAll(ids.map((id) => order(id, 1)), 1))).toBe('limit-exceeded');
    expect(failing.position.events).toBe(3);
  });

  it('are not forgotten for an evicted key that had the place before', () => {
    const orders = open({ orderBy: 'at', within: 10, limits: { maxKeys: 1, onLimit: 'evict-idle' } });
    for (const [id, at] of [['a', 100], ['b', 105], ['b', 120]] as const) {
      orders.push(order(id, at), at);
      orders.advance(at);
    }
    orders.advance(121); // W = 110: what was noted of a is over

    expect(orders.push(order('b', 125), 125)).toBe('duplicate');
    expect(orders.stats).toMatchObject({ keys: 1, passed: 3, evicted: 1 });
  });

  it('of the future pass at once, unless they are not to', () => {
    expect(open({ orderBy: 'at', within: 5 }).push(order(1, 1e9), 0)).toBe('passed');
    expect(open({ orderBy: 'at', within: 5, onFuture: 'drop' }).push(order(1, 1e9), 0)).toBe('future');
  });

  it('survive a restart together with what had passed and not left', () => {
    const orders = open({ limits: { maxKeys: 2, onLimit: 'evict-idle' }, encodeEvent: ({ id, at }) => [id, at], decodeEvent: (saved) => order(...(saved as [string, number])) });
    const restored = open({ limits: { maxKeys: 2, onLimit: 'evict-idle' }, encodeEvent: () => 0, decodeEvent: (saved) => order(...(saved as [string, number])) });
    orders.pushAll([order('a', 1), order('b', 2), order('a', 3)], 5);
    restored.restore(orders.snapshot());

    expect(restored.advance(6)).toEqual([order('a', 1), order('b', 2)]);
    expect(restored.push(order('c', 7), 7)).toBe('passed'); // b had been idle for longer
    expect(restored.push(order('a', 7), 7)).toBe('duplicate');
    expect(restored.stats).toMatchObject({ keys: 2, passed: 3, duplicates: 2, evicted: 1 });
    expect(codeOf(() => open({ orderBy: 'at', within: 5 }).restore(orders.snapshot()))).toBe('snapshot-plan-changed');
  });
});

test('a hundred thousand keys are forgotten in order, whatever order they came in', () => {
  const orders = open({ orderBy: 'at', within: 1000 });
  for (let i = 0; i < 100_000; i++) {
    orders.push(order(i, i - (i % 7) * 100), i);
    if (i % 1000 === 0) orders.advance(i);
  }
  orders.advance(100_000);

  expect(orders.stats.keys).toBeLessThan(3000);
});

test('what is noted of keys that limits evicted takes no memory, also where the watermark stands still', () => {
  const orders = open({ orderBy: 'at', within: 1000, limits: { maxKeys: 10, onLimit: 'evict-idle' } });
  const { times } = orders as unknown as { times: { heap: { size: number } } };
  for (let i = 0; i < 10_000; i++) {
    orders.push(order(i, i === 5000 ? 1 : 0), 0);
    orders.advance(0);
  }
  expect(times.heap.size).toBeLessThan(100);

  orders.push(order('late', 1001), 1001);
  orders.push(order('later', 2002), 2002);
  orders.advance(2002);
  orders.advance(2003); // W = 1002: all of the first instant is behind it
  orders.push(order('last', 3010), 3010);
  orders.advance(3011);
  orders.advance(3012);
  expect(orders.stats.keys).toBe(2); // 'later' and 'last'
});

test('a busy key is looked up as fast as any, however far behind the watermark is', { timeout: 20_000 }, () => {
  const orders = open({ orderBy: 'at', within: 1, watermark: '1 hour' }), many = 150_000;
  for (let i = 0; i < many; i++) {
    orders.push(order('a', i), i);
    if (i % 1000 === 0) orders.advance(i);
  }
  expect(orders.push(order('a', many - 1.5), many)).toBe('duplicate');
  expect(orders.stats).toMatchObject({ passed: many, keys: 1 });

  orders.push(order('b', 1e9), 1e9);
  orders.advance(1e9);
  orders.advance(1e9 + 1);
  expect(orders.stats.keys).toBe(1);
});
