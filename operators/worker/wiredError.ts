import { CheckpointError, RollingWindowError, shown, SnapshotError } from '../../src/index.ts';

/** Whatever was thrown, as it crosses. Structured cloning alone would make an `Error` of ours, without code and parts. */
export type WiredError = { readonly thrown: unknown } | Parts;

interface Parts {
  readonly name: string;
  readonly code: RollingWindowError['code'];
  readonly expected: string;
  readonly given: string;
  readonly remedy: string | undefined;
  readonly cause: WiredError | undefined;
  readonly stack: string | undefined;
}

export function wired(error: unknown): WiredError {
  if (!(error instanceof RollingWindowError)) return { thrown: sendable(error) };
  const { name, code, expected, given, remedy, stack } = error as RollingWindowError;
  return { name, code, expected, given, remedy, stack, cause: error.cause === undefined ? undefined : wired(error.cause) };
}

/** The error anew: of its class, with its code and its parts, and the stack that it had in the worker. */
export function unwired(error: WiredError): unknown {
  if ('thrown' in error) return error.thrown;
  const { name, code, expected, given, remedy, cause, stack } = error;
  const parts = { expected, given, ...(remedy !== undefined && { remedy }), ...(cause !== undefined && { cause: unwired(cause) }) };
  const made = name === 'SnapshotError' ? new SnapshotError(code as never, parts) : name === 'CheckpointError' ? new CheckpointError(code as never, parts) : new RollingWindowError(code, parts);
  return stack === undefined ? made : Object.defineProperty(made, 'stack', { value: stack });
}

/** What can't cross leaves its text. */
function sendable(thrown: unknown): unknown {
  try {
    return structuredClone(thrown);
  } catch {
    return new Error(thrown instanceof Error ? thrown.message : shown(thrown));
  }
}
