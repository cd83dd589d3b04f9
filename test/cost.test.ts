import { afterEach, describe, expect, test, vi } from 'vitest';
import { FrequencyOrder } from '../src/aggregates/frequencyOrder.ts';
import { Occurrences } from '../src/aggregates/occurrences.ts';
import { avg, count, createEngine, currentRow, max, min, mode, preceding, range, sum, topK, unboundedPreceding, Window, windowColumns } from '../src/index.ts';
import { EventStore } from '../src/windows/eventStore.ts';
import { NumericKernel } from '../src/windows/numericKernel.ts';

/**
 * What an event costs, counted and not timed: the steps of a seeded stream are the same on every machine. The bounds lie
 * a little above what is counted today; whoever gets above them has made every event dearer.
 */
interface Scene {
  readonly keys: number;
  readonly window: number;
  readonly tick: number;
  readonly lookbacks: readonly number[];
  /** The share of events that come late, by up to half a window. */
  readonly late: number;
}

interface Cost {
  /** States merged into others. */
  readonly merges: number;
  /** Events folded into states. */
  readonly folded: number;
  /** Look-ups of keys. */
  readonly lookUps: number;
  /** Typed arrays made. */
  readonly arrays: number;
}

interface Sale {
  readonly key: string;
  readonly t: number;
  readonly v: number;
}

const perMs = 10;
const over = (length: number) => [sum('v'), count('v'), avg('v'), min('v'), max('v')].map((measure, i) => measure.over(preceding(range(length))).as(`m${i} ${length}`));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Counts per event, once the window has been filled twice. */
function costOf({ keys, window, tick, lookbacks, late }: Scene): Cost {
  const arrays = countArrays();
  const engine = createEngine<Sale>()({ partitionBy: 'key', orderBy: 't', measures: lookbacks.flatMap(over) });
  const draw = random(7);
  const events: Sale[] = [];
  let now = 0;
  const step = (): void => {
    now += tick;
    for (let i = tick * perMs; i > 0; i--) {
      const t = now - i / perMs + 1 / perMs - (draw() < late ? (draw() * window) / 2 : 0);
      events.push({ key: `key ${Math.floor(draw() * keys)}`, t, v: draw() });
    }
    for (const event of events.splice(0)) engine.push(event, now);
    engine.advance(now);
  };
  while (now < 2 * window) step();

  const prototype = NumericKernel.prototype as unknown as Record<'merge' | 'foldRun', (into: Float64Array, at: number, from: number, to: number) => void>;
  const merges = vi.spyOn(prototype, 'merge'), folds = vi.spyOn(prototype, 'foldRun'), lookUps = vi.spyOn(Map.prototype, 'get');
  const arraysBefore = arrays(), from = now;
  while (now < from + window) step();
  const per = (total: number): number => total / ((now - from) * perMs);
  const folded = folds.mock.calls.reduce((total, [, , first, end]) => total + end - first, 0);
  return { merges: per(merges.mock.calls.length), folded: per(folded), lookUps: per(lookUps.mock.calls.length), arrays: per(arrays() - arraysBefore) };
}

/** Makes typed arrays be counted from now on. */
function countArrays(): () => number {
  let made = 0;
  for (const name of ['Float64Array', 'Int32Array', 'Uint8Array'] as const) {
    const counted = class extends (globalThis[name] as typeof Float64Array) {
      constructor(...given: [number]) {
        super(...given);
        made++;
      }
    };
    vi.stubGlobal(name, counted);
  }
  return () => made;
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 48_271) + 1) & 0x7fffffff;
    return state / 0x80000000;
  };
}

describe('an event costs at most', () => {
  test.each<[string, Scene, Cost]>([
    ['one key, a long window', { keys: 1, window: 1000, tick: 50, lookbacks: [1000], late: 0 }, { merges: 0.034, folded: 1.1, lookUps: 0, arrays: 0 }],
    ['one key, three windows', { keys: 1, window: 1000, tick: 50, lookbacks: [1000, 300, 50], late: 0 }, { merges: 0.095, folded: 1.25, lookUps: 0, arrays: 0 }],
    ['many keys, short windows', { keys: 200, window: 200, tick: 5, lookbacks: [200], late: 0 }, { merges: 0, folded: 17, lookUps: 1, arrays: 0 }],
    ['several keys, long windows', { keys: 20, window: 1000, tick: 10, lookbacks: [1000], late: 0 }, { merges: 0.032, folded: 2.05, lookUps: 1, arrays: 0 }],
    ['a tenth of them late', { keys: 1, window: 1000, tick: 50, lookbacks: [1000], late: 0.1 }, { merges: 0.58, folded: 2.5, lookUps: 0, arrays: 0 }],
  ])('%s', (_, scene, bounds) => {
    const cost = costOf(scene);
    for (const name of ['merges', 'folded', 'lookUps', 'arrays'] as const) expect(cost[name], name).toBeLessThanOrEqual(bounds[name]);
  });
});

