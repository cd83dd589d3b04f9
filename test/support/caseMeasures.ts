import type { AnyMeasure } from '../../src/measures/measure.ts';
import { preceding, range, rows, since, sliding, type Frame } from '../../src/measures/frames.ts';
import type { AnyWindowColumn } from '../../src/measures/windowMeasure.ts';
import type { WindowSpec } from '../../src/measures/windowSpec.ts';
import { approxCountDistinct, approxPercentile, avg, count, max, min, stddevPop, stddevSamp, sum, udaf, varPop, varSamp } from '../../src/measures/measures.ts';
import { corr, covarPop, covarSamp, ema, maxBy, minBy, slope } from '../../src/measures/relationMeasures.ts';
import { collect, countDistinct, first, histogram, last, mode, topK } from '../../src/measures/valueMeasures.ts';
import type { MeasureSpec } from './fieldCases.ts';

/** What of a measure's steps tests need, whatever its types. */
interface Steps extends AnyMeasure {
  over(frame: unknown): Steps;
  filter(predicate: (event: Record<string, unknown>) => boolean): Steps;
  as(name: string): AnyMeasure;
}

/** Order-sensitive, without `retract`, answering with a list: which values, in which order. */
const joined = udaf({
  name: 'joined',
  zero: (): readonly string[] => [],
  reduce: (state, value: unknown) => [...state, `${typeof value} ${value instanceof Date ? value.getTime() : String(value)}`],
  merge: (into, from) => [...into, ...from],
  finish: (state) => [...state],
});

/** The same without the order: a lifetime takes late values in when they come. */
const gathered = udaf({
  name: 'gathered',
  zero: (): readonly string[] => [],
  reduce: (state, value: unknown) => [...state, `${typeof value} ${value instanceof Date ? value.getTime() : String(value)}`],
  merge: (into, from) => [...into, ...from],
  finish: (state) => state.toSorted(),
});

const isEven = (value: unknown): number => Number(typeof value === 'number' && value % 2 === 0);
/** With `retract`: how many even numbers. */
const evens = udaf({
  name: 'evens',
  zero: () => 0,
  reduce: (state, value: unknown) => state + isEven(value),
  merge: (into, from) => into + from,
  retract: (state, value) => state - isEven(value),
  finish: (state) => state,
});

/** By name, the measure of a column, or of a column and another. */
const factories: Record<string, (column: string, other: string) => unknown> = {
  count,
  countAll: () => count(),
  distinct: (column) => approxCountDistinct(column),
  countDistinct,
  first,
  last,
  minBy,
  maxBy,
  mode,
  topTwo: (column) => topK(column, 2),
  histogram: (column) => histogram(column, [-1, 0, 0.5, 3, 1e300]),
  lastThree: (column) => collect(column, 3),
  all: (column) => collect(column, 1000),
  ema: (column) => ema(column, 10),
  longEma: (column) => ema(column, 1000 / 3),
  slope,
  corr,
  covar_samp: covarSamp,
  covar_pop: covarPop,
  min,
  max,
  sum,
  avg,
  var_samp: varSamp,
  var_pop: varPop,
  stddev_samp: stddevSamp,
  stddev_pop: stddevPop,
  joined,
  gathered,
  evens,
};

/** The measure that a case names, over the column `v`. */
export function caseMeasure([name, spec, length]: MeasureSpec): AnyMeasure {
  return measureOf(name, spec, 'v', length);
}

/**
 * A frame in short: the last so many milliseconds, or from the last multiple of the negative of them on; the last `'3 rows'`;
 * `'20 every 7'` milliseconds. Null is a lifetime.
 */
export type FrameText = number | null | `${number} rows` | `${number} every ${number}`;

function frameOf(text: Exclude<FrameText, null>): Frame {
  if (typeof text === 'number') return text < 0 ? since(range(-text)) : preceding(range(text));
  const [size, kind, step] = text.split(' ');
  return kind === 'rows' ? preceding(rows(Number(size))) : sliding(range(Number(size)), range(Number(step)));
}

/** The same frame where a millisecond is this long. */
export function scaled(text: FrameText, unit: number): FrameText {
  if (text === null) return null;
  if (typeof text === 'number') return text * unit;
  const [size, kind, step] = text.split(' ');
  return kind === 'rows' ? text : `${Number(size) * unit} every ${Number(step) * unit}`;
}

/**
 * A measure by the name that cases and models give its aggregate (`sum`, `countAll`, `pct:19/20`, `rough:1/2`, `band:1/2`), over a
 * frame; `predicate` is its filter, `other` the second column of those that take two.
 */
export function measureOf(name: string, spec: string, column: string, frame: FrameText, predicate?: (event: Record<string, unknown>) => boolean, other = 'w'): AnyMeasure {
  const measure = made(spec === 'joined' && frame === null ? 'gathered' : spec, column, other);
  return finished(frame === null ? measure : measure.over(frameOf(frame)), name, predicate);
}

/** The same over a window of rows. */
export function windowMeasureOf(name: string, spec: string, column: string, window: WindowSpec, predicate?: (row: Record<string, unknown>) => boolean, other = 'w'): AnyWindowColumn {
  return finished(made(spec, column, other).over(window), name, predicate) as unknown as AnyWindowColumn;
}

function made(spec: string, column: string, other: string): Steps {
  const [, kind, p, q = '1'] = /^(pct|band|rough):(\d+)(?:\/(\d+))?$/.exec(spec) ?? [];
  const measure = p === undefined ? factories[spec]?.(column, other) : approxPercentile(column, Number(p) / Number(q), kind === 'rough' ? { relativeAccuracy: 0.2 } : undefined);
  if (measure === undefined) throw new Error(`There is no aggregate ${spec}`);
  return measure as Steps;
}

const finished = (measure: Steps, name: string, predicate: ((row: Record<string, unknown>) => boolean) | undefined): AnyMeasure => (predicate === undefined ? measure : measure.filter(predicate)).as(name);
