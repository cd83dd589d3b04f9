import type { SchedulerLike, Subscription } from 'rxjs';
import type { CheckpointStore } from '../../src/index.ts';
import type { Part } from './parts.ts';

/** Between the first attempt and the second, in milliseconds; then twice as long each time. */
const firstWait = 250;
/** Attempts after the first one: half a minute altogether. */
const retries = 7;

/** An attempt to save that failed. */
export interface SaveFailure {
  readonly error: unknown;
  /** Which attempt at this checkpoint it was: 1 for the first. */
  readonly attempt: number;
  /** Milliseconds until the next attempt; undefined where there is none, and the error becomes the operator's. */
  readonly retryIn: number | undefined;
}

/** Whose saves they are. */
export interface SaveTaker {
  /** Runs an action between events; an error that it throws is the operator's. */
  turn(action: () => void): void;
  saved(part: Part): void;
  failed(failure: SaveFailure): void;
}

/**
 * Puts parts into a store, one at a time, so that an older one never comes over a newer one: while one is on its way, even
 * by its last attempt, the next is not sent.
 */
export class Saves {
  private readonly store: CheckpointStore;
  private readonly scheduler: SchedulerLike;
  private readonly taker: SaveTaker;
  private rev: string | undefined = undefined;
  private current: Part | undefined = undefined;
  private later: Subscription | undefined = undefined;
  private stopped = false;

  constructor(store: CheckpointStore, scheduler: SchedulerLike, taker: SaveTaker) {
    this.store = store;
    this.scheduler = scheduler;
    this.taker = taker;
  }

  /** @param rev What the store gave with what was loaded; undefined where it was empty. */
  goOn(rev: string | undefined): void {
    this.rev = rev;
  }

  /** A part is on its way. */
  get busy(): boolean {
    return this.current !== undefined;
  }

  save(part: Part): void {
    this.current = part;
    this.attempt(part, 1);
  }

  /** The same as a task of its own: the store may copy a large part at one go. */
  saveLater(part: Part): void {
    this.current = part;
    this.attemptIn(0, part, 1);
  }

  stop(): void {
    this.stopped = true;
    this.later?.unsubscribe();
  }

  private attempt(part: Part, attempt: number): void {
    const { store, rev, taker } = this;
    promised(() => store.save(part.bytes, { ifRev: rev, base: part.base })).then(
      (saved) => taker.turn(() => this.landed(part, saved)),
      (error: unknown) => taker.turn(() => this.missed(part, attempt, error)),
    );
  }

  private landed(part: Part, rev: string): void {
    this.rev = rev;
    this.current = undefined;
    this.taker.saved(part);
  }

  private missed(part: Part, attempt: number, error: unknown): void {
    if (codeOf(error) === 'checkpoint-conflict' && attempt > 1) this.recognise(part, attempt, error);
    else this.again(part, attempt, error);
  }

  /** Of an attempt that failed it is not known whether it was done before its answer was lost. Then there is nothing more to do. */
  private recognise(part: Part, attempt: number, conflict: unknown): void {
    const { store, taker } = this;
    promised(() => store.load()).then(
      (stored) =>
        taker.turn(() => {
          const last = stored?.parts.at(-1);
          if (!stored || !last || !sameBytes(last, part.bytes)) throw conflict;
          this.landed(part, stored.rev);
        }),
      (error: unknown) => taker.turn(() => this.again(part, attempt, error)),
    );
  }

  private again(part: Part, attempt: number, error: unknown): void {
    const retryIn = attempt > retries || isFinal(error) ? undefined : firstWait * 2 ** (attempt - 1);
    this.taker.failed({ error, attempt, retryIn });
    if (this.stopped) return; // by whoever was told
    if (retryIn === undefined) throw error;
    this.attemptIn(retryIn, part, attempt + 1);
  }

  private attemptIn(wait: number, part: Part, attempt: number): void {
    this.later = this.scheduler.schedule(() => this.taker.turn(() => this.attempt(part, attempt)), wait);
  }
}

/** Another attempt would end in the same way. */
function isFinal(error: unknown): boolean {
  return ['checkpoint-conflict', 'checkpoint-closed', 'checkpoint-damaged'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null | undefined)?.code);
}

/** The store is not ours: what it throws, and what it gives at once, is a promise too. */
function promised<T>(call: () => T | Promise<T>): Promise<T> {
  return new Promise((resolve) => resolve(call()));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
