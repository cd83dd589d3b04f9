import { expect, test } from 'vitest';
import { Watermarks as WatermarksOfSources } from '../src/admission/watermarks.ts';
import type { AnyAggregate } from '../src/aggregates/aggregate.ts';
import type { AnyEngineConfig } from '../src/config.ts';
import type { Core } from '../src/core.ts';
import { INTERNALS, internalsOf, type PartInSteps } from '../src/internals.ts';
import type { AnyEngine, StartEngine } from './support/duel.ts';
import { startEngine } from './support/engines.ts';
import { foundInRun, type Family } from './support/model.ts';

/*
 * The watchmen watched: engines with one fault each, of the kind that programs of this sort have had. The properties that
 * judge the engine must find every one, in far fewer runs than they make.
 */

type Insides = AnyEngine & { core: Core };

/** An engine whose core, the one of a restore too, is spoiled. */
const withCore = (spoil: (core: Core) => void): StartEngine => (config) => {
  const engine = startEngine(config) as Insides;
  spoil(engine.core);
  return restoring(engine, spoil);
};

/** An engine that loses something in a restore. */
const afterRestore = (spoil: (core: Core) => void): StartEngine => (config) => restoring(startEngine(config) as Insides, spoil);

function restoring(engine: Insides, spoil: (core: Core) => void): AnyEngine {
  const restore = engine.restore.bind(engine);
  engine.restore = (...given) => {
    restore(...given);
    spoil(engine.core);
  };
  return engine;
}

const withConfig = (spoil: (config: AnyEngineConfig) => AnyEngineConfig): StartEngine => (config) => startEngine(spoil(config));

const withAggregate = (name: string, aggregate: Partial<AnyAggregate>): StartEngine =>
  withConfig((config) => ({ ...config, measures: config.measures.map((measure) => (measure.aggregate.name === name ? { ...measure, aggregate: { ...measure.aggregate, ...aggregate } } : measure)) }));

const withCalls = (spoil: (engine: Insides) => void): StartEngine => (config) => {
  const engine = startEngine(config) as Insides;
  spoil(engine);
  return engine;
};

type Watermarks = NonNullable<Core['watermarks']>;
const watermarksAre = (spoil: (saved: ReturnType<Watermarks['snapshot']>[0][1]) => typeof saved) => afterRestore(({ watermarks }) => watermarks?.restore(watermarks.snapshot().map(([source, saved]) => [source, spoil(saved)])));

 
const advanceAll = WatermarksOfSources.prototype.advance;

const numbers: Family = { sets: ['tame', 'odd'], keys: ['one', 'three'] };
const everything: Family = { sets: ['tame', 'odd', 'text'], keys: ['one', 'three', 'odd', 'pair'] };
const limited: Family = { ...everything, limits: true };

