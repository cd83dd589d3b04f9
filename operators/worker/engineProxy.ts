import { RollingWindowError, shown, type Engine } from '../../src/index.ts';
import { mustHave } from '../mustHave.ts';
import { Connection } from './connection.ts';
import type { ProxyLimits } from './onTheirWay.ts';
import type { WorkerPort } from './port.ts';
import { RemoteEngine, type EngineProxy } from './remoteEngine.ts';

/** Columns that an event of any of its kinds may have. */
type AnyColumnOf<E> = E extends unknown ? keyof E & string : never;

export interface ProxyOptions<E> {
  /** The columns that are sent: what partitions, time and measures read, and what filters and `position` read. */
  readonly columns: readonly AnyColumnOf<E>[];
  /** How far the worker may be behind; without it, as far as memory lasts. */
  readonly limits?: ProxyLimits | undefined;
}

/** The proxy of an engine, by the engine's type. */
export type ProxyOf<Of> = Of extends Engine<infer E, infer Row, infer Key> ? EngineProxy<E, Row, Key> : never;

/** The events that an engine takes. */
type EventOf<Of> = ProxyOf<Of> extends EngineProxy<infer E, unknown, unknown> ? E : never;

/**
 * The page's end of an engine that a worker exposes with `exposeEngine`.
 *
 * Calls reach the engine in order. Numbers and texts cross as doubles in a buffer that is transferred; other values are
 * copied by structured cloning, so that class instances, such as a `DateTime`, lose their class. Like the engine it has no
 * clock: `throughWorker` drives it by one.
 *
 * @param port The `Worker`, or a `MessagePort` to it.
 * @throws RollingWindowError `invalid-config` for what is no port or no list of columns, and for wrong limits. Where the engine reads a column
 * that is not sent, every call rejects with `invalid-config`; with `engine-in-use` where another page has the engine.
 * @example
 * import type { engine } from './worker.ts';
 * const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
 * const proxy = engineProxy<typeof engine>(worker, { columns: ['region', 'revenue', 'at'] });
 * proxy.push({ region: 'eu', revenue: 5, at: 1000 }, 1000);
 * const { rows } = await proxy.advance(1000);
 */
export function engineProxy<Of extends Engine<never, unknown, unknown>>(port: WorkerPort, options: ProxyOptions<EventOf<Of>>): ProxyOf<Of> {
  mustHave('port', port, 'postMessage');
  return new RemoteEngine(new Connection(port, columnsOf(options), options.limits)) as unknown as ProxyOf<Of>;
}

/** @throws RollingWindowError `invalid-config` */
function columnsOf(options: unknown): readonly string[] {
  const { columns } = Object(options) as Partial<ProxyOptions<never>>;
  const isList = Array.isArray(columns) && columns.length > 0 && columns.every((name: unknown) => typeof name === 'string' && name !== '__proto__');
  if (isList) return [...new Set<string>(columns as readonly string[])];
  throw new RollingWindowError('invalid-config', { expected: 'the names of the columns that are sent, in `columns`', given: shown(columns), remedy: "For instance columns: ['region', 'revenue', 'at']" });
}
