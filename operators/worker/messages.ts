import type { EngineStats, Position, RestoreOptions, SnapshotOptions } from '../../src/index.ts';
import type { Cells } from './cells.ts';
import type { WiredError } from './wiredError.ts';

/** What a page can ask for, and what is answered. Answers come in the order of the calls. */
interface Calls {
  open: { readonly asks: { readonly columns: readonly string[] }; readonly answers: Opened };
  advance: { readonly asks: { readonly now: number }; readonly answers: Evaluated };
  query: { readonly asks: { readonly key: unknown; readonly now: number | undefined }; readonly answers: unknown };
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

/** What one evaluation gave; what is empty is left out. */
export interface Evaluated {
  readonly batchId: number;
  readonly frontier: number;
  readonly watermark: number;
  readonly removed?: readonly unknown[];
  readonly rows?: SentRows;
}

/** Rows as cells; a list where they have not all the same columns. */
export type SentRows = { readonly list: readonly unknown[] } | { readonly cells: Cells; readonly columns?: readonly string[] };

/**
 * Page to worker. `rollingWindow` numbers the connection: a port may carry other messages besides, and those of others.
 *
 * Events come before the call that they were sent with.
 */
export interface ToWorker {
  readonly rollingWindow: number;
  readonly events?: Cells | undefined;
  readonly call?: Call | undefined;
  /** Nothing follows. */
  readonly closed?: true;
}

/** Worker to page. */
export interface ToPage {
  readonly rollingWindow: number;
  readonly answer?: unknown;
  readonly error?: WiredError | undefined;
  /** `engine.nextBoundary()`, after whatever was asked for. */
  readonly next?: number | undefined;
  /** Buffers of events that were read, to be filled again. Rows stand in such a one, where it is large enough. */
  readonly spares?: readonly ArrayBuffer[];
  /** Nothing follows: the engine is not exposed any more, or a message could not be read. */
  readonly lost?: string;
}
