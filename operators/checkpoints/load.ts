import type { Observable } from 'rxjs';
import type { EngineInternals } from '../../src/internals.ts';
import type { StoredCheckpoint } from '../../src/index.ts';
import type { DriveOptions } from '../engineSource.ts';
import type { Turns, TurnTaker } from '../turns.ts';
import type { CheckpointPlan } from './checkpointOptions.ts';
import { HeldTurns } from './heldTurns.ts';
import { LaterClock } from './laterClock.ts';
import { PastScheduler } from './pastScheduler.ts';

/** What takes over a checkpoint. */
interface Restorable {
  readonly closed: boolean;
  restore(stored: StoredCheckpoint | undefined): void;
  fail(error: unknown): void;
}

/** One subscription, which a checkpoint may begin. */
interface Startable<E> extends Restorable {
  /** The reading of the last arrival or evaluation. */
  shown: number;
  run(source: Observable<E>): void;
}

export type OpenDriver<E> = (options: DriveOptions, turnsOf?: (taker: TurnTaker) => Turns) => Startable<E>;

/** Loads a checkpoint, and begins once it is there: at once where the store can read at once. */
export function load({ store }: CheckpointPlan, driver: Restorable, begin: () => void): void {
  const loading = store.load();
  if (!isPromise(loading)) {
    driver.restore(loading);
    return begin();
  }
  settle(loading, driver, (stored) => {
    driver.restore(stored);
    begin();
  });
}

/**
 * Loads a checkpoint; meanwhile the source runs already, and what it gives waits.
 *
 * @param open Makes the driver, with options of its own where it has to wait.
 */
export function loadWhileListening<E>(options: DriveOptions, checkpoint: CheckpointPlan, internals: EngineInternals, open: OpenDriver<E>, source: Observable<E>): void {
  const loading = checkpoint.store.load();
  if (!isPromise(loading)) {
    const driver = open(options);
    driver.restore(loading);
    return driver.run(source);
  }
  const past = new PastScheduler(options.scheduler);
  const clock = new LaterClock(options.clock);
  let turns!: HeldTurns;
  const driver = open({ ...options, scheduler: past, clock }, (taker) => (turns = new HeldTurns(taker, past, internals.maxEvents)));
  driver.run(source);
  settle(loading, driver, (stored) =>
    turns.release(() => {
      driver.restore(stored);
      driver.shown = clock.goOn(internals.reading) ?? driver.shown;
    }),
  );
}

function isPromise<T>(given: T | Promise<T>): given is Promise<T> {
  return typeof (given as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Nobody waits for a promise that comes after the end. */
function settle<T>(promise: Promise<T>, driver: Restorable, then: (value: T) => void): void {
  Promise.resolve(promise) // of a store that is not ours it may be less than a promise
    .then((value) => {
      if (!driver.closed) then(value);
    })
    .catch((error: unknown) => driver.fail(error));
}
