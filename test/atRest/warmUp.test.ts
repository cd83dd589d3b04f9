import { describe, expect, test } from 'vitest';
import { collect, count, createEngine, max, min, preceding, range, rows, sum } from '../../src/index.ts';

type Event = Record<string, unknown>;
type Engine = ReturnType<ReturnType<typeof createEngine<Event>>>;
const start = (...measures: readonly unknown[]): Engine => createEngine<Event>()({ partitionBy: 'k', orderBy: 't', measures } as never);

const last = preceding(range(60)), changed = expect.objectContaining({ code: 'snapshot-plan-changed' }) as unknown;
const anew = { allowWarmUp: true, dropRemoved: true };

/** An event at each instant of a span, the number of which is its value. */
function live(engine: Engine, from: number, to: number): Engine {
  for (let t = from; t <= to; t++) {
    engine.push({ k: 'a', t, v: t }, t);
    engine.advance(t);
  }
  return engine;
}

/** An engine of another plan goes on with the state. */
function goOn(engine: Engine, measures: readonly unknown[], options = {}): Engine {
  const next = start(...measures);
  next.restore(engine.snapshot(), options);
  return next;
}

/** What began without all that it asks for is not whole for others, either: they learn of it by an error or by `warmUntil`. */
describe('a measure that was changed a second time', () => {
  const all = count().over(last).as('all');

  test('finds no more rows than the first one began with', () => {
    const few = goOn(live(start(count().over(preceding(range(2))).as('all')), 1, 10), [count().over(preceding(rows(20))).as('n')], anew);
    expect(few.query({ k: 'a' })).toMatchObject({ n: 2 });
    expect(() => goOn(few, [sum('v').over(preceding(rows(5))).as('s')], { dropRemoved: true })).toThrow(changed);
    const more = [count().over(preceding(rows(20))).as('n'), count().over(preceding(rows(5))).as('m')];
    expect(() => goOn(few, more)).toThrow(changed);
    expect(() => goOn(goOn(few, [count().over(preceding(rows(20))).as('n')]), more)).toThrow(changed); // it is not forgotten
    expect(goOn(few, more, anew).query({ k: 'a' })).toMatchObject({ n: 2, m: 2 });
  });

  test('finds so many rows as were kept all along', () => {
    const engine = goOn(live(start(count().over(preceding(rows(5))).as('n')), 1, 10), [count().over(preceding(rows(20))).as('n')], anew);
    expect(goOn(engine, [count().over(preceding(rows(20))).as('n'), count().over(preceding(rows(5))).as('m')]).query({ k: 'a' })).toMatchObject({ n: 5, m: 5 });
  });

  test.each([
    ['a lifetime', max('v').as('m')],
    ['rows', max('v').over(preceding(rows(30))).as('m')],
  ])('does not take the values that %s began without for none', (_, begun) => {
    const engine = live(goOn(live(start(all), 1, 10), [all, begun], anew), 11, 12);
    const of = (length: number): readonly unknown[] => [all, max('v').over(preceding(range(length))).as('m')];
    const looksBack = of(20), inside = of(2);
    expect(() => goOn(engine, looksBack)).toThrow(changed);
    expect(goOn(engine, looksBack, anew).query({ k: 'a' })).toMatchObject({ m: 12, warmUntil: 30 });
    expect(goOn(engine, inside).query({ k: 'a' })).toEqual({ k: 'a', __frontier: 12, all: 12, m: 12 });
  });

  test.each([
    ['no value was kept', count().over(last).as('n')],
    ['values were only counted', count('v').over(last).as('n')],
    ['the values of some events were kept', min('v').filter(({ v }: Event) => v === 3).over(last).as('n')],
  ])('does not take for none what a window had already left behind when it began, where %s', (_, long) => {
    const quiet = live(start(long), 1, 10);
    quiet.advance(12);
    const short = max('v').over(preceding(range(2))).as('short'), engine = live(goOn(quiet, [long, short]), 13, 14);
    const of = (frame: ReturnType<typeof preceding>): readonly unknown[] => [long, short, min('v').over(frame).as('m')];
    expect(() => goOn(engine, of(preceding(range(20))))).toThrow(changed);
    expect(goOn(engine, of(preceding(range(20))), anew).query({ k: 'a' })).toHaveProperty('warmUntil', 30);
    expect(() => goOn(engine, of(preceding(rows(10))), anew)).toThrow(changed);
    expect(goOn(engine, of(preceding(range(4)))).query({ k: 'a' })).toEqual({ ...engine.query({ k: 'a' }), short: 14, m: 13 });
  });

  test('finds rows only where their values were kept', () => {
    const kept = count().over(preceding(rows(30))).as('n');
    const engine = live(goOn(live(start(all, kept), 1, 10), [all, kept, max('v').over(preceding(range(2))).as('m')], anew), 11, 15);
    const next = [all, kept, max('v').over(preceding(rows(10))).as('m')];
    expect(() => goOn(engine, next)).toThrow(changed);
    expect(() => goOn(engine, next, anew)).toThrow(changed); // nothing would say until when rows lack them
  });
});

test('a count goes on where the values that it counts begin to be kept', () => {
  const counted = count('v').over(last).as('n'), listed = collect('v', 100).over(preceding(range(5))).as('list');
  const begun = live(goOn(live(start(counted), 1, 10), [counted, listed], anew), 11, 20);
  begun.push({ k: 'a', t: 21, v: null }, 21);
  begun.advance(21);
  const engine = goOn(begun, [counted, listed, sum('v').over(preceding(range(3))).as('s')]);
  expect(engine.query({ k: 'a' })).toEqual({ k: 'a', __frontier: 21, n: 20, list: [17, 18, 19, 20], s: 39 });
});