const shared: unknown[] = [];
const faults: Record<string, readonly [StartEngine, Family?]> = {
  'the edge of a window is on its other side': [withConfig((config) => ({ ...config, closed: config.closed === 'both' ? 'right' : 'both' }))],
  'the frontier goes back with the clock': [
    withCalls((engine) => {
      const advance = engine.advance.bind(engine);
      engine.advance = (now) => {
        const { frontier } = engine.core;
        frontier.value = Math.min(frontier.value, now - frontier.delay);
        return advance(now);
      };
    }),
  ],
  'the watermark goes by the events of its own reading': [withCore(({ watermarks }) => watermarks && Object.assign(watermarks, { advance: () => advanceAll.call(watermarks, Infinity) }))],
  'a fast clock pushes the watermark': [withConfig((config) => ({ ...config, maxFutureSkew: false }))],
  'a snapshot without its frontier': [afterRestore(({ frontier }) => (frontier.value = -Infinity))],
  'a snapshot without its last reading': [afterRestore(({ frontier }) => (frontier.reading = -Infinity))],
  'a snapshot without its watermark': [watermarksAre((saved) => ({ ...saved, value: -Infinity }))],
  'a snapshot without the arrivals that will move the watermark': [watermarksAre((saved) => ({ ...saved, readings: [], peaks: [] }))],
  'a snapshot without held events': [afterRestore(({ keys, windows }) => [...keys.slots()].forEach((slot) => windows.held.drop(slot)))],
  'a snapshot without last rows': [afterRestore(({ keys, emission }) => [...keys.slots()].forEach((slot) => emission.open(slot)))],
  'a snapshot without counters': [afterRestore(({ counts }) => Object.keys(counts).forEach((count) => (counts[count as keyof typeof counts] = 0)))],
  'a snapshot without its position': [afterRestore((core) => (core.position = 0))],
  'a snapshot without dirty marks': [afterRestore(({ dirty }) => dirty.clear())],
  'a snapshot without the order of idle keys': [afterRestore(({ idle, keys, frontier }) => idle?.restore([...keys.slots()].reverse().map((slot, order) => ({ slot, reading: frontier.reading, order })))), limited],
  'a snapshot without the types of columns': [afterRestore(({ columns }) => columns.forEach((column) => (column.type = null as never))), everything],
  'a delta without keys that are gone': [
    withCalls((engine) => {
      const snapshot = engine.snapshot.bind(engine);
      engine.snapshot = (options) => {
        for (const changed of engine.core.changes) Object.assign(changed, { gone: [] });
        return snapshot(options);
      };
    }),
  ],
  'a delta without the batch that is open': [
    withCalls((engine) => {
      const snapshot = engine.snapshot.bind(engine);
      engine.snapshot = (options) => {
        for (const changed of engine.core.changes) changed.markAll = () => undefined;
        return snapshot(options);
      };
    }),
  ],
  'a base in steps that stays as it was at its first step': [
    withCalls((engine) => {
      const startPart = (): PartInSteps => {
        const early = engine.snapshot();
        return { parent: null, step: () => false, finish: () => early, stop: () => undefined };
      };
      const internals = internalsOf(engine);
      Object.defineProperty(engine, INTERNALS, { value: Object.create(internals, { startPart: { value: startPart } }) });
    }),
  ],
  'a key is marked dirty as often as it changes': [withCore(({ dirty }) => (dirty.mark = (slot) => void (dirty.slots[dirty.count++] = slot)))],
  'a late event changes no row': [
    withCalls((engine) => {
      const push = engine.push.bind(engine);
      engine.push = (event, now) => {
        const result = push(event, now);
        if (result === 'counted' && (event['t'] as number) < engine.frontier) engine.core.dirty.clear();
        return result;
      };
    }),
  ],
  'NaN sticks': [
    withAggregate('sum', {
      numeric: undefined, zero: () => ({ n: 0, sum: 0 }), reduce: (state: { n: number; sum: number }, value: number) => ({ n: state.n + 1, sum: state.sum + value }),
      merge: (a: { n: number; sum: number }, b: typeof a) => ({ n: a.n + b.n, sum: a.sum + b.sum }), retract: (state: { n: number; sum: number }, value: number) => ({ n: state.n - 1, sum: state.sum - value }),
      finish: ({ n, sum }: { n: number; sum: number }) => (n === 0 ? null : sum),
    } as never),
  ],
  'two keys share a state': [withAggregate('joined', { zero: () => shared, reduce: (state: unknown[], value: unknown) => (state.push(value), state) })],
  'an undo takes nothing away': [withAggregate('evens', { retract: (state: unknown) => state })],
  'a question moves the frontier': [
    withCalls((engine) => {
      const query = engine.query.bind(engine);
      engine.query = (key, now) => {
        if (now !== undefined) engine.core.frontier.value = engine.core.frontier.at(now);
        return query(key, now);
      };
    }),
  ],
  'all rows are as of the last reading, whatever is asked for': [
    withCalls((engine) => {
      const queryAll = engine.queryAll.bind(engine);
      engine.queryAll = () => queryAll();
    }),
  ],
  'a key whose events are all held has no row among all': [
    withCalls((engine) => {
      const queryAll = engine.queryAll.bind(engine);
      engine.queryAll = (now) => queryAll(now).filter((_, i) => !engine.core.windows.held.has([...engine.core.keys.slots()][i]!));
    }),
  ],
  '1 and its text are one key': [
    withCalls((engine) => {
      const push = engine.push.bind(engine);
      engine.push = (event, now) => push(typeof event['k'] === 'number' ? { ...event, k: String(event['k']) } : event, now);
    }),
    everything,
  ],
  'one key more than the limit': [withConfig((config) => ({ ...config, limits: config.limits && { ...config.limits, maxKeys: (config.limits.maxKeys ?? 0) + 1 } })), limited],
};

test.each(Object.entries(faults))('a planted fault is found: %s', { timeout: 60_000 }, (_, [start, family = numbers]) => {
  expect(foundInRun(start, family, 2000)).toBeDefined();
});

test('and none where none is planted', () => {
  expect(foundInRun(withCore(() => undefined), everything, 100)).toBeUndefined();
});
