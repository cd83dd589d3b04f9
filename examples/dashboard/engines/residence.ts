import { concat, from, Subject, type Observable, type Subscription } from 'rxjs';
import type { RollingBatch } from 'rxjs-rolling-window';
import type { CheckpointStore, EngineStats } from 'rxjs-rolling-window/engine';
import type { Measurement } from '../measurement.ts';
import type { Home } from './home.ts';

/** Where an engine lives, with the store that it has there. */
export interface Address<Row, Key> {
  readonly home: Home<Row, Key>;
  readonly store: CheckpointStore;
}

/**
 * A stream of batches whose engine can move, between threads and between stores, with its state. What is measured before
 * the first address is known, and during a move, waits and counts at the new one.
 */
export class Residence<Row, Key> {
  readonly batches$: Observable<RollingBatch<Row, Key>>;
  /** What ended the engine's stream. It is not started again by itself. */
  readonly failures$: Observable<unknown>;
  /** All rows of a state that was taken up: what does not change does not leave again. */
  readonly restored$: Observable<readonly Row[]>;
  private readonly restored = new Subject<readonly Row[]>();
  private readonly batches = new Subject<RollingBatch<Row, Key>>();
  private readonly failures = new Subject<unknown>();
  private readonly delivered = new Subject<Measurement>();
  private waiting: Measurement[] | undefined = [];
  private address: Address<Row, Key> | undefined;
  private subscription: Subscription | undefined;
  /** Whether there was a batch at this address: before it the engine may not have taken up its state yet. */
  private settled = false;

  constructor(measurements$: Observable<Measurement>) {
    this.restored$ = this.restored.asObservable();
    this.batches$ = this.batches.asObservable();
    this.failures$ = this.failures.asObservable();
    measurements$.subscribe((measurement) => {
      if (this.waiting) this.waiting.push(measurement);
      else this.delivered.next(measurement);
    });
  }

  /** Begins at an address with what its store holds. Of the address before, what was not saved is lost. */
  settle(address: Address<Row, Key>): Promise<void> {
    return this.change(address);
  }

  /** Goes to an address, and takes the state along through its store. */
  move(address: Address<Row, Key>): Promise<void> {
    const { address: before, settled } = this;
    return this.change(address, async () => {
      if (before && settled) await putInto(address.store, await before.home.leave());
    });
  }

  /** Of the engine as it is; undefined while it moves. */
  stats(): Promise<EngineStats> | undefined {
    return this.settled ? this.address?.home.stats() : undefined;
  }

  private async change(address: Address<Row, Key>, handOver?: () => Promise<void>): Promise<void> {
    this.waiting ??= [];
    this.subscription?.unsubscribe();
    this.settled = false;
    try {
      await handOver?.();
      this.address = address;
      this.restored.next(await address.home.ready());
    } catch (error) {
      this.failures.next(error);
      return;
    }
    this.live(address.home);
  }

  private live(home: Home<Row, Key>): void {
    const waited = this.waiting ?? [];
    this.waiting = undefined;
    this.subscription = home.batches(concat(from(waited), this.delivered)).subscribe({
      next: (batch) => {
        this.settled = true;
        this.batches.next(batch);
      },
      error: (error: unknown) => {
        this.waiting = [];
        this.settled = false;
        this.failures.next(error);
      },
    });
  }
}

/** Replaces what a store holds. */
async function putInto(store: CheckpointStore, state: Uint8Array): Promise<void> {
  const held = await store.load();
  await store.save(state, { ifRev: held?.rev, base: true });
}
