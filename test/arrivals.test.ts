import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { avg, count, createEngine, preceding, range, since, sum } from '../src/index.ts';
import { internalsOf } from '../src/internals.ts';

type Event = Record<string, unknown>;
type Start = (settings?: object) => ReturnType<ReturnType<typeof createEngine<Event>>>;

const over = preceding(range(20));
const bounded = [sum('v').over(over), count().over(over).as('n'), avg('w').over(preceding(range(7)))];
const plans: readonly object[] = [
  { measures: bounded },
  { measures: [...bounded, sum('x').over(over), sum('y').over(over)] },
  { measures: [...bounded, sum('v').as('all')] },
  { measures: [sum('v')] },
  { measures: [sum('v').over(since(range(10)))] },
  { measures: [count().over(over)] },
  { measures: bounded, maxFutureSkew: 15 },
  { measures: bounded, maxFutureSkew: false },
  { measures: bounded, frontierSpec: { delay: 6 } },
  { measures: bounded, watermark: { delay: 5 } },
  { measures: [sum('v').filter((event: Event) => event['w'] !== 3).over(over)] },
  { measures: bounded, limits: { maxKeys: 2, onLimit: 'drop-new' } },
];
/** As text: a matcher goes through bytes one by one. */
const stateOf = (engine: ReturnType<Start>): string => String(engine.snapshot());
const start: Start = (settings) => createEngine<Event>()({ partitionBy: 'key', orderBy: 't', measures: bounded, ...settings } as never);

/** Where all is plain, no oddity keeps the usual way shut from then on. */
const eventOf = (plain: boolean) => {
  const rarely = <T>(usual: fc.Arbitrary<T>, ...odd: unknown[]): fc.Arbitrary<unknown> => (plain ? usual : fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...odd) }));
  const number = rarely(fc.constantFrom(-3, -0, 0, 1, 2, 3, 4.5), NaN, Infinity, null, undefined, 'text', 1n);
  return fc.record({
    key: rarely(fc.constantFrom('a', 'b', 'c'), 1, null, {}, '\0d1'),
    ahead: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -4, max: 4 }) }, { weight: 1, arbitrary: fc.constantFrom(-30, -20, -7, 15, 16, 40, NaN, Infinity) }),
    v: number,
    w: number,
    x: number,
    y: number,
  });
};
const batchOf = (plain: boolean) => {
  const event = plain ? eventOf(true) : fc.oneof({ weight: 19, arbitrary: eventOf(false) }, { weight: 1, arbitrary: fc.constantFrom(null, undefined, 5) });
  return fc.record({ move: fc.integer({ min: -3, max: 12 }), inOrder: fc.boolean(), events: fc.array(event, { maxLength: 12 }) });
};
const course = fc.boolean().chain((plain) => fc.array(batchOf(plain), { maxLength: 12 }));

