import { Column, type ValueKind } from './admission/column.ts';
import type { AnyEngineConfig, Dropped, Listener } from './config.ts';
import { RollingWindowError, shown } from './errors.ts';
import type { AnyMeasure } from './measures/measure.ts';
import { asLiteral, columnName, columnNames, invalidConfig, limitsOf, oneOf, requireObject, watermarkOf, withMethods, type PlannedLimits, type PlannedWatermark } from './settings.ts';
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

/** The configuration, checked once and frozen: everything behind it trusts it. */
export interface Plan {
  readonly keyColumns: readonly string[];
  readonly orderBy: string;
  readonly alias: string;
  readonly delay: number;
  readonly time: TimeAdapter;
  readonly watermark: PlannedWatermark | undefined;
  readonly emit: 'changed' | 'every' | 'none';
  readonly maxFutureSkew: number | false;
  readonly onFuture: 'hold' | 'drop' | 'error';
  readonly onInvalid: 'drop' | 'error';
  readonly limits: PlannedLimits | undefined;
  readonly dropped: Listener<Dropped<unknown>> | undefined;
  /** From the shortest to the longest; the last one holds whatever another holds. */
  readonly lookbacks: readonly LowerEdge[];
  readonly hasLifetime: boolean;
  readonly columns: readonly { readonly name: string; readonly kinds: readonly ValueKind[] }[];
  readonly predicates: readonly ((event: unknown) => boolean)[];
  readonly measures: readonly PlannedMeasure[];
  /** What a snapshot must have been made with. */
  readonly fingerprint: Fingerprint;
}

interface Fingerprint {
  readonly keyColumns: readonly string[];
  readonly orderBy: string;
  readonly measures: readonly string[];
  readonly watermarkBy: string | null;
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
    fingerprint: {
      keyColumns,
      orderBy,
      measures: measures.map((measure) => describe(measure, config.closed)),
      watermarkBy: watermark?.by ?? null,
    },
  });
}

/** The columns as the engine reads them: they remember what type their values have. */
export const openColumns = (plan: Plan): Column[] => plan.columns.map(({ name, kinds }) => new Column(name, kinds));

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

/** All that a measure's state depends on, in words. The code of a filter or a udaf can't be compared. */
function describe({ name, columns, aggregate, frame, predicate }: AnyMeasure, closed = 'right'): string {
  const parameters = Object.entries(aggregate.parameters ?? {}).map(([parameter, value]) => ` with ${parameter} ${String(value)}`);
  const over = frame ? `${frame.edge.text} closed ${closed}` : 'lifetime';
  return `${name}: ${aggregate.builtIn === true ? 'built-in ' : ''}${aggregate.name}(${columns.join(', ')}${parameters.join('')})${predicate ? ' filtered' : ''} over ${over}`;
}
