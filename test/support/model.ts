import fc from 'fast-check';
import type { AnyEngineConfig } from '../../src/config.ts';
import type { AnyMeasure } from '../../src/measures/measure.ts';
import { measureOf, scaled, type FrameText } from './caseMeasures.ts';
import { Duel, type Columns, type StartEngine, type Tolerance } from './duel.ts';

/**
 * What an engine may meet, as values that fast-check draws and shrinks: a setting and a course of operations, small
 * numbers all, so that ties, late events, edges and equal keys are frequent.
 */

/** Texts in code-point order and beside it: an emoji is above U+FFFD, although its first UTF-16 unit is below. */
const texts = ['a', 'b', '', '\u{1F600}', '\uFFFD', '\uD800', 'ab', 'null', 'A'];

/** By name, what a column may hold. What does not fit, such as a text among numbers, is an invalid value there. */
const valueSets: Record<string, readonly unknown[]> = {
  tame: [1, 2, 3, -1, -2.5, 0.5, 10.25, 7, 0, -0, 100, -7.75, null, undefined, 'text', 5],
  odd: [NaN, Infinity, -Infinity, -0, 0, 1, 2, null, 3, NaN, 4, -1],
  huge: [1.5e308, 1.2e308, -1.4e308, -1.7e308, 1.7976931348623157e308, 0, null, -1.5e308],
  tiny: [5e-324, -5e-324, 1e-320, 2.5e-308, -2.5e-308, 0, null, -0],
  mixed: [7.2e15, 0.3, 0.1, 0.2, -0.7, 9007199254740992, 1, -7.2e15, null, 1e-9, 3],
  bigint: [1n, 2n, -3n, 2n ** 70n, 0n, null, -(2n ** 65n), 5n, 7n, 4],
  text: [...texts, null, undefined, 3],
  date: [new Date(0), new Date(5), new Date(-3), new Date(5), null, new Date(NaN), new Date(1e12), 5],
  truth: [true, false, null, true, 'true'],
};
const numeric = ['count', 'countAll', 'sum', 'avg', 'min', 'max', 'pct:1/2', 'pct:19/20', 'pct:0', 'rough:1/2', 'rough:9/10', 'distinct', 'joined', 'evens', 'var_samp', 'var_pop', 'stddev_samp', 'stddev_pop'];
const ordered = ['count', 'countAll', 'min', 'max', 'distinct', 'joined'];
/** Which aggregates are asked of a set. Variances of huge and tiny values are beyond what doubles can say. */
const specsOf: Record<string, readonly string[]> = {
  tame: numeric,
  odd: numeric,
  huge: numeric.slice(0, 14),
  tiny: numeric.slice(0, 14),
  mixed: numeric,
  bigint: ['count', 'sum', 'avg', 'min', 'max', 'distinct', 'joined'],
  text: ordered,
  date: ordered,
  truth: ordered,
};

/** The aggregates beyond those of SQL's summaries. */
const broad = ['first', 'last', 'minBy', 'maxBy', 'lastThree', 'all', 'countDistinct', 'distinct', 'mode', 'topTwo', 'count'];
const broadNumeric = [...broad.slice(0, -1), 'histogram', 'ema', 'longEma', 'slope', 'corr', 'covar_samp'];
const broadSpecsOf: Record<string, readonly string[]> = {
  tame: broadNumeric,
  odd: [...broadNumeric.slice(0, -1), 'covar_pop'],
  mixed: broadNumeric.slice(3).concat('covar_pop', 'sum', 'max'),
};

const keySets: Record<string, readonly (readonly [unknown, unknown?])[]> = {
  one: [['a']],
  three: [['a'], ['b'], ['c']],
  odd: [[1], ['1'], [NaN], [null], [undefined], [-0], [0], [new Date(1)], [1n], [true], ['true'], [''], ['__proto__'], ['\0d1'], [{}], [new Date(NaN)], ['constructor'], ['\uD800']],
  pair: [['a|b', 'c'], ['a', 'b|c'], ['a', null], [null, 'a'], ['a', ''], [1, 2], ['1', '2'], [new Date(3), 3]],
  group: [[undefined]],
};

