import { describe, expect, test } from 'vitest';
import type { AnyEngineConfig } from '../../src/config.ts';
import type { RestoreOptions } from '../../src/engineTypes.ts';
import {
  approxPercentile,
  avg,
  collect,
  count,
  dates,
  epoch,
  last,
  max,
  min,
  mode,
  preceding,
  range,
  rows,
  since,
  sliding,
  stddev,
  sum,
  topK,
  udaf,
  type AnyMeasure,
} from '../../src/index.ts';
import type { AnyEngine } from '../support/duel.ts';
import { startEngine } from '../support/engines.ts';

const over = (length: number) => preceding(range(length));
const big = (event: { v: number }): boolean => event.v > 5;
const base = [sum('v').over(over(100)), count().as('all'), max('w').over(over(50)).as('w'), count('v').filter(big).as('big'), last('note').over(over(20)).as('note')];
const configOf = (measures: readonly AnyMeasure[], change: Partial<AnyEngineConfig> = {}): AnyEngineConfig => ({ partitionBy: 'k', orderBy: 't', watermark: 300, measures, ...change });
const eventAt = (t: number) => ({ k: t % 3 === 0 ? 'a' : 'b', t, v: t % 10, w: t / 7, note: `n${t}`, other: t });

/** Lived until 200; the last events are held. */
function lived(measures: readonly AnyMeasure[] = base, change: Partial<AnyEngineConfig> = {}, until = 200): AnyEngine {
  const engine = startEngine(configOf(measures, change));
  for (let t = 0; t <= until; t++) {
    engine.push(eventAt(t), t);
    if (t % 7 === 0) engine.advance(t);
  }
  engine.push(eventAt(until + 5), until);
  engine.push({ ...eventAt(until - 3), v: 4 }, until);
  return engine;
}

function restored(measures: readonly AnyMeasure[], options: RestoreOptions = {}, change: Partial<AnyEngineConfig> = {}, from: AnyEngine = lived()): AnyEngine {
  const engine = startEngine(configOf(measures, change));
  engine.restore(from.snapshot(), options);
  return engine;
}

/** Goes on for some time; what both plans have must agree. */
function expectAlike(engine: AnyEngine, through: AnyEngine, columns: readonly string[], from = 200): void {
  for (let t = from + 1; t < from + 260; t++) {
    for (const one of [engine, through]) {
      one.push(eventAt(t), t);
      one.advance(t);
    }
    for (const k of ['a', 'b']) {
      const [row, expected] = [engine, through].map((one) => one.query({ k })).map((all) => columns.map((column) => all[column]));
      expect(row, `${k} at ${t}`).toEqual(expected);
    }
  }
}

const refused = (expected: RegExp) => expect.objectContaining({ code: 'snapshot-plan-changed', message: expect.stringMatching(expected) as string }) as Error;
const names = (measures: readonly AnyMeasure[]): string[] => measures.map(({ name }) => name);

