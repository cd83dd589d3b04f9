import { durationMs, type CheckpointStore, type Duration, type Listener, type Position } from '../../src/index.ts';
import { requireObject, type Fields } from '../../src/internals.ts';
import { mustHave } from '../mustHave.ts';

/** A checkpoint that is durable by now. */
export interface SavedCheckpoint {
  /** Names the state that was saved. */
  readonly id: string;
  /** How far the source had been read when it was taken: everything up to there may be acknowledged. */
  readonly position: Position;
}

/** Where the state of an operator outlives the program, and how often it is put there. */
export interface CheckpointOptions {
  /** Loaded once for each subscription, before the first event is counted; stays open. */
  readonly store: CheckpointStore;
  /** How long after a change the state is saved at the latest, in the scheduler's time. Default: the `batch` of `realTime`, else 30 seconds. */
  readonly every?: Duration | undefined;
  /** Told of each save that resolved, as a function or as an observer of which only `next` is called: acknowledge the source there. */
  readonly saved?: ((checkpoint: SavedCheckpoint) => void) | Listener<SavedCheckpoint> | undefined;
  /** Measures that what was saved does not cover start with what there is; by default that is an error. */
  readonly allowWarmUp?: boolean | undefined;
  /** Measures that are no longer in the plan are forgotten; by default that is an error. */
  readonly dropRemoved?: boolean | undefined;
}

const fields: Fields<CheckpointOptions> = { store: true, every: true, saved: true, allowWarmUp: true, dropRemoved: true };

/** The options, checked. */
export interface CheckpointPlan {
  readonly store: CheckpointStore;
  /** Milliseconds. */
  readonly every: number;
  readonly saved: (checkpoint: SavedCheckpoint) => void;
  readonly restoring: { readonly allowWarmUp: boolean; readonly dropRemoved: boolean };
}

/**
 * The options, checked. `batch`: what the trigger reports as one, in milliseconds, where it says so.
 *
 * @throws RollingWindowError `invalid-config`, `invalid-duration`
 */
export function checkpointPlan(options: CheckpointOptions, batch: number | undefined): CheckpointPlan {
  requireObject(options, 'an object in checkpoint', fields);
  const { store, every = batch ?? '30 seconds', saved, allowWarmUp = false, dropRemoved = false } = options;
  mustHave('checkpoint.store', store, 'load', 'save');
  return { store, every: durationMs(every, { positive: true }), saved: told(saved), restoring: { allowWarmUp, dropRemoved } };
}

function told(saved: CheckpointOptions['saved']): CheckpointPlan['saved'] {
  if (saved === undefined) return () => undefined;
  if (typeof saved === 'function') return saved;
  mustHave('checkpoint.saved', saved, 'next');
  return (checkpoint) => saved.next(checkpoint);
}
