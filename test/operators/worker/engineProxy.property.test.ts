import { MessageChannel } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { collect, count, last, max, preceding, range, RollingWindowError, rows, sum, topK, type AnyEngineConfig, type AnyMeasure } from '../../../src/index.ts';
import { engineProxy, exposeEngine, type EngineProxy } from '../../../operators/worker/index.ts';
import type { AnyEngine, Columns } from '../../support/duel.ts';
import { startEngine } from '../../support/engines.ts';
import { moody } from '../../support/salesEngine.ts';

/**
 * The same calls go to an engine here and, over ports that are real and asynchronous, to one that is exposed. Everything
 * that comes back must be equal: rows, removed keys, boundaries, bytes of snapshots, and errors with their parts.
 */

const recent = preceding(range(8));
const measures: Record<string, AnyMeasure> = {
  sum: sum('v').over(recent),
  max: max('w').over(preceding(range(20))),
  all: collect('v', 5).over(recent),
  last: last('w'),
  count: count().over(preceding(range(3.5))),
  odd: count().filter((event: { f: unknown }) => event.f !== true).as('odd'),
  top: topK('w', 2).over(preceding(rows(4))),
  moody: moody('v').over(recent).as('moody'),
};

const values: Record<string, readonly unknown[]> = {
  numbers: [1, 2, -0.5, 13, 0, -0, 7, 1e300],
  odd: [NaN, Infinity, -Infinity, -0, null, undefined, 3, 2 ** 60],
  texts: ['a', '', '\u{1F600}', '\uD800', 'b', null, 'text'],
  dates: [new Date(5), new Date(1e12), null, new Date(NaN)],
  bigints: [1n, -(2n ** 70n), 0n, null],
  mixed: [1, 'x', true, new Date(0), 2n, null, undefined, [1], { a: 1 }],
};

interface Setting {
  readonly config: AnyEngineConfig;
  readonly v: readonly unknown[];
  readonly w: readonly unknown[];
  readonly keys: readonly unknown[];
}

const sets = fc.constantFrom(...Object.values(values));
const settings: fc.Arbitrary<Setting> = fc.record({
  v: sets,
  w: sets,
  keys: fc.constantFrom<readonly unknown[]>(['a', 'b', 'c'], ['a'], [1, '1', null, undefined, new Date(1), 1n, true, '__proto__', {}]),
  config: fc.record({
    partitionBy: fc.constant('k'),
    orderBy: fc.constant('t'),
    measures: fc.uniqueArray(fc.constantFrom(...Object.values(measures)), { minLength: 1, maxLength: 4 }),
    frontierSpec: fc.constantFrom({ delay: 0 }, { delay: 3 }, { alias: 'now' }),
    watermark: fc.constantFrom<AnyEngineConfig['watermark']>(undefined, 5, { delay: 2, by: 's' } as never),
    emit: fc.constantFrom('changed', 'changed', 'every', 'none'),
    onInvalid: fc.constantFrom('drop', 'drop', 'error'),
    maxFutureSkew: fc.constantFrom(10, false),
    onFuture: fc.constantFrom('hold', 'drop', 'error'),
    limits: fc.constantFrom<AnyEngineConfig['limits']>(undefined, undefined, { maxKeys: 2 }, { maxEvents: 5, onLimit: 'evict-idle' }, { maxKeys: 2, keyTtl: 12, onLimit: 'drop-new' }),
  } as const) as unknown as fc.Arbitrary<AnyEngineConfig>,
});

type Step = readonly [what: 'push' | 'pushAll' | 'advance' | 'query' | 'queryAll' | 'boundary' | 'snapshot' | 'delta' | 'restore' | 'stats' | 'position', wait: number, key: number, offset: number, v: number, w: number];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(...(['push', 'push', 'push', 'push', 'push', 'pushAll', 'advance', 'advance', 'query', 'queryAll', 'boundary', 'snapshot', 'delta', 'delta', 'restore', 'restore', 'stats', 'position'] as const)),
  fc.oneof({ weight: 6, arbitrary: fc.nat(3) }, fc.integer({ min: -5, max: 40 })),
  fc.nat(8),
  fc.integer({ min: -12, max: 15 }),
  fc.nat(8),
  fc.nat(8),
);

/** A call that is answered, as both sides give it: a value, or an error with its parts. */
const outcome = (call: () => unknown): unknown => {
  try {
    return { value: call() };
  } catch (error) {
    return { error: shownError(error) };
  }
};

function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, cause } = error as Error & { readonly cause?: unknown };
  const { code, expected, given, remedy } = error as Partial<RollingWindowError>;
  const parts = error instanceof RollingWindowError ? { code, expected, given, remedy } : {};
  return { class: error.constructor.name, name, message, ...parts, cause: shownError(cause) };
}

/** The engine as whoever holds a proxy sees it: what an event throws comes with the next call, and those between are lost. */
class Patient {
  private fault: { readonly error: unknown } | undefined;
  private readonly engine: AnyEngine;

  constructor(engine: AnyEngine) {
    this.engine = engine;
  }

  push(event: Columns, now: number): void {
    try {
      if (!this.fault) this.engine.push(event, now);
    } catch (error) {
      this.fault = { error };
    }
  }