describe('a question looks at', () => {
  const keys = 100, held = 2000;
  /** So many events are held, 20 of each key, and one of each is in a window. The key is asked again and again, with an event in between. */
  const looksOf = (ask: (engine: { query(key: { key: string }, now: number): unknown; nextBoundary(key: { key: string }): unknown }) => void): number => {
    const engine = createEngine<Sale>()({ partitionBy: 'key', orderBy: 't', frontierSpec: { delay: 1000 }, measures: over(500) });
    const push = (i: number): unknown => engine.push({ key: `key ${i % keys}`, t: i, v: 1 }, held + keys);
    for (let i = 0; i < keys; i++) push(1000 + i);
    engine.advance(1000 + keys + 1000);
    for (let i = 0; i < held; i++) push(1200 + i);
    for (let i = 0; i < 3; i++) ask(engine);
    const looks = vi.spyOn(EventStore.prototype, 'timeAt');
    for (let i = 0; i < 100; i++) {
      push(1200 + held + i);
      ask(engine);
    }
    const counted = looks.mock.calls.length;
    looks.mockRestore();
    return counted / 100;
  };

  test('its own key, not at all that is held', () => {
    expect(looksOf((engine) => engine.nextBoundary({ key: 'key 7' }))).toBeLessThan(5);
    expect(looksOf((engine) => engine.query({ key: 'key 7' }, held + 200))).toBeLessThan(8);
    expect(looksOf((engine) => engine.query({ key: 'key 7' }, 2 * held))).toBeLessThan(60); // some of them have entered by then
  });
});

describe('the most frequent of n values that nearly all differ, asked for n times, cost at most', () => {
  /** Comparisons, and values looked at, for each of n answers and binary digit of n. */
  const stepsOf = (n: number, answer: () => void): number => {
    let steps = 0;
    const order = FrequencyOrder.prototype as unknown as { isBefore(a: number, b: number): boolean }, all = Occurrences.prototype;
    const { isBefore } = order, { each } = all;
    order.isBefore = function (a, b) {
      steps++;
      return isBefore.call(this, a, b);
    };
    all.each = function (visit) {
      steps += this.size;
      each.call(this, visit);
    };
    try {
      answer();
    } finally {
      order.isBefore = isBefore;
      all.each = each;
    }
    return steps / (n * Math.log2(n));
  };
  const draw = random(5);
  const values: Readonly<Record<string, (i: number, n: number) => unknown>> = {
    rising: (i) => i,
    falling: (i, n) => n - i,
    scattered: () => Math.floor(draw() * 1e9),
    'now and then twice': (_, n) => new Date(Math.floor(draw() * 2 * n)),
  };
  const spans = { 'all rows so far': () => unboundedPreceding, 'the last half': (n: number) => -n / 2, 'the last hundred': () => -99 };
  const courses = Object.keys(values).flatMap((name) => Object.keys(spans).map((span) => [name, span] as const));

  test.each(courses)('%s, of %s', (name, span) => {
    for (const n of [500, 2000, 8000]) {
      const rows = Array.from({ length: n }, (_, t) => ({ t, v: values[name]!(t, n) as number }));
      const over = Window.orderBy('t').rowsBetween(spans[span as keyof typeof spans](n), currentRow);
      expect(stepsOf(n, () => windowColumns(rows, { columns: [mode('v').over(over)] })), `mode, ${n} rows`).toBeLessThan(1.5);
      expect(stepsOf(n, () => windowColumns(rows, { columns: [topK('v', 3).over(over)] })), `topK, ${n} rows`).toBeLessThan(2.2);
    }
  });

  test('of a window of events, and of all there ever were', () => {
    for (const n of [500, 2000, 8000]) {
      const engine = createEngine<Sale>()({ partitionBy: [], orderBy: 't', measures: [mode('v').over(preceding(range(n / 2))).as('lately'), mode('v').as('ever')] });
      const steps = stepsOf(n, () => {
        for (let t = 0; t < n; t++) {
          engine.push({ key: '', t, v: (t * 7919) % 10_007 }, t);
          engine.advance(t);
        }
      });
      expect(steps, `${n} events`).toBeLessThan(1.4);
    }
  });
});
