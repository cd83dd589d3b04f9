import { internalsOf, type PartInSteps } from '../../src/internals.ts';
import { describeSnapshot, type Engine, type Position } from '../../src/index.ts';
import type { CheckpointPlan } from './checkpointOptions.ts';

export type AnyEngine = Engine<never, unknown, unknown>;

/** After so many deltas comes a base, however small they are: each is a file to be read, and a link that can break. */
const mostDeltas = 64;

/** A state, or what has changed since the part before. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly id: string;
  /** A whole state, which takes the place of all parts before it. */
  readonly base: boolean;
  readonly position: Position;
}

/** A part that is being taken, slice by slice. */
export interface Slices {
  /** Takes a slice; whether there are more. */
  step(): boolean;
  /** Takes what is left, and gives the part as of now. */
  finish(): Part;
  stop(): void;
}

/**
 * Takes the state of an engine in parts: deltas behind a base, until together they are longer than it. So no more than twice
 * the state is stored, and nearly all of what is written is what changed.
 */
export class PartTaker {
  private readonly engine: AnyEngine;
  /** The part that was taken or restored last: what the next delta must go on from. */
  private lastId: string | undefined = undefined;
  private baseLength = 0;
  private deltasLength = 0;
  private deltas = 0;

  constructor(engine: AnyEngine) {
    this.engine = engine;
  }

  restore(parts: readonly Uint8Array[], options: CheckpointPlan['restoring']): void {
    this.engine.restore(parts, options);
    for (const bytes of parts) this.taken(bytes);
  }

  /** The state as of now, in one go: a delta where one will do. */
  now(): Part {
    return this.slices().finish();
  }

  /** The same in slices, as of its finish. */
  slices(): Slices {
    const taking = this.start();
    return { step: () => taking.step(), finish: () => this.taken(taking.finish()), stop: () => taking.stop() };
  }

  private start(): PartInSteps {
    const engine = internalsOf(this.engine), { lastId } = this;
    const delta = lastId !== undefined && this.deltas < mostDeltas && this.deltasLength <= this.baseLength;
    const taking = engine.startPart!({ delta });
    // The engine's owner may have taken a snapshot of his own: then a delta would go on from that.
    if (taking.parent === null || taking.parent === lastId) return taking;
    taking.stop();
    return engine.startPart!({ delta: false });
  }

  private taken(bytes: Uint8Array): Part {
    const { id, base, position } = describeSnapshot(bytes);
    this.lastId = id;
    this.baseLength = base ? bytes.length : this.baseLength;
    this.deltasLength = base ? 0 : this.deltasLength + bytes.length;
    this.deltas = base ? 0 : this.deltas + 1;
    return { bytes, id, base, position };
  }
}