  ask<T>(call: (engine: AnyEngine) => T): T {
    const { fault, engine } = this;
    this.fault = undefined;
    try {
      if (fault) throw fault.error;
      return call(engine);
    } finally {
      engine.nextBoundary(); // is in every answer, and to look for it may sort what takes memory
    }
  }
}

type AnyProxy = EngineProxy<Columns, Columns, Columns>;

const { port1, port2 } = new MessageChannel();
afterAll(() => port1.close());

const evaluation = (engine: AnyEngine, now: number): unknown => {
  const given = engine.advance(now);
  return { rows: given, removed: [...engine.removed], frontier: engine.frontier, watermark: engine.watermark };
};

/** What a course gives here, and through the ports; calls wait for answers only at its end. */
async function run({ config, v, w, keys }: Setting, steps: readonly Step[]): Promise<[here: unknown[], there: unknown[]]> {
  const here: unknown[] = [], there: Promise<unknown>[] = [];
  const patient = new Patient(startEngine(config));
  const unexpose = exposeEngine(startEngine(config), port2);
  const proxy = engineProxy<AnyEngine>(port1, { columns: ['k', 't', 'v', 'w', 'f', 's'] });
  let now = 1000;
  let saved: Uint8Array[] = [];

  const both = (call: (engine: AnyEngine) => unknown, asked: (engine: AnyProxy) => Promise<unknown>): void => {
    here.push(outcome(() => patient.ask(call)));
    const asking = asked(proxy);
    there.push(asking.then((value) => ({ value }), (error: unknown) => ({ error: shownError(error) })));
  };
  const eventOf = ([, , key, offset, vAt, wAt]: Step): Columns => ({
    ...(keys[key % keys.length] === undefined ? {} : { k: keys[key % keys.length] }),
    t: offset === 15 ? NaN : now + offset,
    v: v[vAt % v.length],
    w: w[wAt % w.length],
    f: vAt % 2 === 0,
    s: wAt % 3 === 0 ? null : `source ${String(wAt % 2)}`,
  });

  for (const one of steps) {
    const [what, wait, keyAt, offset] = one;
    now += wait;
    const at = now, k = keys[keyAt % keys.length];
    switch (what) {
      case 'push':
      case 'pushAll': {
        const events = Array.from({ length: what === 'push' ? 1 : 3 }, () => eventOf(one));
        for (const event of events) patient.push(event, at);
        proxy.pushAll(events, at);
        break;
      }
      case 'advance':
        both((engine) => evaluation(engine, at), (engine) => engine.advance(at).then(({ rows: given, removed, frontier, watermark }) => ({ rows: given, removed, frontier, watermark })));
        break;
      case 'query':
        both((engine) => engine.query({ k }, at + offset), (engine) => engine.query({ k }, at + offset));
        break;
      case 'queryAll':
        both((engine) => engine.queryAll(at + offset), (engine) => engine.queryAll(at + offset));
        break;
      case 'boundary':
        both((engine) => engine.nextBoundary(offset > 0 ? { k } : undefined), (engine) => engine.nextBoundary(offset > 0 ? { k } : undefined));
        break;
      case 'snapshot':
        both((engine) => (saved = [engine.snapshot()])[0], (engine) => engine.snapshot());
        break;
      case 'delta':
        both(
          (engine) => {
            const part = engine.snapshot({ delta: true });
            saved = [...saved, part];
            return part;
          },
          (engine) => engine.snapshot({ delta: true }),
        );
        break;
      case 'restore': {
        const parts = saved;
        both((engine) => engine.restore(parts), (engine) => engine.restore(parts));
        break;
      }
      case 'stats':
        both((engine) => engine.stats, (engine) => engine.stats());
        break;
      case 'position':
        both((engine) => engine.position, (engine) => engine.position());
        break;
    }
  }
  both((engine) => evaluation(engine, now + 1000), (engine) => engine.advance(now + 1000).then(({ rows: given, removed, frontier, watermark }) => ({ rows: given, removed, frontier, watermark })));
  const answers = await Promise.all(there);
  proxy.close();
  unexpose();
  return [here, answers];
}

it('an engine in a worker gives what the same calls give here', { timeout: Number(process.env['COURSES'] ?? 1000) * 120 }, async () => {
  const seen = { values: 0, rows: 0, asked: 0, removed: 0, errors: new Set<unknown>() };
  await fc.assert(
    fc.asyncProperty(settings, fc.array(step, { minLength: 5, maxLength: 30, size: 'max' }), async (setting, steps) => {
      const [here, there] = await run(setting, steps);
      expect(there).toStrictEqual(here);
      for (const { error, value } of here as { error?: { code?: string; name: string }; value?: { rows?: unknown[]; removed?: unknown[] } }[]) {
        if (error) seen.errors.add(error.code ?? error.name);
        else seen.values += 1;
        if (Array.isArray(value?.rows)) seen.rows += value.rows.length;
        if (Array.isArray(value)) seen.asked += value.length;
        seen.removed += value?.removed?.length ?? 0;
      }
    }),
    { numRuns: Number(process.env['COURSES'] ?? 250) },
  );
  // The courses go where they should.
  expect(Math.min(seen.values, seen.rows, seen.asked, seen.removed)).toBeGreaterThan(150);
  expect([...seen.errors]).toEqual(expect.arrayContaining(['invalid-value', 'invalid-key', 'future-event', 'limit-exceeded', 'user-code', 'snapshot-chain-broken']));
});