describe('a batch', () => {
  test('comes to what its events come to one by one', () => {
    fc.assert(
      fc.property(fc.constantFrom(...plans), fc.boolean(), course, fc.boolean(), (plan, eventTime, batches, asList) => {
        const [whole, single] = [start(plan), start(plan)];
        for (const engine of [whole, single]) internalsOf(engine).eventTimeClock = eventTime;
        let now = 0;
        for (const { move, inOrder, events } of batches) {
          now += move;
          const timed = events.map((each) => (typeof each === 'object' && each !== null ? { ...each, t: now + each.ahead } : each)) as (Event | null)[];
          if (inOrder) timed.sort((a, b) => Number(a?.['t']) - Number(b?.['t']));
          const given = (asList ? timed : new Set(timed)) as Iterable<Event>;
          whole.pushAll(given, now);
          for (const one of given) single.push(one, now);
          if (move % 2 === 0) expect(whole.advance(now)).toEqual(single.advance(now));
        }
        expect(stateOf(whole)).toBe(stateOf(single));
        expect(whole.stats).toEqual(single.stats);
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  test('before any reading is taken in likewise', () => {
    const [whole, single] = [start(), start()];
    const events = [1, 2, 3].map((t) => ({ key: 'a', t, v: 1, w: 1 }));
    whole.pushAll(events, -Infinity);
    for (const each of events) single.push(each, -Infinity);
    expect(stateOf(whole)).toBe(stateOf(single));
  });

  test.each([NaN, Infinity, '5'])('at %s is refused like its first event, and an empty one is nothing', (reading) => {
    const engine = start();
    engine.pushAll([{ key: 'a', t: 1, v: 1, w: 1 }], 1);
    expect(() => engine.pushAll([{ key: 'a', t: 2, v: 1, w: 1 }], reading as never)).toThrow(/clock reading/);
    engine.pushAll([], reading as never);
    expect(engine.position.events).toBe(1);
  });

  test('keeps the events before the one that throws', () => {
    const engine = start({ onInvalid: 'error' });
    const valued = (t: number, v: unknown): Event => ({ key: 'a', t, v, w: 1 });
    expect(() => engine.pushAll([valued(1, 1), valued(2, 2), valued(3, 3), valued(4, 'text'), valued(5, 5)], 5)).toThrow(/text/);
    expect(engine.position.events).toBe(3);
    expect(engine.advance(5)).toMatchObject([{ n: 3, 'sum(v)': 6 }]);
  });

  test('is met as a loop would meet it: an array that grows and shrinks, one with a loop of its own', () => {
    const engine = start();
    engine.push({ key: 'a', t: 1, v: 0, w: 0 }, 1);
    const events: Event[] = [];
    const acting = (act: () => void): Event => ({ key: 'a', t: 2, w: 1, get v() { act(); return 1; } });
    let grown = false;
    events.push(acting(() => { if (!grown) events.push({ key: 'a', t: 2, v: 10, w: 1 }); grown = true; }));
    engine.pushAll(events, 2);
    const last: Event[] = [{ key: 'a', t: 3, v: 20, w: 1 }, { key: 'a', t: 3, w: 1, get v() { last.length = 0; return '' as never; } }];
    engine.pushAll(last, 3);
    expect(engine.stats).toMatchObject({ invalid: 1 });
    engine.pushAll(Object.assign([{ key: 'a', t: 4, v: 1000, w: 1 }], { *[Symbol.iterator]() { yield { key: 'a', t: 4, v: 100, w: 1 }; } }), 4);
    expect(engine.advance(4)).toMatchObject([{ 'sum(v)': 131 }]);
  });

  const sale = (t: number, v: number): Event => ({ key: 'a', t, v, w: v, x: v, y: v });
  /** What the engine was like when it began. */
  const begun = new WeakMap<object, Uint8Array>();
  const before = (engine: object): Uint8Array => begun.get(engine)!;
  const meddlers: readonly (readonly [string, (engine: ReturnType<Start>) => void])[] = [
    ['pushes', (engine) => engine.push({ ...sale(6, 100), key: 'b' }, 6)],
    ['pushes a batch', (engine) => engine.pushAll([sale(7, 30), sale(8, 40)], 8)],
    ['evaluates', (engine) => engine.advance(6)],
    ['evaluates past the event', (engine) => engine.advance(8)],
    ['evaluates far ahead', (engine) => engine.advance(5000)],
    ['asks', (engine) => engine.query({ key: 'a' }, 30)],
    ['takes up another state', (engine) => engine.restore(before(engine))],
    [
      'pushes and takes up another state',
      (engine) => {
        engine.push(sale(6, 100), 6);
        engine.restore(before(engine));
      },
    ],
  ];

  test.each(meddlers)('with a getter that %s comes to what its events come to one by one', (_, act) => {
    for (const plan of plans.slice(0, 5)) {
      for (const column of ['t', 'key', 'v', 'w', 'x', 'y']) {
        const [whole, single] = [start(plan), start(plan)];
        for (const engine of [whole, single]) {
          engine.push(sale(1, 0), 1);
          begun.set(engine, engine.snapshot());
          let done = false;
          const meddling = Object.defineProperty(sale(7, 5), column, {
            get: () => {
              if (!done) act(engine);
              done = true;
              return sale(7, 5)[column];
            },
          });
          const events = [sale(5, 1), meddling, sale(9, 2), sale(10, 4)];
          if (engine === whole) engine.pushAll(events, 10);
          else for (const each of events) engine.push(each, 10);
        }
        expect(stateOf(whole)).toBe(stateOf(single));
        expect(whole.advance(12)).toEqual(single.advance(12));
      }
    }
  });
});