/** Those at the end came later: recorded counterexamples name frames by their place. */
const frames: readonly FrameText[] = [7, 20, 60.5, null, 20, 60.5, -20, '3 rows', '1 rows', '20 every 7', '10 every 10', '5 every 12', '8 rows'];
const units = [1, 1, 0.5, 0.1, 1 / 3];
const starts = [1000, 0, -5000, 1.79e12];

type PickedMeasure = readonly [column: 0 | 1, spec: number, frame: number, filtered: boolean];
export interface Setting {
  readonly sets: readonly [v: string, w: string];
  readonly measures: readonly PickedMeasure[];
  readonly keys: string;
  readonly closed: 'right' | 'both';
  readonly delay: number;
  readonly watermark: number | undefined;
  readonly bySource: boolean;
  readonly skew: number | false | undefined;
  readonly onFuture: 'hold' | 'drop' | 'error';
  readonly onInvalid: 'drop' | 'error';
  readonly emit: 'changed' | 'every' | 'none';
  readonly limits: readonly [maxKeys: number, maxEvents: number, ttl: number, onLimit: 'error' | 'drop-new' | 'evict-idle'] | undefined;
  readonly unit: number;
  readonly start: number;
  /** An evaluation after each event, until a restart that switches. */
  readonly realTime: boolean;
  /** The aggregates beyond those of SQL's summaries. */
  readonly broad?: boolean;
}

type Operation =
  | readonly ['push', step: number, key: number, offset: number, v: number, w: number, flags: number]
  | readonly ['advance', step: number]
  | readonly ['query', key: number, ahead: number | undefined]
  | readonly ['boundary', key: number]
  | readonly ['restart', switches?: boolean]
  | readonly ['save']
  | readonly ['step']
  | readonly ['stepDelta']
  | readonly ['resume', switches?: boolean];

const measure: fc.Arbitrary<PickedMeasure> = fc.tuple(fc.constantFrom(0, 0, 1), fc.nat(17), fc.nat(frames.length - 1), fc.nat(5).map((n) => n === 0));
const rarely = <T>(value: T, usual: T, times = 4): fc.Arbitrary<T> => fc.nat(times).map((n) => (n === 0 ? value : usual));

/** What a family of runs draws from; the rest is as in `setting`. */
export interface Family {
  readonly sets: readonly string[];
  readonly keys: readonly string[];
  readonly limits?: boolean;
  readonly broad?: boolean;
}

function setting({ sets, keys, limits = false, broad = false }: Family): fc.Arbitrary<Setting> {
  return fc.record({
    sets: fc.tuple(fc.constantFrom(...sets), fc.constantFrom(...sets)),
    measures: fc.array(measure, { minLength: 1, maxLength: 6, size: 'max' }),
    keys: fc.constantFrom(...keys),
    closed: rarely('both', 'right', 2),
    delay: fc.constantFrom(0, 0, 0, 3, 33.3, 200),
    watermark: fc.constantFrom(undefined, 0, 5, 25),
    bySource: fc.boolean(),
    skew: fc.constantFrom(undefined, false, 10),
    onFuture: fc.constantFrom('hold', 'hold', 'drop', 'error'),
    onInvalid: rarely('error', 'drop'),
    emit: fc.constantFrom('changed', 'changed', 'changed', 'changed', 'every', 'none'),
    limits: limits
      ? fc.tuple(fc.constantFrom(1, 2, 3, 9), fc.constantFrom(1, 2, 5, 12, 100), fc.constantFrom(0, 5, 30), fc.constantFrom('error', 'drop-new', 'evict-idle', 'evict-idle'))
      : fc.constant(undefined),
    unit: fc.constantFrom(...units),
    start: fc.constantFrom(...starts),
    realTime: fc.boolean(),
    broad: fc.constant(broad),
  } as const) as fc.Arbitrary<Setting>;
}

