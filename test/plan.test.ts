import { describe, expect, test } from 'vitest';
import { planOf } from '../src/plan.ts';
import { approxCountDistinct, approxPercentile, avg, collect, count, createEngine, dates, ddSketch, ema, epochMilliseconds, first, histogram, max, preceding, range, rows, sliding, sum, topK, udaf } from '../src/index.ts';
import type { AnyEngineConfig } from '../src/config.ts';
import type { AnyMeasure } from '../src/measures/measure.ts';

const config: AnyEngineConfig = { partitionBy: 'k', orderBy: 't', measures: [count()] };
const planWith = (change: object): ReturnType<typeof planOf> => planOf({ ...config, ...change });
const hour = preceding(range('1 hour')), minute = preceding(range('1 minute'));
const product = udaf({ name: 'product', zero: () => 1, reduce: (state: number, value: number) => state * value, merge: (a: number, b: number) => a * b, finish: (state) => state });
/** As a frame by the calendar: its length varies. */
const byCalendar = (text: string, longest: number): never => ({ kind: 'preceding', edge: { text, longest, lower: (frontier: number) => frontier - longest, leavesAt: (time: number) => time + longest } }) as never;

describe('argument errors', () => {
  test.each([[undefined], [null], [5], ['config']])('%o is no configuration', (given) => {
    expect(() => planOf(given as never)).toThrow(expect.objectContaining({ code: 'invalid-config' }));
    expect(() => createEngine()(given as never)).toThrow(expect.objectContaining({ code: 'invalid-config' }));
  });

  test.each<[string, object, string, RegExp?]>([
    ['partitionBy missing', { partitionBy: undefined }, 'invalid-config', /partitionBy/],
    ['partitionBy a number', { partitionBy: 5 }, 'invalid-config', /partitionBy; got 5/],
    ['partitionBy with a number in it', { partitionBy: ['a', 5] }, 'invalid-config', /partitionBy; got 5/],
    ['partitionBy twice the same', { partitionBy: ['a', 'a'] }, 'duplicate-column', /"a" for partition column "a" and for partition column "a"/],
    ['partitionBy __proto__', { partitionBy: ['__proto__'] }, 'invalid-config', /__proto__/],
    ['orderBy missing', { orderBy: undefined }, 'invalid-config', /orderBy/],
    ['orderBy a list', { orderBy: ['t'] }, 'invalid-config', /orderBy/],
    ['frontierSpec a text', { frontierSpec: '10 seconds' }, 'invalid-config', /frontierSpec/],
    ['frontierSpec null', { frontierSpec: null }, 'invalid-config', /frontierSpec/],
    ['an alias that is no text', { frontierSpec: { alias: 5 } }, 'invalid-config', /frontierSpec\.alias/],
    ['the alias __proto__', { frontierSpec: { alias: '__proto__' } }, 'invalid-config', /__proto__/],
    ['the alias of a partition column', { frontierSpec: { alias: 'k' } }, 'duplicate-column', /the frontier/],
    ['a negative delay', { frontierSpec: { delay: -1 } }, 'invalid-duration'],
    ['a delay in no words', { frontierSpec: { delay: 'soon' } }, 'invalid-duration'],
    ['an infinite delay', { frontierSpec: { delay: Infinity } }, 'invalid-duration'],
    ['measures missing', { measures: undefined }, 'invalid-config', /list of measures/],
    ['measures not a list', { measures: count() }, 'invalid-config', /list of measures/],
    ['a measure that is none', { measures: ['sum'] }, 'invalid-measure'],
    ['a measure that is null', { measures: [null] }, 'invalid-measure'],
    ['a udaf without its column', { measures: [product] }, 'invalid-measure', /second call/],
    ['an aggregate for a measure', { measures: [{ name: 'sum' }] }, 'invalid-measure'],
    ['a measure called __proto__', { measures: [count().as('__proto__')] }, 'invalid-config', /__proto__/],
    ['two measures of one name', { measures: [sum('v').over(hour), sum('v').over(minute)] }, 'duplicate-column', /"sum\(v\)" for measure 1 and for measure 2/],
    ['a measure called as a partition column', { measures: [count().as('k')] }, 'duplicate-column', /partition column "k"/],
    ['a measure called as the frontier', { measures: [count().as('__frontier')] }, 'duplicate-column', /the frontier/],
    ['a watermark in no words', { watermark: 'late' }, 'invalid-duration'],
    ['a negative watermark', { watermark: { delay: -5 } }, 'invalid-duration'],
    ['a watermark null', { watermark: null }, 'invalid-config', /watermark/],
    ['a watermark by no column', { watermark: { delay: 5, by: 5 } }, 'invalid-config', /watermark\.by/],
    ['a time adapter that is a word', { time: 'seconds' }, 'invalid-config', /time to be an object with read and write/],
    ['half a time adapter', { time: { read: Number } }, 'invalid-config', /read and write/],
    ['time null', { time: null }, 'invalid-config', /time/],
    ['a function for an observer', { dropped: () => undefined }, 'invalid-config', /dropped to be an object with next/],
    ['closed in another word', { closed: 'left' }, 'invalid-config', /closed to be one of "right", "both"/],
    ['emit in another word', { emit: 'always' }, 'invalid-config', /emit/],
    ['onFuture in another word', { onFuture: 'keep' }, 'invalid-config', /onFuture/],
    ['onInvalid in another word', { onInvalid: 'throw' }, 'invalid-config', /onInvalid/],
    ['a skew in no words', { maxFutureSkew: 'far' }, 'invalid-duration'],
    ['a skew of true', { maxFutureSkew: true }, 'invalid-duration'],
    ['a field that is misspelt', { watermak: '5 seconds' }, 'invalid-config', /fields are partitionBy, .*watermark.*; got the field "watermak"/],
    ['a field of the frontier that is misspelt', { frontierSpec: { dely: 5 } }, 'invalid-config', /frontierSpec, of which the fields are delay, alias; got the field "dely"/],
    ['a field of a watermark that is misspelt', { watermark: { delay: 5, bye: 'region' } }, 'invalid-config', /delay, by; got the field "bye"/],
    ['a limit that is misspelt', { limits: { maxkeys: 5 } }, 'invalid-config', /maxKeys, .*; got the field "maxkeys"/],
    ['half a key', { limits: { maxKeys: 1.5 } }, 'invalid-config', /whole number from 1 in limits\.maxKeys; got 1\.5/],
    ['limits a number', { limits: 5 }, 'invalid-config', /limits/],
    ['limits null', { limits: null }, 'invalid-config', /limits/],
    ['no keys at all', { limits: { maxKeys: 0 } }, 'invalid-config', /limits\.maxKeys; got 0/],
    ['NaN events', { limits: { maxEvents: NaN } }, 'invalid-config', /limits\.maxEvents; got NaN/],
    ['a number of keys that is none', { limits: { maxKeys: {} } }, 'invalid-config', /limits\.maxKeys/],
    ['a ttl of 0', { limits: { keyTtl: 0 } }, 'invalid-duration'],
    ['onLimit in another word', { limits: { onLimit: 'drop' } }, 'invalid-config', /limits\.onLimit/],
  ])('%s', (_, change, code, message = /./) => {
    expect(() => planWith(change)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) as string }));
  });

  test('a udaf that can not even answer for an empty window is named', () => {
    const failing = udaf({ name: 'failing', zero: () => [] as number[], reduce: (list, value: number) => [...list, value], merge: (a, b) => [...a, ...b], finish: (list) => list[0]!.toFixed(2) });
    expect(() => createEngine<{ k: string; t: number; v: number }>()({ partitionBy: 'k', orderBy: 't', measures: [failing('v')] })).toThrow(expect.objectContaining({ code: 'user-code', message: expect.stringContaining("'failing'") as string }));
  });
});

