import { RollingWindowError, shown } from './errors.ts';
import type { TimeAdapter } from './time/timestamp.ts';

/** Under it, whatever can be driven tells what a drive needs to know. A symbol of its own: it is no part of what users see. */
export const INTERNALS: unique symbol = /*#__PURE__*/ Symbol('internals');

/** What a drive can drive: an engine, a keyed state, a deduplicator. */
export interface Driven {
  readonly [INTERNALS]: EngineInternals;
}

/** A base that is taken in steps between events: consistent as of its finish. */
export interface BaseInSteps {
  /** Copies some more keys, for about a millisecond. False where all were copied, and `finish` is due. */
  step(): boolean;
  /** The whole state as of now, as `snapshot()` gives it. Takes what changed since the steps, or all, where there was none. */
  finish(): Uint8Array;
  /** Lets go of a base that is not to be finished. */
  stop(): void;
}

/** What drives an engine needs to know of it, beside what every user sees. */
export interface EngineInternals {
  readonly keyColumns: readonly string[];
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
  /** Starts a base that is taken in steps. Between them it is used as always. Not of what takes no checkpoints. */
  startBase?(): BaseInSteps;
}

export function internalsOf(engine: object): EngineInternals {
  if (!(INTERNALS in engine)) {
    throw new RollingWindowError('invalid-config', { expected: 'an engine made by createEngine', given: shown(engine) });
  }
  return (engine as Driven)[INTERNALS];
}
