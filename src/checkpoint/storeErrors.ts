import { CheckpointError, RollingWindowError } from '../errors.ts';
import type { SaveOptions } from './checkpointStore.ts';

/** What media say when there is no room: browsers by name, Node by code. */
const FULL = /^(QuotaExceededError|NS_ERROR_DOM_QUOTA_REACHED|ENOSPC|EDQUOT|EFBIG)$/;

/**
 * Lets a save through that fits what the place holds.
 *
 * @param rev What the place holds now; undefined where it holds nothing.
 * @throws CheckpointError `checkpoint-conflict` where that is not what the saver left there, or where a delta has nothing to stand behind.
 */
export function mustFit(place: string, rev: string | undefined, { ifRev, base }: SaveOptions): void {
  if (rev !== ifRev) {
    throw new CheckpointError('checkpoint-conflict', {
      expected: `${place} to hold ${state(ifRev)}, as this user left it`,
      given: state(rev),
      remedy: 'Somebody else saved there: load and go on from what is there now, or give each program a place of its own',
    });
  }
  if (!base && rev === undefined) {
    throw new CheckpointError('checkpoint-conflict', { expected: `${place} to hold a base, for the delta to stand behind`, given: 'nothing', remedy: 'Save a base first' });
  }
}

const state = (rev: string | undefined): string => (rev === undefined ? 'nothing' : `state ${rev}`);

/** After `close`. */
export function closed(place: string): CheckpointError {
  return new CheckpointError('checkpoint-closed', { expected: `a store of ${place} that is open`, given: 'one that was closed', remedy: 'Open a new one' });
}

/** The place holds something else than what a store put there. */
export function damagedStore(place: string, given: string): CheckpointError {
  return new CheckpointError('checkpoint-damaged', {
    expected: `${place} to hold a checkpoint, whole`,
    given,
    remedy: 'Bring it back from a copy, or clear the place and start without',
  });
}

/** The error of a medium under one of our codes, with the original as its cause. Errors of this library stay what they are. */
export function named(error: unknown, place: string): Error {
  if (error instanceof RollingWindowError) return error;
  const { name, code, message } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown; readonly message?: unknown };
  const given = typeof message === 'string' && message !== '' ? message : String(error);
  return FULL.test(String(name)) || FULL.test(String(code))
    ? new CheckpointError('checkpoint-full', { expected: `room in ${place}`, given, remedy: 'Make room, keep less state, or take another store', cause: error })
    : new CheckpointError('checkpoint-failed', { expected: `${place} to be read and written`, given, remedy: 'See the cause; the same call may succeed later', cause: error });
}
