import type { EngineSettings, Limits } from './config.ts';
import { RollingWindowError, shown, type ErrorParts } from './errors.ts';
import { durationMs } from './time/duration.ts';

/* What the fields of a configuration take: each function checks one, and gives what it means. */

const watermarkFields: Fields<{ delay: unknown; by: unknown }> = { delay: true, by: true };
const limitFields: Fields<Limits> = { maxKeys: true, maxEvents: true, keyTtl: true, onLimit: true };

export interface PlannedLimits {
  readonly maxKeys: number;
  readonly maxEvents: number;
  readonly keyTtl: number;
  readonly onLimit: NonNullable<Limits['onLimit']>;
}

/** A delay, and the column that tells sources of their own apart. */
export interface PlannedWatermark {
  readonly delay: number;
  readonly by: string | undefined;
}

/** The fields of an object that a caller passes: all of them, or a field that is there would be unknown. */
export type Fields<T> = Readonly<Record<keyof T & string, true>>;

/** Those that the operators take out of a configuration: the same one may serve a pipe and an engine of its own. */
export const drivenFields = { trigger: true, clock: true, scheduler: true, progress: true, checkpoint: true, flush$: true } as const;

/** An object without fields that nobody knows: a misspelt one would stand for its default, and nobody would know. */
export function requireObject(given: unknown, expected: string, fields: Readonly<Record<string, true>>): void {
  if (typeof given !== 'object' || given === null) throw invalidConfig({ expected, given: shown(given) });
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !Object.hasOwn(fields, name)) {
      throw invalidConfig({ expected: `${expected}, of which the fields are ${Object.keys(fields).join(', ')}`, given: `the field ${shown(name)}`, remedy: 'Mind the spelling' });
    }
  }
}

export function columnNames(given: unknown, field = 'partitionBy'): readonly string[] {
  const names = Array.isArray(given) ? (given as readonly unknown[]) : [given];
  return Object.freeze(names.map((name) => columnName(name, field)));
}

export function columnName(name: unknown, field: string): string {
  if (typeof name !== 'string') {
    throw invalidConfig({ expected: `the name of a column in ${field}`, given: shown(name), remedy: 'partitionBy: [] makes one group of all events' });
  }
  // As a property of a row it would set the row's prototype, and no column would be there.
  if (name === '__proto__') throw invalidConfig({ expected: `a column name in ${field} that an object can have`, given: "'__proto__'" });
  return asLiteral(name);
}

/**
 * The same text as if it stood in a program. One that was put together, as `sum(revenue)` was, is compared letter by
 * letter wherever it names a property, which makes a row twice as dear.
 */
export function asLiteral(text: string): string {
  return Object.keys({ [text]: text })[0]!;
}

export function watermarkOf(watermark: EngineSettings<never>['watermark'] | null): PlannedWatermark | undefined {
  if (watermark === undefined) return undefined;
  if (watermark === null) throw invalidConfig({ expected: "a duration or { delay, by } in watermark", given: 'null' });
  const spec = typeof watermark === 'object' && 'delay' in watermark ? watermark : { delay: watermark };
  requireObject(spec, 'watermark as { delay, by }', watermarkFields);
  const by = 'by' in spec ? spec.by : undefined;
  return { delay: durationMs(spec.delay), by: by === undefined ? undefined : columnName(by, 'watermark.by') };
}

export function limitsOf(limits: Limits | undefined): PlannedLimits | undefined {
  if (limits === undefined) return undefined;
  requireObject(limits, 'an object in limits', limitFields);
  const most = (field: 'maxKeys' | 'maxEvents'): number => {
    const value = limits[field] ?? Infinity;
    if (!(value >= 1 && (value === Infinity || Number.isInteger(value)))) throw invalidConfig({ expected: `a whole number from 1 in limits.${field}`, given: shown(value) });
    return value;
  };
  return {
    maxKeys: most('maxKeys'),
    maxEvents: most('maxEvents'),
    keyTtl: limits.keyTtl === undefined ? Infinity : durationMs(limits.keyTtl, { positive: true }),
    onLimit: oneOf(limits.onLimit, 'limits.onLimit', ['error', 'evict-idle', 'drop-new']),
  };
}

/** The value of a field that takes an object with some methods. */
export function withMethods<T extends object>(given: T | undefined, field: string, methods: readonly (keyof T & string)[]): T | undefined {
  if (given !== undefined && !methods.every((name) => typeof (given as Partial<T> | null)?.[name] === 'function')) {
    throw invalidConfig({ expected: `${field} to be an object with ${methods.join(' and ')}`, given: shown(given) });
  }
  return given;
}

/** The value of a field that takes one of a few words; the first is the default. */
export function oneOf<const Word extends string>(given: NoInfer<Word> | undefined, field: string, words: readonly [Word, ...Word[]]): Word {
  const word = given ?? words[0];
  if (!words.includes(word)) throw invalidConfig({ expected: `${field} to be one of ${words.map((one) => shown(one)).join(', ')}`, given: shown(word) });
  return word;
}

export function invalidConfig(parts: ErrorParts): RollingWindowError {
  return new RollingWindowError('invalid-config', parts);
}