describe('the plan', () => {
  test('has every default', () => {
    expect(planOf(config)).toMatchObject({
      keyColumns: ['k'],
      orderBy: 't',
      alias: '__frontier',
      delay: 0,
      time: epochMilliseconds,
      watermark: undefined,
      emit: 'changed',
      maxFutureSkew: 300_000,
      onFuture: 'hold',
      onInvalid: 'drop',
      limits: undefined,
      dropped: undefined,
      lookbacks: [],
      hasLifetime: true,
    });
    expect(planWith({ limits: {} }).limits).toEqual({ maxKeys: Infinity, maxEvents: Infinity, keyTtl: Infinity, onLimit: 'error' });
  });

  test('reads durations in words, and what an undefined field means', () => {
    const plan = planWith({
      partitionBy: [], frontierSpec: { delay: '10 seconds', alias: 'F' }, watermark: { delay: 'PT5S', by: 'source' }, maxFutureSkew: false, time: dates, closed: undefined, emit: undefined, limits: { keyTtl: { hours: 1 } },
    });
    expect(plan).toMatchObject({ keyColumns: [], delay: 10_000, alias: 'F', watermark: { delay: 5000, by: 'source' }, maxFutureSkew: false, time: dates, emit: 'changed', limits: { keyTtl: 3_600_000 } });
    expect([planWith({ watermark: 5 }).watermark, planWith({ watermark: '5 seconds' }).watermark]).toEqual([{ delay: 5, by: undefined }, { delay: 5000, by: undefined }]);
  });

  test('is frozen, and keeps nothing of the lists it was given', () => {
    const partitionBy = ['k'], measures: AnyMeasure[] = [count()];
    const plan = planWith({ partitionBy, measures });
    partitionBy.push('l');
    measures.pop();
    expect([plan.keyColumns, plan.measures.length]).toEqual([['k'], 1]);
    expect([plan, plan.keyColumns, plan.lookbacks].every((part) => Object.isFrozen(part))).toBe(true);
  });

  test('measures of equal lengths share a lookback, in order of length; a lifetime comes after them', () => {
    const plan = planWith({ measures: [sum('v').over(hour), count(), avg('v').over(minute), max('v').over(preceding(range({ minutes: 60 })))] });
    expect(plan.lookbacks.map(({ longest }) => longest)).toEqual([60_000, 3_600_000]);
    expect(plan.measures.map(({ lookback }) => lookback)).toEqual([1, 2, 0, 1]);
    expect(plan.hasLifetime).toBe(true);
  });

  test('what an aggregate was made with, and whose it is, are part of what snapshots say', () => {
    const user = udaf({ name: 'first', zero: (): unknown => null, reduce: (_, value: unknown) => value, merge: (a) => a, finish: (state) => state });
    const percentiles = [approxPercentile('v', 0.5), approxPercentile('v', 0.6), approxPercentile('v', 0.5, { relativeAccuracy: 0.1 })];
    const measures = [topK('v', 2), topK('v', 3), collect('v', 2), collect('v', 3), histogram('v', [1]), histogram('v', [1, 2]), ema('v', 1), ema('v', 2), approxCountDistinct('v'), approxCountDistinct('v', 0.1), first('v'), user('v'), ddSketch('v'), ddSketch('v', { relativeAccuracy: 0.1 }), ...percentiles, ...percentiles.map((measure) => measure.over(minute))];
    const texts = measures.map((measure) => JSON.stringify(planWith({ measures: [measure.as('m')] }).text));
    expect(new Set(texts).size).toBe(measures.length);
  });

  test('what is kept over a lifetime instead is in its place', () => {
    const plan = planWith({ measures: [approxPercentile('v', 0.5), approxPercentile('v', 0.5).over(minute).as('recent')] });
    expect(plan.measures.map(({ measure: { aggregate } }) => aggregate.parameters)).toEqual([{ p: 0.5, sketch: 'ddsketch 0.01' }, { p: 0.5 }]);
  });

  test("closed: 'both' moves the edges, and is part of what snapshots say", () => {
    const [right, both] = (['right', 'both'] as const).map((closed) => planWith({ closed, measures: [count().over(minute)] }));
    expect(right?.lookbacks[0]?.lower(60_000)).toBe(0);
    expect(both?.lookbacks[0]?.lower(60_000)).toBe(-Number.MIN_VALUE);
    expect(both?.measures[0]?.lookback).toBe(0);
    expect(right?.text).not.toEqual(both?.text);
    expect(right?.text).toEqual(planWith({ measures: [count().over(minute)] }).text);
  });

  test('windows that do not lie within each other: what is before all of them is told by an edge that holds them all', () => {
    const month = byCalendar('month', 31), days = byCalendar('days', 30);
    const plan = planWith({ measures: [count().over(month), sum('v').over(days), max('v').over(minute)] });
    expect(plan.lookbacks.map(({ text }) => text)).toEqual(['days', 'month', 'range 60000']);
    expect(plan.passings.map(({ text }) => text)).toEqual(['days', 'month', 'range 60000', 'union']);
    expect([plan.nested, plan.horizon?.lower(100_000), plan.passings.at(-1)?.lower(100_000)]).toEqual([false, 40_000, 40_000]);
    expect(plan.measures.map(({ lookback }) => lookback)).toEqual([1, 0, 2]);
    const alone = planWith({ measures: [count().over(month)] });
    expect([alone.nested, alone.horizon, alone.passings === alone.lookbacks]).toEqual([true, alone.lookbacks[0], true]);
  });

  test('windows in steps are passed twice by each event, windows of rows never; neither heeds closed', () => {
    const steps = sliding(range(10), range(4));
    const plan = planWith({ measures: [count().over(steps), sum('v').over(preceding(rows(3)))], closed: 'both' });
    expect(plan.lookbacks.map(({ text }) => text)).toEqual(['sliding 10 every 4', 'rows 3']);
    expect(plan.passings.map((edge) => [edge.lower(9), edge.leavesAt(9)])).toEqual([[8, 12], [-2, 20]]);
    expect([plan.nested, plan.horizon?.lower(1e6)]).toEqual([false, -Infinity]);
    const alone = planWith({ measures: [count().over(preceding(rows(3)))] });
    expect([alone.nested, alone.passings]).toEqual([false, []]);
    expect(plan.text.measures.map(({ over }) => over)).toEqual(['sliding 10 every 4 closed both', 'rows 3 closed both']);
  });

  test('a filter that two measures share runs once; a column is what all its measures need', () => {
    const isLarge = ({ v }: { v: number }): boolean => v > 5;
    const plan = planWith({ measures: [count().filter(isLarge), sum('v').filter(isLarge), max('v'), count('w').filter(() => true)] });
    expect(plan.predicates).toHaveLength(2);
    expect(plan.measures.map(({ predicate }) => predicate)).toEqual([0, 0, -1, 1]);
    expect(plan.measures.map(({ column }) => column)).toEqual([-1, 0, 0, 1]);
    expect(plan.columns.map(({ name, kinds }) => [name, ...kinds])).toEqual([['v', 'numeric', 'orderable'], ['w', 'any']]);
  });
});
