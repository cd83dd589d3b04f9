import { shown, type CheckpointStore, type SaveOptions, type StoredCheckpoint } from '../../src/index.ts';
import { damagedStore, mustFit } from '../../src/checkpoint/index.ts';
import { queuedStore, type Medium } from './queuedStore.ts';
import { uniqueName } from './uniqueName.ts';

/** The part of an `abstract-level` database that is used. `classic-level`, `memory-level`, `browser-level` and sublevels have it. */
export interface LevelDatabase {
  batch(operations: LevelOperation[], options: LevelEncodings & { readonly sync: boolean }): Promise<void>;
  iterator(options: LevelEncodings & { readonly gte: string; readonly lte: string }): AsyncIterable<[key: string, value: Uint8Array]>;
}

/** One step of a batch. */
export type LevelOperation = { type: 'put'; key: string; value: Uint8Array } | { type: 'del'; key: string };

export interface LevelEncodings {
  readonly keyEncoding: 'utf8';
  readonly valueEncoding: 'view';
}

/**
 * A store over an `abstract-level` database, such as one of `classic-level`: each save is one atomic batch, synced.
 *
 * The database stays the caller's, to open and to close. All stores over it, in this program, keep one order; other programs
 * can't open it meanwhile.
 *
 * @param key What its keys begin with: `key!state` and `key!part!…`. Default `checkpoint`.
 * @throws CheckpointError, from `load` and `save`: `checkpoint-damaged` where somebody else wrote below `key`,
 *   `checkpoint-failed` for what the database says.
 * @example
 * const store = levelStore(new ClassicLevel('state'), 'revenue');
 */
export function levelStore(database: LevelDatabase, key = 'checkpoint'): CheckpointStore {
  return queuedStore(placeOf(key), new LevelMedium(database, key));
}

/** What is noted beside the parts: the rev, and which numbers they have, the second one excluded. */
interface State {
  readonly rev: string;
  readonly from: number;
  readonly to: number;
}

const encodings: LevelEncodings = { keyEncoding: 'utf8', valueEncoding: 'view' };
/** By database, the last save that was begun: a batch compares nothing, so one who reads first and writes then must be alone. */
const saving = new WeakMap<object, Promise<unknown>>();

class LevelMedium implements Medium {
  private readonly database: LevelDatabase;
  private readonly key: string;

  constructor(database: LevelDatabase, key: string) {
    this.database = database;
    this.key = key;
  }

  async load(): Promise<StoredCheckpoint | undefined> {
    let state: State | undefined;
    const parts = new Map<string, Uint8Array>();
    // One iterator, which reads from one state of the database.
    for await (const [key, value] of this.database.iterator({ ...encodings, gte: `${this.key}!part!`, lte: this.stateKey })) {
      if (key === this.stateKey) state = this.read(value);
      else parts.set(key, value);
    }
    if (state === undefined) return undefined;
    const { rev, from, to } = state;
    return {
      rev,
      parts: numbers(from, to).map((number) => {
        const part = parts.get(this.partKey(number));
        if (part === undefined) throw damagedStore(placeOf(this.key), `no ${this.partKey(number)}`);
        return new Uint8Array(part);
      }),
    };
  }

  save(part: Uint8Array, options: SaveOptions): Promise<string> {
    const root = rootOf(this.database);
    const saved = Promise.resolve(saving.get(root)).then(() => this.write(part, options));
    saving.set(root, saved.catch(() => undefined));
    return saved;
  }

  close(): void {
    // The database is the caller's.
  }

  private async write(part: Uint8Array, options: SaveOptions): Promise<string> {
    const held = await this.state();
    mustFit(placeOf(this.key), held?.rev, options);
    const { from, to } = held ?? { from: 0, to: 0 };
    const rev = uniqueName();
    const state: State = { rev, from: options.base ? to : from, to: to + 1 };
    const old = options.base ? numbers(from, to) : [];
    await this.database.batch(
      [
        ...old.map((number) => ({ type: 'del' as const, key: this.partKey(number) })),
        { type: 'put', key: this.partKey(to), value: part },
        { type: 'put', key: this.stateKey, value: new TextEncoder().encode(JSON.stringify(state)) },
      ],
      { ...encodings, sync: true },
    );
    return rev;
  }

  /** By an iterator, since what `get` does with a missing key changed between versions. */
  private async state(): Promise<State | undefined> {
    for await (const [, value] of this.database.iterator({ ...encodings, gte: this.stateKey, lte: this.stateKey })) return this.read(value);
    return undefined;
  }

  private read(value: Uint8Array): State {
    const text = new TextDecoder().decode(value);
    const { rev, from, to } = parsed(text) as Partial<Record<keyof State, unknown>>;
    if (typeof rev === 'string' && typeof from === 'number' && typeof to === 'number') return { rev, from, to };
    throw damagedStore(placeOf(this.key), `${shown(text)} in ${this.stateKey}`);
  }

  private get stateKey(): string {
    return `${this.key}!state`;
  }

  private partKey(number: number): string {
    return `${this.key}!part!${String(number).padStart(16, '0')}`;
  }
}

const placeOf = (key: string): string => `the database below ${shown(key)}`;

/** A sublevel is made anew by each call: its stores meet at the database that it lies in. */
function rootOf(database: LevelDatabase): object {
  const { db } = database as { readonly db?: unknown };
  return typeof db === 'object' && db !== null ? db : database;
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

function parsed(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}
