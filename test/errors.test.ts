import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { NEVER, isObservable, of } from 'rxjs';
import {
  CheckpointError,
  RollingWindowError,
  SnapshotError,
  count,
  createEngine,
  createLiveTable,
  currentRow,
  ema,
  latestByKey,
  liveTable,
  manual,
  preceding,
  range,
  rollingWindow,
  sum,
  udaf,
  Window,
  windowFunctions,
  type CheckpointErrorCode,
  type CheckpointStore,
  type Engine,
  type EngineSettings,
  type MeasureBuilder,
  type RollingBatch,
  type RollingWindowErrorCode,
  type SnapshotErrorCode,
} from 'rxjs-rolling-window';
import { memoryStore } from 'rxjs-rolling-window/checkpoint';
import { fileStore } from 'rxjs-rolling-window/checkpoint/node';
import { createKeyedState } from 'rxjs-rolling-window/state';
import { checkStore } from 'rxjs-rolling-window/testing';
import { engineProxy, exposeEngine, throughWorker } from 'rxjs-rolling-window/worker';
import { describe, expect, onTestFinished, test } from 'vitest';
import { instantStore } from '../src/checkpoint/index.ts';
import { linkedPorts } from './support/linkedPorts.ts';

type Code = RollingWindowErrorCode | SnapshotErrorCode | CheckpointErrorCode;
type Arrival = 'construction' | 'push' | 'advance' | 'query' | 'snapshot' | 'restore' | 'load' | 'save' | 'checkStore' | 'proxy' | 'error channel';

/** What makes the error: by throwing it, as a promise that rejects with it, or as a stream that ends with it. */
type Provocation = () => unknown;

interface Sale {
  region: string;
  revenue: number;
  at: number;
}
const sale: Sale = { region: 'eu', revenue: 1, at: 0 };

/** A name that the compiler does not know. */
const taken = ['page'].join('');

const measures = [sum('revenue').over(preceding(range('1 minute')))] as const;
const engineOf = (settings: EngineSettings<Sale> = {}) => createEngine<Sale>()({ partitionBy: 'region', orderBy: 'at', measures, ...settings });

/** Events of which the last is refused, pushed and piped. */
const refused = (settings: EngineSettings<Sale>, ...events: Sale[]): Partial<Record<Arrival, Provocation>> => ({
  push: () => engineOf(settings).pushAll(events, 0),
  'error channel': () => of(...events).pipe(rollingWindow(engineOf(settings), { trigger: manual(of(0)) })),
});

const outOfOrder = (): never => {
  throw new Error('out of order');
};

const broken = udaf({
  name: 'broken',
  zero: () => 0,
  reduce: (_, value: number) => (value < 0 ? outOfOrder() : value),
  merge: (into) => into,
  finish: (state) => state,
});
const breaking: Sale = { ...sale, revenue: -1 };
const brokenEngine = (...pushed: readonly Sale[]) => {
  const engine = createEngine<Sale>()({ partitionBy: 'region', orderBy: 'at', measures: [broken('revenue')] });
  engine.pushAll(pushed, 0);
  return engine;
};

/** An engine whose aggregate asks it. */
const askingEngine = () => {
  const asking = udaf({ name: 'asking', zero: () => 0, reduce: (sum, value: number) => sum + value, merge: (into, from) => into + from, finish: (sum) => (sum > 0 ? engine.queryAll().length : 0) });
  const engine: Engine<Sale, object, object> = createEngine<Sale>()({ partitionBy: 'region', orderBy: 'at', measures: [asking('revenue')] });
  engine.push(sale, 0);
  return engine;
};

const values = udaf({
  name: 'values',
  zero: () => new Set<number>(),
  reduce: (state, value: number) => state.add(value),
  merge: (into, from) => new Set([...into, ...from]),
  finish: ({ size }) => size,
});
const total = {
  zero: () => 0,
  reduce: (state: number, value: number) => state + value,
  merge: (into: number, from: number) => into + from,
  finish: (state: number) => state,
  encode: (state: number): unknown => state,
  decode: Number,
};
const unwritable = udaf({ ...total, name: 'unwritable', encode: outOfOrder });
const unreadable = udaf({ ...total, name: 'unreadable', decode: outOfOrder });
const engineWith = (measure: MeasureBuilder<'revenue', number, string, number>) => {
  const engine = createEngine<Sale>()({ partitionBy: 'region', orderBy: 'at', measures: [measure] });
  engine.push(sale, 0);
  engine.advance(0);
  return engine;
};

/** As a later version would write it: the digit of its format is another, and the checksum of the header is right. */
const ofLaterFormat = (): Uint8Array => {
  const bytes = engineOf().snapshot(), header = 8 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, header));
  bytes[text.indexOf('"format":1') + '"format":'.length] = '2'.charCodeAt(0);
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(bytes.length - 4, crc32(bytes.subarray(0, header)), true);
  return bytes;
};
const changedAt = (at: number, by: number): Uint8Array => engineOf().snapshot().map((byte, i, { length }) => (i === (at + length) % length ? byte + by : byte));
const ofOtherMeasures = createEngine<Sale>()({ partitionBy: 'region', orderBy: 'at', measures: [count()] }).snapshot();
const restored = (bytes: Uint8Array): Provocation => () => engineOf().restore(bytes);

