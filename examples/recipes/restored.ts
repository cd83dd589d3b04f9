import { defer, merge, mergeAll, startWith, Subject, type Observable, type ObservableInput } from 'rxjs';
import { latestByKey, rollingBatches, rollingWindowFrom, type Engine, type LatestKey, type OperatorOptions, type Position, type RollingBatch } from 'rxjs-rolling-window';

/**
 * All rows of a checkpoint as soon as it is loaded, then those that change: write them by key.
 *
 * `sourceAt` is called when the state is back, and before the first event: the moment to ask for all rows.
 */
export const rowsFrom = <E, Row, Key>(sourceAt: (position: Position) => ObservableInput<E>, engine: Engine<E, Row, Key>, options: OperatorOptions): Observable<Row> =>
  defer(() => {
    const restored$ = new Subject<readonly Row[]>();
    const changes$ = rollingWindowFrom(
      (position) => {
        restored$.next(engine.queryAll());
        restored$.complete();
        return sourceAt(position);
      },
      engine,
      options,
    );
    return merge(restored$.pipe(mergeAll()), changes$);
  });

/** A table of all rows of an engine that was restored by hand, then a new one for each evaluation that changes some. */
export const tableFrom = <E, Row extends object, Key extends object>(
  events$: Observable<E>,
  engine: Engine<E, Row, Key>,
  keyColumns: readonly (keyof Key & string)[],
  options: OperatorOptions,
): Observable<ReadonlyMap<LatestKey<Key>, Row>> =>
  defer(() => {
    const { frontier, watermark } = engine;
    const all: RollingBatch<Row, Key> = { batchId: 0, frontier, watermark, rows: engine.queryAll(), removed: [], keyColumns };
    return events$.pipe(rollingBatches(engine, options), startWith(all), latestByKey());
  });
