import type { CheckpointStore, SaveOptions, StoredCheckpoint } from '../../src/index.ts';
import { closed, named } from '../../src/checkpoint/index.ts';

/** Where checkpoints lie, if it takes its time. It is asked one thing at a time, and may keep the part it is given. */
export interface Medium {
  load(): Promise<StoredCheckpoint | undefined>;
  /** Compares `ifRev` in the same step in which it writes: somebody else may write there, too. */
  save(part: Uint8Array, options: SaveOptions): Promise<string>;
  close(): void | Promise<void>;
}

/** A store over a medium: calls wait for those before them, parts are copied as they come, errors get their codes. */
export function queuedStore(place: string, medium: Medium): CheckpointStore {
  let last: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;

  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = last.then(work).catch((error: unknown) => {
      throw named(error, place);
    });
    last = done.catch(() => undefined);
    return done;
  };
  const whileOpen = <T>(work: () => Promise<T>): Promise<T> => (closing ? Promise.reject(closed(place)) : inTurn(work));

  return {
    load: () => whileOpen(() => medium.load()),
    save(part, { ifRev, base }) {
      const copy = new Uint8Array(part); // Not `slice`: that of Node's Buffer shares the bytes.
      return whileOpen(() => medium.save(copy, { ifRev, base }));
    },
    close: () => (closing ??= inTurn(() => medium.close())),
  };
}
