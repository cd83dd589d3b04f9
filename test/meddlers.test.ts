import { describe, expect, test } from 'vitest';
import { count, createEngine, preceding, range, sum } from '../src/index.ts';

type Event = Record<string, unknown>;
type Engine = ReturnType<ReturnType<typeof createEngine<Event>>>;

/*
 * An event is the user's: its getters, the filters and `position` may call the engine while it is read. It is taken in after
 * whatever they did, as a plain event would be that is pushed then.
 */

const over = preceding(range(20));
const bounded = [sum('v').over(over), count().over(over).as('n'), sum('w').over(preceding(range(7)))];
const many = [...bounded, sum('x').over(over), sum('y').over(over)];
const plain = (t: number, v: number, more: Event = {}): Event => ({ key: 'a', place: 'p', source: 's', t, v, w: v, x: v, y: v, ...more });

const plans: Record<string, object> = {
  usual: { measures: bounded },
  'many columns': { measures: many },
  lifetime: { measures: [...many, sum('v').as('all')] },
  watermark: { measures: many, watermark: { delay: 5 } },
  sources: { measures: many, watermark: { delay: 3, by: 'source' } },
  'two key columns': { measures: bounded, partitionBy: ['key', 'place'] },
  evicting: { measures: many, limits: { maxKeys: 1, onLimit: 'evict-idle' } },
  refusing: { measures: many, limits: { maxEvents: 3, onLimit: 'drop-new' } },
  strict: { measures: many, onInvalid: 'error' },
  'a delay': { measures: many, frontierSpec: { delay: 6 } },
};

/** A strict engine refuses it loudly. */
const attempt = (act: () => unknown): void => {
  try {
    act();
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid-value' });
  }
};

/** A state from before. */
const begun = new WeakMap<Engine, Uint8Array>();
const acts: Record<string, (engine: Engine) => void> = {
  'pushes an event of another key': (engine) => engine.push(plain(6, 100, { key: 'b', place: 'q', source: 'r' }), 6),
  'pushes a late one': (engine) => engine.push(plain(0.5, 1000), 6),
  'pushes what is of another type': (engine) => attempt(() => engine.push(plain(6, 1, { v: 7n, w: 8n }), 6)),
  'pushes what is refused at its last column': (engine) => attempt(() => engine.push(plain(6, 100, { key: 'b', place: 'q', x: 200, y: 'no number' }), 6)),
  'pushes a batch': (engine) => engine.pushAll([plain(7, 30), plain(8, 40, { key: 'c' })], 8),
  evaluates: (engine) => engine.advance(6),
  'evaluates past the event': (engine) => engine.advance(9),
  'evaluates twice, far ahead': (engine) => [5000, 6000].map((now) => engine.advance(now)),
  asks: (engine) => [engine.query({ key: 'a', place: 'p' }, 30), engine.query({ key: 'c', place: 'p' }), engine.nextBoundary({ key: 'a', place: 'p' })],
  'asks for all rows': (engine) => [engine.queryAll(), engine.queryAll(30)],
  saves: (engine) => [engine.snapshot(), engine.snapshot({ delta: true })],
  'takes up another state': (engine) => engine.restore(begun.get(engine)!),
  'pushes and takes up another state': (engine) => {
    engine.push(plain(6, 100, { key: 'b' }), 6);
    engine.restore(begun.get(engine)!);
  },
};

function start(plan: object, filter?: (event: Event) => boolean, position?: () => readonly [string, number]): Engine {
  const { measures } = plan as { measures: readonly unknown[] };
  const filtered = filter && sum('w').filter(filter).over(over).as('filtered');
  const engine = createEngine<Event>()({ partitionBy: 'key', orderBy: 't', position, ...plan, measures: filtered ? [...measures, filtered] : measures } as never) as unknown as Engine;
  begun.set(engine, engine.snapshot());
  engine.push(plain(1, 1), 1);
  engine.push(plain(2, 2, { key: 'b', place: 'q' }), 2);
  return engine;
}

const stateOf = (engine: Engine): string => JSON.stringify([engine.position.events, [...engine.position.offsets], engine.stats, engine.watermark, engine.frontier]);

function expectAlike(engine: Engine, other: Engine): void {
  expect(stateOf(engine)).toBe(stateOf(other));
  expect(String(engine.snapshot())).toBe(String(other.snapshot()));
  for (const now of [12, 26]) expect(engine.advance(now + Math.max(0, engine.frontier))).toEqual(other.advance(now + Math.max(0, other.frontier)));
}

describe.each(Object.keys(acts))('who %s', (what) => {
  const act = acts[what]!;

  test.each(Object.keys(plans))('in a getter of an event: %s', (name) => {
    for (const column of ['t', 'key', 'place', 'source', 'v', 'w', 'x', 'y']) {
      for (const isAlways of [false, true]) {
        const [engine, other] = [start(plans[name]!), start(plans[name]!)];
        let times = 0;
        const get = (): unknown => {
          if (isAlways || times === 0) {
            times++;
            act(engine);
          }
          return plain(7, 5)[column];
        };
        const result = engine.push(Object.defineProperty(plain(7, 5), column, { get }), 10);
        for (let i = 0; i < times; i++) act(other);
        expect(result).toBe(other.push(plain(7, 5), 10));
        expectAlike(engine, other);
      }
    }
  });

  test.each(Object.keys(plans))('in a filter, which runs once: %s', (name) => {
    let times = 0;
    const meddling = start(plans[name]!, ({ isMeddler }) => {
      if (isMeddler !== true) return true;
      times++;
      act(meddling);
      return true;
    });
    const other = start(plans[name]!, () => true);
    const result = meddling.push(plain(7, 5, { isMeddler: true }), 10);
    expect(times).toBe(1);
    act(other);
    expect(result).toBe(other.push(plain(7, 5), 10));
    expectAlike(meddling, other);
  });

  test.each(Object.keys(plans))('in what says where an event stands: %s', (name) => {
    let isCalm = true, at = 0;
    const place = (): readonly [string, number] => ['p', at];
    const meddling = start(plans[name]!, undefined, () => {
      if (!isCalm) {
        isCalm = true;
        act(meddling);
      }
      return place();
    });
    const other = start(plans[name]!, undefined, place);
    at = 1;
    isCalm = false;
    const result = meddling.push(plain(7, 5), 10);
    act(other);
    expect(result).toBe(other.push(plain(7, 5), 10));
    expectAlike(meddling, other);
  });
});

