import type { EngineStats, Position, RestoreOptions, SnapshotOptions } from '../../src/index.ts';
import type { RollingBatch } from '../rollingBatches.ts';
import type { Cells } from './cells.ts';
import type { WiredError } from './wiredError.ts';

/** What a page can ask for, beside evaluations, and what is answered. Answers come in the order of the calls. */
interface Calls {
  open: { readonly asks: { readonly columns: readonly string[] }; readonly answers: Opened };
  query: { readonly asks: { readonly key: unknown; readonly now: number | undefined }; readonly answers: unknown };
  /** Its rows cross as those of an evaluation do. */
  queryAll: { readonly asks: { readonly now: number | undefined }; readonly answers: RollingBatch<unknown> };
  nextBoundary: { readonly asks: { readonly key: unknown }; readonly answers: number | undefined };
  snapshot: { readonly asks: { readonly options: SnapshotOptions | undefined }; readonly answers: Uint8Array };
  restore: { readonly asks: { readonly parts: Uint8Array | readonly Uint8Array[]; readonly options: RestoreOptions | undefined }; readonly answers: undefined };
  stats: { readonly asks: object; readonly answers: EngineStats };
  position: { readonly asks: object; readonly answers: Position };
}

export type Call = { [Name in keyof Calls]: { readonly name: Name } & Calls[Name]['asks'] }[keyof Calls];
export type AnswerTo<C extends Call> = Calls[C['name']]['answers'];

/** What the page has to know of the engine. */
interface Opened {
  readonly keyColumns: readonly string[];
}

/** Rows as cells; where they have not all the same columns a list, and no more than a head. */
export interface SentRows extends Cells {
  /** Their columns, where those are others than before. */
  readonly columns?: readonly string[];
  readonly list?: readonly unknown[];
}

/** What one evaluation gave, or `queryAll`; what is empty is left out. */
export interface Evaluated extends SentRows {
  readonly removed?: readonly unknown[];
}

/**
 * Page to worker: events, and an evaluation where their head asks for one; or a call. `rollingWindow` numbers the
 * connection: a port may carry other messages besides, and those of others.
 */
export interface ToWorker extends Partial<Cells> {
  readonly rollingWindow: number;
  readonly call?: Call;
  /** Nothing follows. */
  readonly closed?: true;
}

/** Worker to page: rows, or an answer or error. */
export interface ToPage extends Partial<Evaluated> {
  readonly rollingWindow: number;
  readonly answer?: unknown;
  readonly error?: WiredError;
  /** `engine.nextBoundary()`, after whatever was asked for; of an evaluation in the head of its rows. */
  readonly next?: number | undefined;
  /** Buffers of events that were read, to be filled again. Rows stand in such a one, where it is large enough. */
  readonly spares?: readonly ArrayBuffer[];
  /** Nothing follows: the engine is not exposed any more, or a message could not be read. */
  readonly lost?: string;
}