describe('a measure was added', () => {
  test.each<[string, AnyMeasure[]]>([
    ['no longer than what is kept', [avg('v').over(over(100)).as('added')]],
    ['shorter', [stddev('v').over(over(30)).as('added')]],
    ['in steps', [max('v').over(sliding(range(30), range(20))).as('added')]],
    ['to date', [min('v').over(since(range(50))).as('added')]],
    ['with a summary of its own', [mode('v').over(over(60)).as('added')]],
    ['of percentiles', [approxPercentile('w', 0.5).over(over(60)).as('added')]],
    ['of presence', [count('note').over(over(60)).as('added')]],
    ['of text', [collect('note', 3).over(over(60)).as('added'), max('note').over(over(40)).as('also')]],
    ['of every event', [count().over(over(60)).as('added')]],
    ['behind a filter that was there', [count('v').filter(big).over(over(60)).as('added')]],
  ])('bounded, %s: is computed from the events that are kept', (_, added) => {
    const measures = [...base, ...added];
    expectAlike(restored(measures), lived(measures), names(measures));
  });

  test('of rows: is computed from the rows that are kept, if they are enough', () => {
    const counted = [...base, avg('v').over(preceding(rows(9))).as('nine')];
    const fewer = [...counted, max('v').over(preceding(rows(4))).as('four')];
    expectAlike(restored(fewer, {}, {}, lived(counted)), lived(fewer), names(fewer));
    const more = [...counted, max('v').over(preceding(rows(10))).as('ten')];
    expect(() => restored(more, {}, {}, lived(counted))).toThrow(refused(/last events of ten/));
    expect(() => restored(fewer)).toThrow(refused(/last events of nine/));
    const engine = restored([...base, sum('v').over(preceding(rows(3))).as('three')], { allowWarmUp: true });
    expect(engine.advance(200).every((row) => !('warmUntil' in row))).toBe(true);
    for (const t of [201, 204, 207]) engine.push({ ...eventAt(t), v: 1 }, t);
    engine.advance(207);
    expect(engine.query({ k: 'a' })['three']).toBe(3);
  });

  test('what rows keep is no answer for a length of time', () => {
    const counted = [count().as('all'), sum('v').over(preceding(rows(3)))];
    expect(() => restored([...counted, sum('v').over(over(10)).as('ten')], {}, {}, lived(counted))).toThrow(refused(/all events of ten/));
  });

  test('the first evaluation after the restore gives the rows in which it has a value', () => {
    const engine = restored([...base, avg('v').over(over(100)).as('mean')]);
    expect(engine.nextBoundary()).toBe(200);
    const rows = engine.advance(200);
    expect(rows.map(({ k }) => k).sort()).toEqual(['a', 'b']);
    expect(rows.every((row) => typeof row['mean'] === 'number' && !('warmUntil' in row))).toBe(true);
    expect(engine.advance(200)).toEqual([]);
  });

  test.each<[string, AnyMeasure, string, number]>([
    ['longer than what is kept', avg('v').over(over(150)).as('added'), 'keeps events after', 250],
    ['of a column that is not kept', sum('other').over(over(50)).as('added'), 'does not keep its column', 255],
    ['of the values of a column that was only counted', sum('seen').over(over(50)).as('added'), 'does not keep its column', 255],
    ['behind another filter', count('v').filter(() => true).over(over(50)).as('added'), 'does not keep its column', 255],
  ])('bounded, %s: an error, or rows that say until when they are not whole', (_, added, given, warmUntil) => {
    const before = [...base, count('seen').over(over(50)).as('seen')], measures = [...before, added];
    const saved = lived(before);
    expect(() => restored(measures, {}, {}, saved)).toThrow(refused(new RegExp(`added.*${given}`)));
    const engine = restored(measures, { allowWarmUp: true }, {}, saved), through = lived(measures);
    expect(engine.query({ k: 'a' })).toHaveProperty('warmUntil', warmUntil);
    expectAlike(engine, through, names(before));
    const again = restored(measures, { allowWarmUp: true }, {}, saved), whole = lived(measures);
    for (let t = 201; t < 300; t++) {
      for (const one of [again, whole]) one.push(eventAt(t), t);
      const rows = again.advance(t);
      whole.advance(t);
      for (const row of rows) expect(row['warmUntil'], String(t)).toBe(t < warmUntil ? warmUntil : undefined);
      for (const row of rows) expect('warmUntil' in row).toBe(t < warmUntil);
      if (t >= warmUntil) for (const k of ['a', 'b']) expect(again.query({ k })).toEqual(whole.query({ k }));
    }
  });

  test('until when rows are not whole travels in snapshots, and bounds what a later plan finds', () => {
    const longer = [...base, avg('v').over(over(150)).as('mean')];
    const engine = restored(longer, { allowWarmUp: true }), again = restored(longer, {}, {}, engine);
    expect(again.query({ k: 'a' })['warmUntil']).toBe(250);
    expect(() => restored([...longer, min('v').over(over(150)).as('least')], {}, {}, engine)).toThrow(refused(/least.*keeps events after 100/));
  });

  test('a column called warmUntil is in the way', () => {
    const measures = [...base, avg('v').over(over(150)).as('warmUntil')];
    expect(() => restored(measures, { allowWarmUp: true })).toThrow(expect.objectContaining({ code: 'duplicate-column' }));
    expect(restored([...base, avg('v').over(over(90)).as('warmUntil')]).query({ k: 'a' })['warmUntil']).toBeTypeOf('number');
  });

  test.each<[string, AnyMeasure]>([
    ['fused with one that is there', count('v').as('added')],
    ['of every event', count().as('added')],
    ['with a state of its own', topK('v', 2).as('added')],
    ['of percentiles, which know the extremes', approxPercentile('v', [0, 1]).as('added')],
  ])('for a lifetime, %s: an error, or it begins with the restore, and shares no state with older ones', (_, added) => {
    const before = [...base, avg('v').as('mean'), approxPercentile('v', 0).as('least')], measures = [...before, added], saved = lived(before);
    expect(() => restored(measures, {}, {}, saved)).toThrow(refused(/lifetime measure added.*none of that name/));
    let engine = restored(measures, { allowWarmUp: true }, {}, saved);
    const own = startEngine(configOf([added]));
    engine.advance(200);
    // What was held enters later.
    for (const t of [197, 198, 199, 200, 205]) own.push(eventAt(t), 200);
    own.push({ ...eventAt(197), v: 4 }, 200);
    for (let t = 201; t < 240; t++) {
      for (const one of [engine, own]) {
        one.push({ ...eventAt(t), v: 5 + (t % 3) }, t);
        one.advance(t);
      }
      if (t === 220) {
        const next = startEngine(configOf(measures));
        next.restore(engine.snapshot());
        engine = next;
      }
    }
    for (const k of ['a', 'b']) expect(engine.query({ k })['added'], k).toEqual(own.query({ k })['added']);
    expect(engine.query({ k: 'a' })['least']).toBe(0);
    expect('warmUntil' in engine.query({ k: 'a' })).toBe(false);
  });
});