const secondSubscription: Provocation = () => {
  const rows$ = NEVER.pipe(rollingWindow(engineOf(), {}));
  rows$.subscribe();
  return rows$;
};

/** A proxy of an engine, as another page would open it. */
const proxyOf = (engine = engineOf(), columns: readonly (keyof Sale)[] = ['region', 'revenue', 'at']) => {
  const [page, worker] = linkedPorts();
  exposeEngine(engine, worker);
  return engineProxy<typeof engine>(page, { columns });
};
const closedProxy = () => {
  const proxy = proxyOf();
  proxy.close();
  return proxy;
};
const ofTwoPages = () => {
  const engine = engineOf();
  proxyOf(engine);
  return proxyOf(engine);
};
const unsendable = { ...sale, revenue: (() => 1) as never };

const base = { ifRev: undefined, base: true };
const closedStore = () => {
  const store = memoryStore();
  void store.close();
  return store;
};
/** A store over a place that answers every call with this error. */
const failing = (error: Error) => {
  const fail = (): never => {
    throw error;
  };
  return instantStore('a place', { load: fail, save: fail });
};
const part = new Uint8Array(1);
const outage = new Error('no connection');
/** A store whose last file was cut off. */
const inDamagedFolder = (): CheckpointStore => {
  const folder = mkdtempSync(join(tmpdir(), 'rolling-window-damaged-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '0000000000000001.checkpoint'), 'R');
  return fileStore(folder);
};

/** One way to get each code, for each place where docs/errors.md says that it arrives. */
const provocations: Readonly<Record<Code, Partial<Record<Arrival, Provocation>>>> = {
  'invalid-config': {
    construction: () => engineOf({ ...({ partitionBy: 5 } as object) }),
    proxy: () => proxyOf(engineOf(), ['region']).stats(),
    'error channel': () => of({ rows: [], removed: [] } as unknown as RollingBatch<object, object>).pipe(latestByKey<object, object>()),
  },
  'invalid-duration': { construction: () => range('1 houer' as never) },
  'invalid-measure': { construction: () => engineOf({ ...({ measures: [broken] } as object) }) },
  'invalid-window': {
    construction: () => Window.orderBy('at').rowsBetween(1, currentRow),
    'error channel': () => of([{ page: 'home' }]).pipe(windowFunctions<object[], []>({ columns: [ema('page', 5).over(Window.orderBy('page'))] } as never)),
  },
  'invalid-store': { checkStore: () => checkStore(() => memoryStore()) },
  'duplicate-column': {
    construction: () => engineOf({ ...({ measures: [count(), count()] } as object) }),
    'error channel': () => of([{ page: 'home' }]).pipe(windowFunctions({ columns: [count().over(Window.partitionBy()).as(taken)] })),
  },
  'invalid-time': refused({ onInvalid: 'error' }, { ...sale, at: NaN }),
  'invalid-key': { ...refused({ onInvalid: 'error' }, { ...sale, region: {} as never }), query: () => engineOf().query(null as never) },
  'invalid-value': { ...refused({ onInvalid: 'error' }, { ...sale, revenue: '1' as never }), proxy: () => proxyOf().push(unsendable, 0) },
  'future-event': refused({ onFuture: 'error' }, { ...sale, at: 300_001 }),
  'limit-exceeded': {
    ...refused({ limits: { maxKeys: 1 } }, sale, { ...sale, region: 'us' }),
    advance: () => {
      const state = createKeyedState<Sale>()({ partitionBy: 'region', limits: { maxKeys: 1 }, init: () => 0, onEvent: () => undefined });
      state.pushAll([sale, { ...sale, region: 'us' }], 0);
      state.advance(0);
    },
  },
  'invalid-clock': {
    push: () => engineOf().push(sale, NaN),
    advance: () => engineOf().advance(Infinity),
    query: () => engineOf().query({ region: 'eu' }, NaN),
    'error channel': () => NEVER.pipe(rollingWindow(engineOf(), { trigger: manual(of(NaN)) })),
  },
  'invalid-position': {
    push: () => engineOf({ position: () => ['p'] as never }).push(sale, 0),
    'error channel': () => of(sale).pipe(rollingWindow(engineOf({ position: () => 5 as never }), { trigger: manual(of(0)) })),
  },
  'engine-in-use': {
    advance: () => askingEngine().advance(0),
    query: () => askingEngine().queryAll(),
    proxy: () => ofTwoPages().stats(),
    'error channel': secondSubscription,
    restore: () => {
      const table = createLiveTable<Sale>()({ key: 'region' });
      NEVER.pipe(liveTable(table)).subscribe();
      table.restore(table.snapshot());
    },
  },
  'worker-lost': { proxy: () => closedProxy().stats(), 'error channel': () => NEVER.pipe(throughWorker(closedProxy())) },
  'user-code': {
    push: () => {
      const engine = brokenEngine(sale);
      engine.advance(0);
      engine.push({ ...breaking, at: -1 }, 0); // belongs before what was summed
    },
    advance: () => brokenEngine(breaking).advance(0),
    query: () => brokenEngine(breaking).query({ region: 'eu' }, 0),
    snapshot: () => engineWith(unwritable('revenue')).snapshot(),
    restore: () => engineWith(unreadable('revenue')).restore(engineWith(unreadable('revenue')).snapshot()),
    'error channel': () => of(breaking).pipe(rollingWindow(brokenEngine(), { trigger: manual(of(0)) })),
  },
  'snapshot-damaged': { restore: restored(changedAt(-1, 1)) },
  'snapshot-foreign': { restore: restored(new TextEncoder().encode('{"keys":[]}')) },
  'snapshot-newer': { restore: restored(ofLaterFormat()) },
  'snapshot-plan-changed': { restore: restored(ofOtherMeasures) },
  'snapshot-chain-broken': { restore: () => engineOf().restore([engineOf().snapshot(), engineOf().snapshot()]) },
  'snapshot-unsupported-value': { snapshot: () => engineWith(values('revenue')).snapshot() },
  'checkpoint-conflict': { save: () => memoryStore().save(part, { ifRev: '1', base: true }) },
  'checkpoint-full': { save: () => failing(new DOMException('no room', 'QuotaExceededError')).save(part, base) },
  'checkpoint-closed': { load: () => closedStore().load(), save: () => closedStore().save(part, base) },
  'checkpoint-damaged': { load: () => inDamagedFolder().load(), save: () => inDamagedFolder().save(part, base) },
  'checkpoint-failed': { load: () => failing(outage).load(), save: () => failing(outage).save(part, base) },
};

/** The rows of the table: code and arrivals. */
const documented = Object.fromEntries(
  Array.from(readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([\w-]+)` \| [^|]+ \| ([^|]+) \| [^|]+ \|$/gm), ([, code = '', arrivals = '']) => [code, arrivals.split(', ').sort()]),
);

/** The error that leaves a provocation, and whether it was thrown or came through the stream. */
async function errorOf(provocation: Provocation): Promise<{ readonly error: unknown; readonly thrown: boolean }> {
  let error: unknown;
  try {
    const stream$ = await provocation();
    if (isObservable(stream$)) stream$.subscribe({ error: (given: unknown) => (error = given) });
    return { error, thrown: false };
  } catch (given) {
    return { error: given, thrown: true };
  }
}

const all = Object.entries(provocations).flatMap(([code, byArrival]) => Object.entries(byArrival).map(([arrival, provocation]) => ({ code, arrival, provocation })));

describe('errors', () => {
  test('the table has every code, in the order of the union, and every place where it arrives', () => {
    const provoked = Object.fromEntries(Object.entries(provocations).map(([code, byArrival]) => [code, Object.keys(byArrival).sort()]));

    expect(documented).toEqual(provoked);
    expect(Object.keys(documented)).toEqual(Object.keys(provocations));
  });

  test.each(all)('$code arrives at $arrival, with what was expected, what came and what to do', async ({ code, arrival, provocation }) => {
    const { error, thrown } = await errorOf(provocation);

    expect(error).toBeInstanceOf(code.startsWith('snapshot-') ? SnapshotError : code.startsWith('checkpoint-') ? CheckpointError : RollingWindowError);
    const { expected, given, remedy, message, ...rest } = error as RollingWindowError;
    expect(rest.code).toBe(code);
    expect(thrown).toBe(arrival !== 'error channel');
    expect(expected).not.toBe('');
    expect(given).not.toBe('');
    expect(message).toBe(`[${code}] expected ${expected}; got ${given}${remedy === undefined ? '' : `. ${remedy}`}`);
    expect(remedy, 'says what to do').toMatch(/./);
  });

  test('user code that throws is the cause', async () => {
    expect((await errorOf(() => brokenEngine(breaking).advance(0))).error).toHaveProperty('cause.message', 'out of order');
  });

  test('what a filter or an observer throws is passed on as it is', async () => {
    const engine = createEngine<Sale>()({ partitionBy: 'region', orderBy: 'at', measures: [count().filter(outOfOrder)] });

    expect((await errorOf(() => engine.push(sale, 0))).error).toEqual(new Error('out of order'));
    expect((await errorOf(() => of(sale).pipe(rollingWindow(engine, { trigger: manual(of(0)) })))).error).toEqual(new Error('out of order'));
    expect((await errorOf(() => engineOf({ dropped: { next: outOfOrder } }).push({ ...sale, at: NaN }, 0))).error).toEqual(new Error('out of order'));
  });
});
