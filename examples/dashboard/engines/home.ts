import type { Observable } from 'rxjs';
import type { RollingBatch } from 'rxjs-rolling-window';
import type { EngineStats } from 'rxjs-rolling-window/engine';
import type { Measurement } from '../measurement.ts';

export type Place = 'page' | 'worker';

/** Where an engine lives while it is subscribed: in the page, or in a worker. It takes up what its store holds, and keeps it up to date. */
export interface Home<Row, Key> {
  /** Takes up what the store holds, and gives all its rows: `batches`, which may be subscribed then, has those that change. */
  ready(): Promise<readonly Row[]>;
  batches(measurements$: Observable<Measurement>): Observable<RollingBatch<Row, Key>>;
  stats(): Promise<EngineStats>;
  /** The state, to be taken elsewhere; after the batches were unsubscribed. */
  leave(): Promise<Uint8Array>;
}