describe('a second change knows what the first one found missing', () => {
  test('a column that began with a lifetime: what was before it is no absence of values', () => {
    const other = sum('other').as('other'), recent = sum('other').over(over(50)).as('recent');
    const once = restored([...base, other], { allowWarmUp: true });
    expect(() => restored([...base, other, recent], {}, {}, once)).toThrow(refused(/all events of recent.*keeps events after 205/));
    expect(restored([...base, other, recent], { allowWarmUp: true }, {}, once).query({ k: 'a' })).toHaveProperty('warmUntil', 255);
  });

  test('rows that began with a restore are not the last ones of each key', () => {
    const four = sum('v').over(preceding(rows(4))).as('four'), three = sum('v').over(preceding(rows(3))).as('three');
    const once = restored([...base, four], { allowWarmUp: true }), same = restored([...base, four], {}, {}, once);
    for (const before of [once, same]) expect(() => restored([...base, four, three], {}, {}, before)).toThrow(refused(/last events of three/));
    const without = restored(base, { dropRemoved: true }, {}, same);
    expect(() => restored([...base, three], {}, {}, without)).toThrow(refused(/last events of three/));
  });

  test('rows take no count of values for the values, not even where they may begin with what there is', () => {
    const counted = [...base, count('other').over(preceding(rows(5))).as('others')], three = sum('other').over(preceding(rows(3))).as('three');
    expect(() => restored([...counted, three], { allowWarmUp: true }, {}, lived(counted))).toThrow(refused(/values of the last events of three/));
    const timed = [...counted, sum('other').over(over(10)).as('ten')], once = restored(timed, { allowWarmUp: true }, {}, lived(counted));
    expect(() => restored([...timed, three], { allowWarmUp: true }, {}, once)).toThrow(refused(/values of the last events of three/));
  });

  test('a count goes on through whatever else is asked of its column', () => {
    const counted = [...base, count('other').over(over(60)).as('others')], last10 = last('other').over(over(10)).as('last'), sum10 = sum('other').over(over(10)).as('sum');
    const once = restored([...counted, last10], { allowWarmUp: true }, {}, lived(counted));
    const twice = restored([...counted, last10, sum10], { allowWarmUp: true }, {}, once);
    expectAlike(twice, lived(counted), names(counted));
  });
});

describe('a measure was removed', () => {
  test.each(base.map((measure) => [measure.name, measure] as const))('%s: an error, or left out with dropRemoved', (name, measure) => {
    const measures = base.filter((one) => one !== measure);
    expect(() => restored(measures)).toThrow(refused(new RegExp(`${name.replace(/[()]/g, '.')}.*dropRemoved`)));
    const engine = restored(measures, { dropRemoved: true });
    expectAlike(engine, lived(measures), names(measures));
  });
});

test('keys that only a lifetime kept go with it, and are named', () => {
  const before = [sum('v').over(over(20)), count().as('all')], saved = startEngine(configOf(before));
  for (const t of [1, 400]) saved.push({ k: t === 1 ? 'idle' : 'busy', t, v: 1 }, t);
  saved.advance(400);
  const engine = restored(before.slice(0, 1), { dropRemoved: true }, {}, saved);
  expect(engine.nextBoundary()).toBe(400);
  expect([engine.advance(400), engine.removed, engine.stats.keys]).toEqual([[], [{ k: 'idle' }], 1]);
});