// Event times gather around the clock's, some far before and behind; the clock mostly creeps, and sometimes jumps.
const offset = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: -6, max: 2 }) }, { weight: 2, arbitrary: fc.integer({ min: -75, max: 15 }) }, { weight: 1, arbitrary: fc.integer({ min: -20, max: 60 }) });
const step = fc.oneof({ weight: 20, arbitrary: fc.nat(4) }, { weight: 4, arbitrary: fc.nat(30) }, { weight: 1, arbitrary: fc.integer({ min: -12, max: 200 }) });
const push: fc.Arbitrary<Operation> = fc.tuple(fc.constant('push'), step, fc.nat(17), offset, fc.nat(15), fc.nat(15), fc.nat(255));

const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 14, arbitrary: push },
    { weight: 5, arbitrary: fc.tuple(fc.constant('advance' as const), step) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('query' as const), fc.nat(17), fc.option(fc.integer({ min: -10, max: 40 }), { nil: undefined })) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('boundary' as const), fc.nat(17)) },
    // Every other restart goes on in the other mode.
    { weight: 1, arbitrary: fc.tuple(fc.constant('restart' as const), fc.boolean()) },
    { weight: 2, arbitrary: fc.oneof(fc.tuple(fc.constantFrom('save' as const, 'step' as const, 'stepDelta' as const)), fc.tuple(fc.constant('resume' as const), fc.boolean())) },
  ),
  { minLength: 40, maxLength: 48, size: 'max' },
);

function configOf(one: Setting): AnyEngineConfig {
  const [maxKeys, maxEvents, ttl, onLimit] = one.limits ?? [];
  return {
    partitionBy: one.keys === 'pair' ? ['k', 'l'] : one.keys === 'group' ? [] : 'k',
    orderBy: 't',
    frontierSpec: { delay: one.delay * one.unit },
    watermark: one.watermark === undefined ? undefined : { delay: one.watermark * one.unit, ...(one.bySource ? ({ by: 's' } as object) : {}) },
    measures: one.measures.map((picked, i) => pickedMeasure(picked, i, one)),
    closed: one.closed,
    maxFutureSkew: one.skew === false || one.skew === undefined ? one.skew : one.skew * one.unit,
    onFuture: one.onFuture,
    onInvalid: one.onInvalid,
    emit: one.emit,
    limits: one.limits === undefined ? undefined : { maxKeys, maxEvents, onLimit, ...(ttl === undefined || ttl === 0 ? {} : { keyTtl: ttl * one.unit }) },
  };
}

function pickedMeasure([column, specAt, frameAt, filtered]: PickedMeasure, i: number, { sets, unit, broad: isBroad = false }: Setting): AnyMeasure {
  const [name, other] = column === 0 ? ['v', 'w'] : ['w', 'v'];
  const specs = isBroad ? (broadSpecsOf[sets[column]] ?? broad) : (specsOf[sets[column]] ?? numeric);
  const spec = specs[specAt % specs.length] ?? 'count';
  const frame = frames[frameAt] ?? null;
  const predicate = filtered ? (event: Columns) => event['f'] === true : undefined;
  return measureOf(`${spec} ${i}`, spec, name, scaled(frame, unit), predicate, other);
}

/**
 * How far an answer may be off. Variances are computed by another formula. A sum is kept in two doubles and rounded to
 * one, then once more for a mean: that shows only where the values have more digits together than one double.
 */
function toleranceOf({ aggregate: { name }, columns: [column] }: AnyMeasure, { sets: [v, w] }: Setting): Tolerance | undefined {
  if (/^(var|stddev)/.test(name)) return { relative: 1e-12, absolute: 0 };
  if (name === 'corr') return { relative: 2 ** -51, absolute: 0 };
  if (name === 'ema') return { relative: 0, absolute: (column === 'v' ? v : w) === 'mixed' ? 8 : 1e-13 };
  if (name !== 'sum' && name !== 'avg') return undefined;
  switch (column === 'v' ? v : w) {
    case 'mixed':
      return { relative: 2 ** -51, absolute: 2 ** -95 * 1e16 };
    case 'huge':
      return { relative: 2 ** -51, absolute: 0 };
    case 'tiny':
      return { relative: 2 ** -51, absolute: 2 * Number.MIN_VALUE };
    default:
      return undefined;
  }
}

