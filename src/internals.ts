import { RollingWindowError, shown } from './errors.ts';
import type { TimeAdapter } from './time/timestamp.ts';

export { asLiteral, columnName, drivenFields, requireObject, type Fields } from './settings.ts';

/** Under it, whatever can be driven tells what a drive needs to know. A symbol of its own: it is no part of what users see. */
export const INTERNALS: unique symbol = /*#__PURE__*/ Symbol('internals');

/** What a drive can drive: an engine, a keyed state, a deduplicator. */
export interface Driven {
  readonly [INTERNALS]: EngineInternals;
}

/** A base or a delta that is taken in steps between events: consistent as of its finish. */
export interface PartInSteps {
  /** The id of the part that it goes on from; null of a base. A delta becomes a base where the columns of keys change meanwhile. */
  readonly parent: string | null;
  /** Copies some more keys, for about a millisecond. False where all were copied, and `finish` is due. */
  step(): boolean;
  /** The state as of now, as `snapshot()` gives it. Takes what changed since the steps, or all, where there was none. */
  finish(): Uint8Array;
  /** Lets go of a part that is not to be finished. */
  stop(): void;
}

/** What drives an engine needs to know of it, beside what every user sees. */
export interface EngineInternals {
  readonly keyColumns: readonly string[];
  /** The columns that an engine reads of events; what filters and `position` read is not known. */
  readonly columns?: readonly string[];
  readonly orderBy: string;
  readonly time: TimeAdapter;
  readonly emit: 'changed' | 'every' | 'none';
  /** How many events the limits allow; infinity without. */
  readonly maxEvents: number;
  /** The number of the last evaluation; 0 before the first. */
  readonly batch: number;
  /** The last clock reading that was pushed or advanced with. */
  readonly reading: number;
  /** The first clock reading at which the frontier has reached all admitted events; minus infinity before the first. */
  readonly readingForLatest: number;
  /** Whether an evaluation at a later reading could move the watermark. */
  readonly watermarkPending: boolean;
  /** Set where the clock is the events' own: nothing can be ahead of it then. */
  eventTimeClock: boolean;
  /**
   * Starts a part that is taken in steps; a delta where it is asked for and there is something to go on from. Between the
   * steps the engine is used as always. Not of what takes no checkpoints.
   */
  startPart?(options: { readonly delta: boolean }): PartInSteps;
}

/** Under it, what a pipe drives keeps whom it tells of each set of changes, whoever made them. */
export const WATCHER: unique symbol = /*#__PURE__*/ Symbol('watcher');

/** What can be watched; one watches at a time. */
export interface Watched<Changes> {
  [WATCHER]: ((changes: Changes) => void) | undefined;
}

export function internalsOf(engine: object): EngineInternals {
  if (!(INTERNALS in engine)) {
    throw new RollingWindowError('invalid-config', { expected: 'an engine made by createEngine', given: shown(engine) });
  }
  return (engine as Driven)[INTERNALS];
}
