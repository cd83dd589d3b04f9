import type { CheckpointStore, StoredCheckpoint } from '../checkpoint/checkpointStore.ts';
import { RollingWindowError, shown } from '../errors.ts';

/** That a store holds these parts, under this rev. */
export async function holds(law: string, store: CheckpointStore, parts: readonly Uint8Array[], rev: string | undefined): Promise<void> {
  same(law, await kept(law, async () => store.load()), parts, rev);
}

export function same(law: string, loaded: StoredCheckpoint | undefined, parts: readonly Uint8Array[], rev: string | undefined): void {
  const equal = loaded?.rev === rev && loaded?.parts.length === parts.length && parts.every((part, i) => equalBytes(part, loaded.parts[i]!));
  if (!equal) broken(law, loaded == null ? shown(loaded) : all(loaded.rev, loaded.parts), all(rev, parts));
}

/** What work gives, which is to go well. */
export async function kept<T>(law: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RollingWindowError && error.code === 'invalid-store') throw error;
    return broken(law, String(error), undefined, error);
  }
}

/** That work ends with this error. */
export async function refused(law: string, code: string, work: () => Promise<unknown>): Promise<void> {
  let given: unknown;
  try {
    given = await work();
  } catch (error) {
    if ((error as { readonly code?: unknown } | undefined)?.code === code) return;
    broken(law, String(error), `the error ${code}`, error);
  }
  broken(law, shown(given), `the error ${code}`);
}

export function must(law: string, fact: boolean, given: unknown): void {
  if (!fact) broken(law, shown(given));
}

function broken(law: string, given: string, wanted?: string, cause?: unknown): never {
  throw new RollingWindowError('invalid-store', {
    expected: `the store to keep the law of ${law}${wanted === undefined ? '' : `: ${wanted}`}`,
    given,
    remedy: 'See the contract, CheckpointStore',
    cause,
  });
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** A checkpoint, short enough for a message. */
function all(rev: string | undefined, parts: readonly Uint8Array[]): string {
  return `${shown(rev)} ${parts.map((part) => (part.length <= 8 ? `[${Array.from(part).join(' ')}]` : `[${part.length} bytes]`)).join('')}`;
}
