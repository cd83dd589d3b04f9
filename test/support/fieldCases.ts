import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { AnyEngineConfig } from '../../src/config.ts';
import type { Engine } from '../../src/engineTypes.ts';
import type { TimeAdapter } from '../../src/time/timestamp.ts';
import { caseMeasure } from './caseMeasures.ts';

/**
 * Cases re-invented from public bug reports of stream and data-frame libraries (`source`), with values computed once by
 * exact arithmetic. Those without steps are told in prose, and their tests are written by hand.
 */
export interface FieldCase {
  readonly id: string;
  readonly kind: string;
  readonly source: string;
  readonly fault: string;
  readonly config: { readonly delay?: number; readonly wm?: { readonly delay: number }; readonly measures: readonly MeasureSpec[] };
  readonly steps: readonly Step[];
  readonly expect: Readonly<Partial<Record<Closing, Outcome>>>;
  readonly withGuard?: { readonly rows: readonly { readonly now: number; readonly row: Values }[]; readonly late: number };
}

export type Closing = 'right' | 'both';
/** Output column, aggregate (`pct:3/4` a percentile, `band:1/2` bounds of one), milliseconds of range; null is lifetime. */
export type MeasureSpec = readonly [name: string, aggregate: string, range: number | null];
export type CaseKey = string | null | readonly [string, string | null];
export type Step =
  | readonly ['e', arrival: number, key: CaseKey, time: number, value: unknown]
  | readonly ['tick' | 'snapshot' | 'restore' | 'replay' | 'complete', now: number];
type Values = Readonly<Record<string, unknown>>;
interface ExpectedRow {
  readonly now: number;
  readonly frontier: number;
  readonly key: CaseKey;
  readonly row: Values;
  /** False: the row must not leave, but this is what the key's state must say. */
  readonly emit: boolean;
}
interface Outcome {
  readonly late: number;
  readonly watermark: number;
  readonly rows: readonly ExpectedRow[];
}

const plain = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$num' in value ? Number(value.$num) : value;

const all = JSON.parse(readFileSync(new URL('../fixtures/fieldCases.json', import.meta.url), 'utf8'), plain) as FieldCase[];

/** The cases that can be replayed step by step. */
export const fieldCases: readonly FieldCase[] = all.filter((one) => 'steps' in one);
export const toldInProse: readonly string[] = all.filter((one) => !('steps' in one)).map(({ id }) => id);