describe('what may change', () => {
  test.each<[string, AnyMeasure[], Partial<AnyEngineConfig>, readonly string[]]>([
    ['the order of measures', [...base].reverse(), {}, names(base)],
    ['a shorter lookback', [sum('v').over(over(40)), ...base.slice(1)], {}, names(base)],
    ['a frame within the longest', [base[0]!, base[1]!, max('w').over(since(range(60))).as('w'), ...base.slice(3)], {}, names(base)],
    ["the frontier's name", base, { frontierSpec: { alias: 'F' } }, names(base)],
    ['a filter whose code is another', [...base.slice(0, 3), count('v').filter((event: { v: number }) => event.v > 5).as('big'), base[4]!], {}, names(base)],
    ['an adapter that reads the same', base, { time: dates }, names(base)],
    ["closed, from 'both' to 'right'", base, {}, []],
  ])('%s', (_, measures, change, columns) => {
    expectAlike(restored(measures, {}, change), lived(measures, change), columns);
  });

  test('delays may change; frontier and watermark never go back', () => {
    const saved = lived(base, {}, 600), { frontier, watermark } = saved;
    const engine = restored(base, {}, { frontierSpec: { delay: 50 }, watermark: 500 }, saved);
    engine.advance(601);
    expect([engine.frontier, engine.watermark]).toEqual([frontier, Math.max(watermark, 600 - 500, engine.watermark)]);
    expect(engine.watermark).toBeGreaterThanOrEqual(watermark);
    engine.advance(700);
    expect(engine.frontier).toBe(650);
  });
});

describe('what may not change', () => {
  const custom = (name: string) => udaf({ name, zero: () => 0, reduce: (a, v: number) => a + v, merge: (a, b) => a + b, finish: (a) => a });
  test.each<[string, AnyMeasure[], Partial<AnyEngineConfig>, AnyMeasure[], Partial<AnyEngineConfig>, RegExp]>([
    ['the kind of aggregate', [avg('v').over(over(9)).as('m')], {}, [sum('v').over(over(9)).as('m')], {}, /avg\(v\).*sum\(v\)/],
    ['a parameter', [approxPercentile('v', 0.5).over(over(9)).as('m')], {}, [approxPercentile('v', 0.6).over(over(9)).as('m')], {}, /p 0\.5.*p 0\.6/],
    ['the column', [sum('v').over(over(9)).as('m')], {}, [sum('w').over(over(9)).as('m')], {}, /sum\(v\).*sum\(w\)/],
    ['whether it is filtered', [sum('v').over(over(9)).as('m')], {}, [sum('v').over(over(9)).filter(big).as('m')], {}, /sum\(v\) over.*filtered/],
    ['whose aggregate it is', [custom('total')('v').as('m')], {}, [sum('v').as('m')], {}, /total\(v\).*sum\(v\)/],
    ['a longer lookback', [sum('v').over(over(10)).as('m')], {}, [sum('v').over(over(9)).as('m')], {}, /range 10.*allowWarmUp/],
    ['from bounded to lifetime', [sum('v').as('m')], {}, [sum('v').over(over(9)).as('m')], {}, /lifetime measure m.*range 9/],
    ["closed: 'both'", [sum('v').over(over(9)).as('m')], { closed: 'both' }, [sum('v').over(over(9)).as('m')], {}, /closed both/],
    ['key columns', base, { partitionBy: ['k', 'other'] }, base, {}, /\["k","other"\].*\["k"\]/],
    ['the time column', base, { orderBy: 'other' }, base, {}, /"other".*"t"/],
    ['the unit of time', base, { time: epoch('seconds') }, base, {}, /"seconds".*"milliseconds"/],
    ['the source column', base, { watermark: { delay: 300, by: 'k' } }, base, {}, /"k".*null/],
  ])('%s: the error names both', (_, measures, change, before, was, message) => {
    const saved = lived(before, was, 20), engine = lived(measures, { ...change, onInvalid: 'drop' }, 20), untouched = engine.snapshot();
    expect(() => engine.restore(saved.snapshot())).toThrow(refused(message));
    expect(engine.snapshot()).toEqual(untouched);
  });

  test('a column keeps its type where its measures stay', () => {
    const text = startEngine(configOf([max('v').over(over(9)), count('v')]));
    text.push({ k: 'a', t: 1, v: 'text' }, 1);
    text.advance(1);
    const added = [max('v').over(over(9)), count('v'), stddev('v').over(over(9))];
    expect(() => restored(added, { allowWarmUp: true }, {}, text)).toThrow(refused(/number in the column v.*string/));
    const dropped = [count('v'), sum('v').over(over(9))];
    expect(() => restored(dropped, { dropRemoved: true }, {}, text)).toThrow(refused(/number, bigint in the column v.*string/));
  });
});
