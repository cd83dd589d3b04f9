import type { Engine, Position } from '../../src/index.ts';
import type { CheckpointPlan } from './checkpointOptions.ts';

export type AnyEngine = Engine<never, unknown, unknown>;

/** A state, or what has changed since the part before. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly id: string;
  /** A whole state, which takes the place of all parts before it. */
  readonly base: boolean;
  readonly position: Position;
}

/** A whole state that is being taken, slice by slice. */
export interface Slices {
  /** Takes a slice; whether it was the last one. */
  step(): boolean;
  /** Takes what is left, and gives the state as it is now. */
  finish(): Part;
}

/** Takes the state of an engine as parts. */
export class PartTaker {
  private readonly engine: AnyEngine;

  constructor(engine: AnyEngine) {
    this.engine = engine;
  }

  restore(parts: readonly Uint8Array[], _options: CheckpointPlan['restoring']): void {
    this.engine.restore(parts[0]!);
  }

  now(): Part {
    const { events } = this.engine.position;
    return { bytes: this.engine.snapshot(), id: String(events), base: true, position: { events } };
  }

  delta(): Part | undefined {
    return undefined;
  }

  slices(): Slices {
    return { step: () => true, finish: () => this.now() };
  }
}
