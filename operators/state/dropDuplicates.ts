import type { MonoTypeOperatorFunction } from 'rxjs';
import type { ColumnOf, PlainTime } from '../../src/index.ts';
import { createDeduplicator, type Deduplicator, type DeduplicatorConfig, type DeduplicatorStats } from '../../src/state/index.ts';
import { drive } from '../drive.ts';
import { eachRow } from '../eachRow.ts';
import type { StateOptions } from './stateOptions.ts';
import { stateSource } from './stateSource.ts';

/** What is a duplicate, for how long, and what time it is. */
export interface DropDuplicatesConfig<E, Time = PlainTime> extends DeduplicatorConfig<E, Time>, StateOptions<DeduplicatorStats, ColumnOf<NoInfer<E>>> {}

/**
 * Passes the first event of each key, and drops the later ones.
 *
 * With `within`, an event is a duplicate if its time is less than that away from that of one with the same key that passed.
 * A key is forgotten when the watermark has passed its last time by `within`, so that memory stays bounded; what comes at or
 * behind the watermark is dropped as late. Of `within` and `watermark` each stands for the other where only one is given.
 * Without both a key is a duplicate for ever, and only `limits` bound the memory.
 *
 * Events pass at once, unchanged and in order of arrival; keys compare by type and value, and what is missing is one key.
 * What does not pass is told to `dropped`, with the reason `'duplicate'`, `'late'`, and so on.
 *
 * @throws RollingWindowError at once for a wrong configuration. What goes wrong later is an error of the stream.
 * @example orders$.pipe(dropDuplicates({ by: 'id', orderBy: 'at', within: '1 hour' }))
 */
export function dropDuplicates<E, Time = PlainTime>(config: DropDuplicatesConfig<E, Time>): MonoTypeOperatorFunction<E>;
/** The same over a core that the caller owns, so that `snapshot`, `restore` and `stats` work beside the pipe. */
export function dropDuplicates<E>(core: Deduplicator<E>, options: StateOptions<DeduplicatorStats>): MonoTypeOperatorFunction<E>;
export function dropDuplicates<E>(given: object, options?: object): MonoTypeOperatorFunction<E> {
  return drive(stateSource<E, E>(given, options, createDeduplicator<E>()), eachRow);
}
