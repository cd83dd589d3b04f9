/**
 * Everything that can go wrong, under a name that programs may rely on.
 * The table for readers is docs/errors.md; a test keeps the two together.
 */
export type RollingWindowErrorCode =
  | 'invalid-config'
  | 'invalid-duration'
  | 'invalid-measure'
  | 'invalid-window'
  | 'invalid-store'
  | 'duplicate-column'
  | 'invalid-time'
  | 'invalid-key'
  | 'invalid-value'
  | 'future-event'
  | 'limit-exceeded'
  | 'invalid-clock'
  | 'invalid-position'
  | 'engine-in-use'
  | 'worker-lost'
  | 'user-code';

export type SnapshotErrorCode = 'snapshot-damaged' | 'snapshot-foreign' | 'snapshot-newer' | 'snapshot-plan-changed' | 'snapshot-chain-broken' | 'snapshot-unsupported-value';

export type CheckpointErrorCode = 'checkpoint-conflict' | 'checkpoint-full' | 'checkpoint-closed' | 'checkpoint-damaged' | 'checkpoint-failed';

/** What a message is made of: what was expected, what came, what to do about it. */
export interface ErrorParts {
  readonly expected: string;
  readonly given: string;
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** An error of this library. `code` is stable; the text says what was expected, what came, and what to do. */
export class RollingWindowError<Code extends string = RollingWindowErrorCode | SnapshotErrorCode | CheckpointErrorCode> extends Error {
  override readonly name: string = 'RollingWindowError';
  readonly code: Code;
  readonly expected: string;
  readonly given: string;
  readonly remedy: string | undefined;

  constructor(code: Code, { expected, given, remedy, cause }: ErrorParts) {
    super(`[${code}] expected ${expected}; got ${given}${remedy === undefined ? '' : `. ${remedy}`}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.expected = expected;
    this.given = given;
    this.remedy = remedy;
  }
}

/** A snapshot that can't be read into this engine. The engine stays as it was. */
export class SnapshotError extends RollingWindowError<SnapshotErrorCode> {
  override readonly name: string = 'SnapshotError';
}

/** A checkpoint store that did not load or save. After a failed save it holds what it held before. */
export class CheckpointError extends RollingWindowError<CheckpointErrorCode> {
  override readonly name: string = 'CheckpointError';
}

/** What a function of the user's threw, under the function's name. `calls`: what may have run it for a key, if anything is kept for keys. */
export function userCodeError(name: string, cause: unknown, calls: string | null): RollingWindowError {
  return new RollingWindowError('user-code', {
    expected: `${name} to return`,
    given: `the error ${cause instanceof Error ? shown(cause.message) : shown(cause)}`,
    remedy: calls === null ? 'See the cause' : `See the cause. Where this came from ${calls}, the state of that key has been dropped`,
    cause,
  });
}

/** A value as it should stand in a message: short, with its type visible, never throwing. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
    case 'bigint':
      return `${String(value)}n`;
    case 'function':
      return 'a function';
    case 'object':
      return value === null ? 'null' : shownObject(value);
    default:
      return String(value);
  }
}

function shownObject(value: object): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : `the Date ${value.toISOString()}`;
  try {
    const text = JSON.stringify(value);
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
  } catch {
    // Cyclic, or a bigint somewhere inside: its text is of no use in a message anyway.
    return Array.isArray(value) ? 'an array' : 'an object';
  }
}
