import { Column, type ValueKind } from './admission/column.ts';
import type { AnyEngineConfig, Dropped, FrontierSpec, Listener } from './config.ts';
import type { Offset, Partition } from './checkpoint/part.ts';
import type { MeasureText, PlanText } from './checkpoint/planText.ts';
import { RollingWindowError, shown } from './errors.ts';
import type { AnyMeasure } from './measures/measure.ts';
import { asLiteral, columnName, columnNames, drivenFields, invalidConfig, limitsOf, oneOf, requireObject, watermarkOf, withMethods, type Fields, type PlannedLimits, type PlannedWatermark } from './settings.ts';
import { durationMs } from './time/duration.ts';
import { inclusive, union, type LowerEdge } from './time/lowerEdge.ts';
import { epochMilliseconds, type TimeAdapter } from './time/timestamp.ts';

const DEFAULT_SKEW = 300_000;
const NO_PREDICATE = -1;

const frontierFields: Fields<FrontierSpec<string>> = { delay: true, alias: true };
const configFields: Fields<AnyEngineConfig> = {
  partitionBy: true, orderBy: true, frontierSpec: true, watermark: true, measures: true, time: true, closed: true, emit: true,
  maxFutureSkew: true, onFuture: true, onInvalid: true, limits: true, dropped: true, position: true, ...drivenFields,
};

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
  readonly position: ((event: unknown) => readonly [Partition, Offset]) | undefined;
  /** The bounded frames, each once, from the shortest to the longest. */
  readonly lookbacks: readonly LowerEdge[];
  /** Whether the last of them holds whatever another holds. */
  readonly nested: boolean;
  /** What is before every window; none where there is no bounded one. */
  readonly horizon: LowerEdge | undefined;
  /** Instants at which events enter or leave by themselves: an edge passes what is at or before it. None passes later ones than the last. */
  readonly passings: readonly LowerEdge[];
  readonly hasLifetime: boolean;
  readonly columns: readonly { readonly name: string; readonly kinds: readonly ValueKind[] }[];
  readonly predicates: readonly ((event: unknown) => boolean)[];
  readonly measures: readonly PlannedMeasure[];
  /** What snapshots say of it. */
  readonly text: PlanText;
}

/** Checks a configuration and works out what the engine has to keep. Every argument error is thrown here. */
export function planOf(config: AnyEngineConfig): Plan {
  requireObject(config, 'a configuration object', configFields);
  if (config.frontierSpec !== undefined) requireObject(config.frontierSpec, 'an object in frontierSpec', frontierFields);
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
    nested: isNested(lookbacks.edges),
    horizon: widest(lookbacks.edges),
    passings: passingsOf(lookbacks.edges),
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

function measuresOf(measures: unknown): readonly AnyMeasure[] {
  if (!Array.isArray(measures)) throw invalidConfig({ expected: 'a list of measures', given: shown(measures), remedy: "For instance measures: [count(), sum('revenue')]" });
  for (const measure of measures as readonly (Partial<AnyMeasure> | null)[]) {
    if (typeof measure !== 'object' || typeof measure?.name !== 'string' || typeof measure.aggregate?.reduce !== 'function') {
      throw new RollingWindowError('invalid-measure', { expected: "measures such as sum('revenue')", given: shown(measure), remedy: "A udaf takes its column in a second call: udaf({ ... })('column')" });
    }
    if ('window' in measure) throw new RollingWindowError('invalid-measure', { expected: 'measures over frames', given: `${measure.name} over a window`, remedy: 'Windows are for windowFunctions' });
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
  const frames = [...byText.values()].sort((a, b) => (a.longest < b.longest ? -1 : Number(a.longest > b.longest))); // of infinite lengths there is no difference
  const edges = frames.map((edge) => (closed === 'both' && !edge.settled ? inclusive(edge) : edge));
  return { edges: Object.freeze(edges), texts: frames.map(({ text }) => text) };
}

/** A window of rows alone is nested, too; but it also moves where a late event is put in its place, and nothing is given back there. */
const isNested = (edges: readonly LowerEdge[]): boolean => edges.every(({ rows, fixed }) => rows === undefined && (fixed ?? edges.length < 2));

/** The edge that holds whatever one of these holds. */
const widest = (edges: readonly LowerEdge[]): LowerEdge | undefined => (isNested(edges) ? edges.at(-1) : union(edges));

function passingsOf(lookbacks: readonly LowerEdge[]): readonly LowerEdge[] {
  const lowers = lookbacks.filter(({ rows }) => rows === undefined);
  if (lowers.every(({ upper }) => upper === undefined) && isNested(lowers)) return lowers.length < lookbacks.length ? Object.freeze(lowers) : lookbacks;
  const uppers = lowers.flatMap(({ text, longest, upper }) => (upper ? [{ text, longest, lower: (frontier: number) => upper.upper(frontier), leavesAt: (time: number) => upper.entersAt(time) }] : []));
  return Object.freeze([...uppers, ...lowers, ...(isNested(lowers) ? [] : [union(lowers)])]);
}

function columnsOf(measures: readonly AnyMeasure[]): Plan['columns'] {
  const kinds = new Map<string, ValueKind[]>();
  for (const { columns, kind, secondKind = kind } of measures) {
    columns.forEach((column, i) => kinds.set(column, [...(kinds.get(column) ?? []), i === 0 ? kind : secondKind]));
  }
  return Array.from(kinds, ([name, of]) => ({ name, kinds: of }));
}

function positionOf(position: AnyEngineConfig['position']): Plan['position'] {
  if (position !== undefined && typeof position !== 'function') throw invalidConfig({ expected: 'position to be a function of an event', given: shown(position) });
  return position as Plan['position'];
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