describe('a listener of dropped events that throws', () => {
  const inWatermark = { watermark: { delay: 1 } };
  const refusals: Record<string, readonly [plan: object, event: Event]> = {
    late: [inWatermark, plain(0, 1)],
    future: [{ maxFutureSkew: 5, onFuture: 'drop' }, plain(100, 1)],
    'without a time': [{}, plain(NaN, 1)],
    'without a key': [{}, plain(9, 1, { key: {} })],
    'without a number': [{}, plain(9, 1, { v: 'text' })],
    'too much': [{ limits: { maxKeys: 1, onLimit: 'drop-new' } }, plain(9, 1, { key: 'b' })],
  };
  const begin = (plan: object, listen: (engine: Engine) => void): Engine => {
    const engine: Engine = createEngine<Event>()({
      partitionBy: 'key', orderBy: 't', measures: bounded, position: ({ place, t }: Event) => [place as string, String(t)], dropped: { next: () => listen(engine) }, ...plan,
    } as never);
    engine.push(plain(4, 1), 4);
    engine.advance(5);
    return engine;
  };

  test.each(Object.keys(refusals))('leaves the engine as it was: %s', (name) => {
    for (const place of ['p', 'another']) {
      const [plan, event] = refusals[name]!;
      const engine = begin(plan, () => { throw new Error('not now'); });
      const before = [stateOf(engine), String(engine.snapshot())];
      expect(() => engine.push({ ...event, place }, 3)).toThrow('not now');
      expect([stateOf(engine), String(engine.snapshot())]).toEqual(before);
    }
  });

  test('leaves what it did itself', () => {
    const engine = begin({}, (one) => {
      one.push(plain(6, 1, { place: 'q' }), 6);
      throw new Error('not now');
    });
    expect(() => engine.push(plain(9, 1, { v: 'text' }), 6)).toThrow('not now');
    expect(engine.position.events).toBe(2);
    expect(engine.stats.invalid).toBe(0);
    expect(engine.advance(7)).toMatchObject([{ n: 2 }]);
  });
});

test('an event that a getter has made one of another type than its columns have is refused', () => {
  const engine = createEngine<Event>()({ partitionBy: 'key', orderBy: 't', measures: bounded } as never) as unknown as Engine;
  const get = (): unknown => {
    engine.push(plain(1, 1, { v: 100n, w: 100n }), 1);
    return 5;
  };
  expect(engine.push(Object.defineProperty(plain(1, 5), 'w', { get }), 1)).toBe('invalid');
  expect(engine.advance(1)).toMatchObject([{ key: 'a', 'sum(v)': 200n, n: 2 }]);
});

describe('a crowd that goes while an event is read, and whose memory is given back', () => {
  const crowd = 20_000;
  const filtered = [...bounded, count().filter((event: Event) => typeof event['go'] === 'function' ? Boolean((event['go'] as () => unknown)()) : true).over(over).as('filtered')];
  const act = (engine: Engine): Engine => {
    engine.advance(900);
    return engine;
  };
  const readers: Record<string, (engine: Engine, event: Event) => Event> = {
    'its filter': (engine, event) => ({ ...event, go: () => act(engine) }),
    ...Object.fromEntries(['t', 'key', 'v', 'w'].map((column) => [`its ${column}`, (engine: Engine, event: Event) => Object.defineProperty({ ...event }, column, { get: () => (act(engine), event[column]) })])),
  };

  test.each(Object.keys(readers))('takes no event along: %s', (name) => {
    for (const measures of name === 'its filter' ? [filtered] : [bounded, filtered]) {
      for (const inBatch of [false, true]) {
        const engine = createEngine<Event>()({ partitionBy: 'key', orderBy: 't', measures } as never) as unknown as Engine;
        engine.pushAll(Array.from({ length: crowd }, (_, i) => plain(1, 1, { key: `guest ${i}` })), 1);
        engine.push(plain(1, 1), 1);
        engine.advance(1);
        const { bytes } = engine.stats;
        const events = [plain(1000, 5, { key: 'early' }), readers[name]!(engine, plain(1000, 5)), plain(1001, 7)];
        if (inBatch) engine.pushAll(events, 1001);
        else for (const each of events) engine.push(each, 1001);
        expect(engine.stats.bytes).toBeLessThan(bytes / 4);
        expect(engine.position.events).toBe(crowd + 4);
        expect(engine.advance(1001)).toMatchObject([{ key: 'early', n: 1 }, { key: 'a', 'sum(v)': 12, n: 2 }]);
      }
    }
  });
});
