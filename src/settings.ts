import type { EngineSettings, Limits } from './config.ts';
import { RollingWindowError, shown, type ErrorParts } from './errors.ts';
import { durationMs } from './time/duration.ts';

/* What the fields of a configuration take: each function checks one, and gives what it means. */

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

export function requireObject(given: unknown, expected: string): void {
  if (typeof given !== 'object' || given === null) throw invalidConfig({ expected, given: shown(given) });
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
  const by = 'by' in spec ? spec.by : undefined;
  return { delay: durationMs(spec.delay), by: by === undefined ? undefined : columnName(by, 'watermark.by') };
}

export function limitsOf(limits: Limits | undefined): PlannedLimits | undefined {
  if (limits === undefined) return undefined;
  const most = (field: 'maxKeys' | 'maxEvents'): number => {
    const value = limits[field] ?? Infinity;
    if (!(value >= 1)) throw invalidConfig({ expected: `a number from 1 in limits.${field}`, given: shown(value) });
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
