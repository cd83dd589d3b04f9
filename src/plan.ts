import { Column, type ValueKind } from './admission/column.ts';
import type { AnyEngineConfig, Dropped, Limits, Listener } from './config.ts';
import type { Offset, Partition } from './checkpoint/part.ts';
import type { MeasureText, PlanText } from './checkpoint/planText.ts';
import { RollingWindowError, shown, type ErrorParts } from './errors.ts';
import type { AnyMeasure } from './measures/measure.ts';
import { durationMs } from './time/duration.ts';
import { inclusive, union, type LowerEdge } from './time/lowerEdge.ts';
import { epochMilliseconds, type TimeAdapter } from './time/timestamp.ts';

const DEFAULT_SKEW = 300_000;
const NO_PREDICATE = -1;

/** A measure as the engine computes it. */
interface PlannedMeasure {
  readonly measure: AnyMeasure;
  /** Index of the column that it reads, or -1. */
  readonly column: number;
  /** Index of the second column of a pair, or -1. */
  readonly second: number;
  /** Index of its filter, or -1. */
  readonly predicate: number;
  /** Index of its lookback; the number of lookbacks for a lifetime. */
  readonly lookback: number;
}

interface PlannedLimits {
  readonly maxKeys: number;
  readonly maxEvents: number;
  readonly keyTtl: number;
  readonly onLimit: NonNullable<Limits['onLimit']>;
}

/** The configuration, checked once and frozen: everything behind it trusts it. */
export interface Plan {
  readonly keyColumns: readonly string[];
  readonly orderBy: string;
  readonly alias: string;
  readonly delay: number;
  readonly time: TimeAdapter;
  readonly watermark: { readonly delay: number; readonly by: string | undefined } | undefined;
  readonly emit: 'changed' | 'every' | 'none';
  readonly maxFutureSkew: number | false;
  readonly onFuture: 'hold' | 'drop' | 'error';
  readonly onInvalid: 'drop' | 'error';
  readonly limits: PlannedLimits | undefined;
  readonly dropped: Listener<Dropped<unknown>> | undefined;
  readonly position: ((event: unknown) => readonly [Partition, Offset]) | undefined;
  /** From the shortest to the longest; the last one holds whatever another holds. */
  readonly lookbacks: readonly LowerEdge[];
  readonly hasLifetime: boolean;
  readonly columns: readonly { readonly name: string; readonly kinds: readonly ValueKind[] }[];
  readonly predicates: readonly ((event: unknown) => boolean)[];
  readonly measures: readonly PlannedMeasure[];
  /** What snapshots say of it. */
  readonly text: PlanText;
}

/** Checks a configuration and works out what the engine has to keep. Every argument error is thrown here. */
export function planOf(config: AnyEngineConfig): Plan {
  requireObject(config, 'a configuration object');
  if (config.frontierSpec !== undefined) requireObject(config.frontierSpec, 'frontierSpec as { delay, alias }');
  if (config.limits !== undefined) requireObject(config.limits, 'limits as { maxKeys, maxEvents, keyTtl, onLimit }');
  const keyColumns = columnNames(config.partitionBy);
  const orderBy = columnName(config.orderBy, 'orderBy');
  const alias = columnName(config.frontierSpec?.alias ?? '__frontier', 'frontierSpec.alias');
  const measures = measuresOf(config.measures);
  checkNames(keyColumns, alias, measures);

  const lookbacks = lookbacksOf(measures, oneOf(config.closed, 'closed', ['right', 'both']));
  const columns = columnsOf(measures);
  const predicates = [...new Set(measures.flatMap(({ predicate }) => predicate ?? []))] as ((event: unknown) => boolean)[];
  const watermark = watermarkOf(config.watermark);
  return Object.freeze({
    keyColumns,
    orderBy,
    alias,
    delay: durationMs(config.frontierSpec?.delay ?? 0),
    time: withMethods(config.time, 'time', ['read', 'write']) ?? epochMilliseconds,
    watermark,
    emit: oneOf(config.emit, 'emit', ['changed', 'every', 'none']),
    maxFutureSkew: config.maxFutureSkew === false ? false : durationMs(config.maxFutureSkew ?? DEFAULT_SKEW),
    onFuture: oneOf(config.onFuture, 'onFuture', ['hold', 'drop', 'error']),
    onInvalid: oneOf(config.onInvalid, 'onInvalid', ['drop', 'error']),
    limits: limitsOf(config.limits),
    dropped: withMethods(config.dropped, 'dropped', ['next']),
    position: positionOf(config.position),
    lookbacks: lookbacks.edges,
    hasLifetime: measures.some(({ frame }) => frame === undefined),
    columns,
    predicates,
    measures: measures.map((measure) => ({
      measure,
      column: columns.findIndex(({ name }) => name === measure.columns[0]),
      second: columns.findIndex(({ name }) => name === measure.columns[1]),
      predicate: measure.predicate === undefined ? NO_PREDICATE : predicates.indexOf(measure.predicate as (event: unknown) => boolean),
      lookback: measure.frame === undefined ? lookbacks.edges.length : lookbacks.texts.indexOf(measure.frame.edge.text),
    })),
    text: {
      keyColumns,
      orderBy,
      time: config.time === undefined ? (epochMilliseconds.name ?? null) : (config.time.name ?? null),
      watermarkBy: watermark?.by ?? null,
      measures: measures.map((measure) => measureText(measure, config.closed)),
    },
  });
}

/** The columns as the engine reads them: they remember what type their values have. */
export const openColumns = (plan: Plan): Column[] => plan.columns.map(({ name, kinds }) => new Column(name, kinds));

function requireObject(given: unknown, expected: string): void {
  if (typeof given !== 'object' || given === null) throw invalidConfig({ expected, given: shown(given) });
}

