import { RollingWindowError, shown } from '../errors.ts';
import { KeyTable, NO_SLOT } from '../keys/keyTable.ts';
import { keyParts, type KeyPart } from '../keys/partitionKey.ts';
import type { LiveTablePlan } from './liveTableConfig.ts';
import { ownRow, type Row } from './ownRow.ts';
import { isBatch } from './rowBatch.ts';

/** What an input has for one key: a row, or that the row goes. */
export interface StagedRow {
  readonly key: readonly KeyPart[];
  readonly row: Row | undefined;
}

/**
 * Reads an input: for each of its keys what came last, in the order in which the keys came first. All that runs code of the
 * caller's, getters and `deleted`, runs here, before anything has moved.
 *
 * @throws RollingWindowError `invalid-key` for what is no row, and for a row whose key is none, or none of its own.
 */
export function stagedRows(given: unknown, plan: LiveTablePlan): readonly StagedRow[] {
  if (isBatch(given)) return lastOfEachKey([...given.rows.map((row) => stagedRow(row, plan)), ...stagedKeys(given.removed, plan)], plan);
  if (Array.isArray(given)) return lastOfEachKey(given.map((row) => stagedRow(row, plan)), plan);
  return [stagedRow(given, plan)];
}

/**
 * The keys of rows that are to go.
 *
 * @throws RollingWindowError `invalid-key` for what is no key, or no list of them.
 */
export function stagedKeys(keys: Iterable<unknown>, plan: LiveTablePlan): StagedRow[] {
  if (!(Symbol.iterator in Object(keys))) return invalidKey(keys, 'a list of objects with the columns', plan.keyColumns, 'Put a single key into a list');
  return Array.from(keys, (key) => ({ key: askedKey(key, plan.keyColumns), row: undefined }));
}

/**
 * The parts of a key that somebody asks for, an object with its columns.
 *
 * @throws RollingWindowError `invalid-key` where one is missing: the row that has null there would not be meant.
 */
export function askedKey(asked: unknown, columns: readonly string[]): readonly KeyPart[] {
  const key = Object(asked ?? {}) as Row, parts = columns.every((name) => name in key) ? keyParts(key, columns) : undefined;
  return parts ?? invalidKey(asked, "an object with the key's columns", columns, 'Name all columns of the key, and null where it is null');
}

export function lastOfEachKey(staged: readonly StagedRow[], { keyColumns }: LiveTablePlan): readonly StagedRow[] {
  if (staged.length < 2) return staged;
  const keys = new KeyTable(keyColumns.length), last: StagedRow[] = [];
  for (const one of staged) {
    const found = keys.find(one.key);
    last[found === NO_SLOT ? keys.add(one.key) : found] = one; // slots are given out in order
  }
  return last;
}

function stagedRow(given: unknown, { keyColumns, deleted }: LiveTablePlan): StagedRow {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return invalidKey(given, 'a row with the columns', keyColumns, 'Pass rows, arrays of rows, or batches');
  const row = ownRow(given);
  const key = keyParts(row, keyColumns) ?? invalidKey(row, 'a string, number, bigint, boolean, date or null in the columns', keyColumns, 'Make a text or a number of it');
  // A getter of a class is none of the copy's columns: all such rows would be the one whose key is null.
  if (keyColumns.some((name) => row[name] === undefined && (given as Row)[name] !== undefined)) return invalidKey(given, 'a row with columns of its own for', keyColumns, 'Make a plain object of it');
  return { key, row: deleted?.(given) ? undefined : row };
}

function invalidKey(given: unknown, expected: string, columns: readonly string[], remedy: string): never {
  throw new RollingWindowError('invalid-key', { expected: `${expected} ${columns.join(', ')}`, given: shown(given), remedy });
}