/** Runs a course through the engine and the naive one; throws at the first difference. */
function run(start: StartEngine, one: Setting, course: readonly Operation[]): void {
  const config = configOf(one);
  const loose = new Map(config.measures.flatMap((measure) => {
    const tolerance = toleranceOf(measure, one);
    return tolerance === undefined ? [] : [[measure.name, tolerance]];
  }));
  const duel = new Duel(start, config, one.start, loose);
  const keys = keySets[one.keys] ?? [];
  const key = (at: number): Columns => {
    const [k, l] = keys[at % keys.length] ?? [];
    return one.keys === 'pair' ? { k, l } : one.keys === 'group' ? {} : k === undefined ? {} : { k };
  };
  const value = (column: 0 | 1, at: number): unknown => {
    const set = valueSets[one.sets[column]] ?? [];
    return set[at % set.length];
  };

  let { realTime } = one;
  for (const operation of course) {
    switch (operation[0]) {
      case 'push': {
        const [, moved, keyAt, offsetBy, v, w, flags] = operation;
        duel.now += moved * one.unit;
        const time = flags >= 248 ? invalidTimes[flags - 248] : duel.now + offsetBy * one.unit;
        duel.push({ ...key(keyAt), t: time, v: value(0, v), w: value(1, w), f: flags % 2 === 0, s: sources[(flags >> 1) % 4] });
        if (realTime) duel.advance();
        break;
      }
      case 'advance':
        duel.advance(duel.now + operation[1] * one.unit);
        break;
      case 'query':
        if (isValidKey(key(operation[1]))) duel.query(key(operation[1]), operation[2] === undefined ? undefined : duel.now + operation[2] * one.unit);
        break;
      case 'boundary':
        if (isValidKey(key(operation[1]))) duel.toNextBoundary(key(operation[1]));
        break;
      case 'restart':
        duel.restart();
        if (operation[1] === true) realTime = !realTime;
        break;
      case 'save':
        duel.save();
        break;
      case 'step':
      case 'stepDelta':
        duel.stepPart(operation[0] === 'stepDelta');
        break;
      case 'resume':
        duel.resume();
        if (operation[1] === true) realTime = !realTime;
        break;
    }
  }
  duel.end(1e6);
}

const invalidTimes: readonly unknown[] = [NaN, null, undefined, '1000', Infinity, -Infinity, new Date(NaN), 10n];
const sources: readonly unknown[] = ['p', 'q', null, 'p'];

const isValidKey = (key: Columns): boolean => Object.values(key).every((part) => part == null || typeof part !== 'object' || (part instanceof Date && !Number.isNaN(part.getTime())));

/** Failing runs of earlier times, as fast-check printed them. */
export type Examples = [Setting, Operation[]][];

const property = (start: StartEngine, family: Family) => fc.property(setting(family), operations, (one, course) => run(start, one, course));

/** The engine equals the naive one whatever is drawn; `COURSES=1000000` in the environment draws so many. A failure prints seed, path and the smallest counterexample. */
export function checkEngine(start: StartEngine, family: Family, numRuns: number, examples: Examples = []): void {
  fc.assert(property(start, family), { numRuns: Number(process.env['COURSES'] ?? numRuns), examples });
}

/** In which run an engine that is broken on purpose is found to differ; undefined where it is not, in so many. */
export function foundInRun(start: StartEngine, family: Family, numRuns: number): number | undefined {
  const { failed, numRuns: run } = fc.check(property(start, family), { numRuns, endOnFailure: true });
  return failed ? run : undefined;
}