function columnNames(partitionBy: unknown): readonly string[] {
  const names = Array.isArray(partitionBy) ? (partitionBy as readonly unknown[]) : [partitionBy];
  return Object.freeze(names.map((name) => columnName(name, 'partitionBy')));
}

function columnName(name: unknown, field: string): string {
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
function asLiteral(text: string): string {
  return Object.keys({ [text]: text })[0]!;
}

function measuresOf(measures: unknown): readonly AnyMeasure[] {
  if (!Array.isArray(measures)) throw invalidConfig({ expected: 'a list of measures', given: shown(measures), remedy: "For instance measures: [count(), sum('revenue')]" });
  for (const measure of measures as readonly (Partial<AnyMeasure> | null)[]) {
    if (typeof measure !== 'object' || typeof measure?.name !== 'string' || typeof measure.aggregate?.reduce !== 'function') {
      throw new RollingWindowError('invalid-measure', { expected: "measures such as sum('revenue')", given: shown(measure), remedy: "A udaf takes its column in a second call: udaf({ ... })('column')" });
    }
  }
  return Object.freeze((measures as readonly AnyMeasure[]).map(plannedMeasure));
}

function plannedMeasure(measure: AnyMeasure): AnyMeasure {
  const { name, columns, aggregate, frame } = measure;
  return { ...measure, name: columnName(name, 'measures'), columns: columns.map(asLiteral), aggregate: frame ? aggregate : (aggregate.lifetime ?? aggregate) };
}

function checkNames(keyColumns: readonly string[], alias: string, measures: readonly AnyMeasure[]): void {
  const owners = new Map<string, string>();
  const claim = (name: string, owner: string): void => {
    const other = owners.get(name);
    if (other !== undefined) {
      throw new RollingWindowError('duplicate-column', {
        expected: 'output columns with different names',
        given: `${shown(name)} for ${other} and for ${owner}`,
        remedy: "Name each partition column once, rename a measure with .as('name'), the frontier with frontierSpec.alias",
      });
    }
    owners.set(name, owner);
  };
  for (const name of keyColumns) claim(name, `partition column ${shown(name)}`);
  claim(alias, 'the frontier');
  measures.forEach(({ name }, i) => claim(name, `measure ${i + 1}`));
}

/** The bounded frames, each once, the longest last; `texts` names them as the measures do. */
function lookbacksOf(measures: readonly AnyMeasure[], closed: 'right' | 'both'): { edges: readonly LowerEdge[]; texts: readonly string[] } {
  const byText = new Map(measures.flatMap(({ frame }) => (frame ? [[frame.edge.text, frame.edge] as const] : [])));
  const frames = [...byText.values()].sort((a, b) => a.longest - b.longest);
  const edges = frames.map((edge) => (closed === 'both' && !edge.startsInside ? inclusive(edge) : edge));
  const nested = edges.length < 2 || edges.every(({ fixed }) => fixed);
  return { edges: Object.freeze(nested ? edges : [...edges, union(edges)]), texts: frames.map(({ text }) => text) };
}

function columnsOf(measures: readonly AnyMeasure[]): Plan['columns'] {
  const kinds = new Map<string, ValueKind[]>();
  for (const { columns, kind, secondKind = kind } of measures) {
    columns.forEach((column, i) => kinds.set(column, [...(kinds.get(column) ?? []), i === 0 ? kind : secondKind]));
  }
  return Array.from(kinds, ([name, of]) => ({ name, kinds: of }));
}

function watermarkOf(watermark: AnyEngineConfig['watermark'] | null): Plan['watermark'] {
  if (watermark === undefined) return undefined;
  if (watermark === null) throw invalidConfig({ expected: "a duration or { delay, by } in watermark", given: 'null' });
  const spec = typeof watermark === 'object' && 'delay' in watermark ? watermark : { delay: watermark };
  const by = 'by' in spec ? spec.by : undefined;
  return { delay: durationMs(spec.delay), by: by === undefined ? undefined : columnName(by, 'watermark.by') };
}

function limitsOf(limits: Limits | undefined): PlannedLimits | undefined {
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

function positionOf(position: AnyEngineConfig['position']): Plan['position'] {
  if (position !== undefined && typeof position !== 'function') throw invalidConfig({ expected: 'position to be a function of an event', given: shown(position) });
  return position as Plan['position'];
}

/** The value of a field that takes an object with some methods. */
function withMethods<T extends object>(given: T | undefined, field: string, methods: readonly (keyof T & string)[]): T | undefined {
  if (given !== undefined && !methods.every((name) => typeof (given as Partial<T> | null)?.[name] === 'function')) {
    throw invalidConfig({ expected: `${field} to be an object with ${methods.join(' and ')}`, given: shown(given) });
  }
  return given;
}

/** The value of a field that takes one of a few words; the first is the default. */
function oneOf<const Word extends string>(given: NoInfer<Word> | undefined, field: string, words: readonly [Word, ...Word[]]): Word {
  const word = given ?? words[0];
  if (!words.includes(word)) throw invalidConfig({ expected: `${field} to be one of ${words.map((one) => shown(one)).join(', ')}`, given: shown(word) });
  return word;
}

function measureText({ name, columns, aggregate, frame, predicate }: AnyMeasure, closed = 'right'): MeasureText {
  return {
    name,
    aggregate: `${aggregate.builtIn === true ? 'built-in ' : ''}${aggregate.name}`,
    columns,
    parameters: Object.entries(aggregate.parameters ?? {}),
    over: frame ? `${frame.edge.text} closed ${closed}` : null,
    filtered: predicate !== undefined,
  };
}

function invalidConfig(parts: ErrorParts): RollingWindowError {
  return new RollingWindowError('invalid-config', parts);
}