export function fieldCase(id: string): FieldCase {
  const found = fieldCases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no case ${id}`);
  return found;
}

export type CaseEvent = Record<string, unknown>;
export type CaseEngine = Engine<CaseEvent, Record<string, unknown>, Record<string, unknown>>;

/** How a case's milliseconds stand in the time column, and how the frontier is read back. */
export interface TimeForm {
  readonly adapter?: TimeAdapter;
  write(milliseconds: number): unknown;
  readFrontier(written: unknown): number;
}
const milliseconds: TimeForm = { write: (time) => time, readFrontier: Number };

/** The partition columns of a case's key. */
export const columnsOf = (key: CaseKey): Values => (Array.isArray(key) ? { k: key[0], l: key[1] } : { k: key });
export const hasColumns = (row: Values, columns: Values): boolean => Object.keys(columns).every((column) => Object.is(row[column], columns[column]));

/** The case's event as a source would offer it; a missing value is a missing column. */
export function caseEvent([, , key, time, value]: Extract<Step, readonly ['e', ...unknown[]]>, form: TimeForm = milliseconds): CaseEvent {
  return { ...columnsOf(key), t: form.write(time), ...(value === null ? {} : { v: value }) };
}

export function caseConfig({ config, steps }: FieldCase, closed: Closing = 'right', form: TimeForm = milliseconds): AnyEngineConfig {
  const isComposite = steps.some((step) => step[0] === 'e' && Array.isArray(step[2]));
  return {
    partitionBy: isComposite ? ['k', 'l'] : 'k',
    orderBy: 't',
    frontierSpec: { delay: config.delay ?? 0 },
    ...(config.wm === undefined ? {} : { watermark: config.wm.delay }),
    measures: config.measures.map(caseMeasure),
    closed,
    maxFutureSkew: false,
    ...(form.adapter === undefined ? {} : { time: form.adapter }),
  };
}

/**
 * Replays a case and compares every row: what leaves with what must leave, and the state of the keys that are silent.
 * `restart` gives a fresh engine at each snapshot; without it the engine lives on, which must make no difference.
 */
export function replay(one: FieldCase, start: () => CaseEngine, { closed = 'right', form = milliseconds, restarts = false }: { closed?: Closing; form?: TimeForm; restarts?: boolean } = {}): CaseEngine {
  const outcome = one.expect[closed];
  if (outcome === undefined) throw new Error(`${one.id} has no values for ${closed}`);
  const due = [...outcome.rows];
  let engine = start();
  let saved: Uint8Array | undefined;
  const evaluate = (now: number): void => {
    const rows = engine.advance(now);
    const expected = due.splice(0, due.filter((row) => row.now === now).length);
    expect(rows.length, `rows at ${now}`).toBe(expected.filter(({ emit }) => emit).length);
    for (const { key, frontier, row, emit } of expected) {
      const columns = columnsOf(key);
      const found = emit ? rows.find((other) => hasColumns(other, columns)) : engine.query(columns);
      expectRow(one, found, { ...columns, ...row }, `${JSON.stringify(key)} at ${now}`);
      expect(form.readFrontier(found?.['__frontier'])).toBe(frontier);
    }
  };

  one.steps.forEach((step, at) => {
    switch (step[0]) {
      case 'e':
        engine.push(caseEvent(step, form), step[1]);
        break;
      case 'tick':
      case 'complete':
        evaluate(step[1]);
        break;
      case 'snapshot':
        if (restarts) saved = engine.snapshot();
        break;
      case 'restore':
      case 'replay':
        if (saved === undefined) break;
        engine = start();
        engine.restore(saved);
        // The source begins again at its first event; what the position covers is skipped.
        if (step[0] === 'replay') expect(engine.position.events).toBe(one.steps.slice(0, at).filter(([kind]) => kind === 'e').length);
        break;
    }
  });

  expect(due, 'rows that were never due').toEqual([]);
  expect(engine.stats.late, 'late events').toBe(outcome.late);
  expect(engine.watermark).toBe(outcome.watermark);
  return engine;
}

/** How far an answer may be off: variances by 1e-9, means by their last digits; everything else is exact. */
const tolerance = (aggregate: string): number => (/^(var|stddev)_/.test(aggregate) ? 1e-9 : aggregate === 'avg' ? 2 ** -51 : 0);

/** Compares one row with the case's values; of a band it must be inside. */
export function expectRow({ config }: FieldCase, found: Values | undefined, expected: Values, where: string): void {
  expect(found, `a row for ${where}`).toBeDefined();
  for (const [column, value] of Object.entries(expected)) {
    const aggregate = config.measures.find(([name]) => name === column)?.[1] ?? '';
    const actual = found?.[column];
    if (aggregate.startsWith('band:') && Array.isArray(value)) {
      const [low, high] = value as [number, number];
      expect(actual, `${column} of ${where}`).toSatisfy((answer: number) => low <= answer && answer <= high);
    } else if (tolerance(aggregate) > 0 && typeof value === 'number' && Number.isFinite(value)) {
      expect(actual, `${column} of ${where}`).toSatisfy((answer: number) => Math.abs(answer - value) <= tolerance(aggregate) * Math.abs(value));
      expect(Object.is(actual, -0)).toBe(false);
    } else {
      expect(actual, `${column} of ${where}`).toBe(value);
    }
  }
}
